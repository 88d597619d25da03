import type { FigureSource } from '@cellfolio/contract';
import { Columns3 } from 'lucide-react';
import { NamePopover } from '@/components/name-popover.tsx';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { useAnnotationAction } from './annotation-calls.ts';

interface KeepNumbersProps {
  /** Source of a map with a number per cell. */
  source: FigureSource;
  suggestion: string;
}

export function KeepNumbers({ source, suggestion }: KeepNumbersProps) {
  const action = useAnnotationAction(source.dataset_filename);
  return (
    <NamePopover
      trigger={
        <Button variant="secondary" size="sm">
          <Columns3 aria-hidden />
          Add as a column
        </Button>
      }
      label="Name of the column"
      suggestion={suggestion}
      hint="Saves the current numbers for this version of the dataset. Only you see them."
      action={['Add', 'Adding...']}
      isBusy={action.isPending}
      onName={(name, done) =>
        action.mutate(
          { do: 'keep-numbers', name, source },
          {
            onSuccess: () => {
              toast.success('Column Added', {
                description: `Use “${name}” to colour maps, to group cells, or as the axis of an analysis.`,
              });
              done();
            },
          },
        )
      }
    />
  );
}
