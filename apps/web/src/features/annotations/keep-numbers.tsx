import type { FigureSource } from '@cellfolio/contract';
import { Columns3 } from 'lucide-react';
import { NamePopover } from '@/components/name-popover.tsx';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { useDocuments } from '@/features/documents/index.ts';
import { annotationCalls, annotationsOf } from './annotation-calls.ts';

interface KeepNumbersProps {
  /** Source of a map with a number per cell. */
  source: FigureSource;
  suggestion: string;
}

export function KeepNumbers({ source, suggestion }: KeepNumbersProps) {
  const filename = source.dataset_filename;
  const { run, isPending } = useDocuments(annotationsOf(filename), { enabled: false });
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
      isBusy={isPending}
      onName={(name, done) =>
        void run(annotationCalls.keepNumbers(filename, { name, source }), {
          done: () => {
            toast.success('Column Added', {
              description: `Use “${name}” to color maps, to group cells, or as the axis of an analysis.`,
            });
            done();
          },
        })
      }
    />
  );
}
