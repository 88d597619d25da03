import { ChoiceField } from '@/features/analyses/index.ts';
import { graphOf } from './trajectory-form.ts';

const choices = [
  { value: 'file', label: 'From the file, if present' },
  { value: 'computed', label: 'Computed from the principal components' },
] as const;

export function GraphField({ graph, onChange }: { graph: string; onChange: (graph: string) => void }) {
  return (
    <ChoiceField
      label="Graph of nearest cells"
      choices={choices}
      value={graphOf({ graph })}
      onChange={onChange}
      about={
        graphOf({ graph }) === 'file'
          ? 'Neighbours applies only if the graph is computed: for a subset, or a file without a graph.'
          : undefined
      }
    />
  );
}
