import { formOf, graph as graphSchema } from '@cellfolio/analyses';
import { ChoiceField } from '@/features/analyses/index.ts';
import { graphOf } from './trajectory-form.ts';

const { label = '', choices = {} } = formOf(graphSchema)!;
const texts = new Map(Object.entries(choices));

export function GraphField({ graph, onChange }: { graph: string; onChange: (graph: string) => void }) {
  return (
    <ChoiceField
      label={label}
      choices={Array.from(texts, ([value, [title]]) => ({ value, label: title }))}
      value={graphOf({ graph })}
      onChange={onChange}
      about={texts.get(graphOf({ graph }))?.[1]}
    />
  );
}
