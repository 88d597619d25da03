import type { Annotation } from '@cellfolio/contract';
import { History, Redo2, Undo2 } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { plural } from '@/lib/format.ts';
import { annotationCalls, type AnnotationDocuments } from './annotation-calls.ts';

interface AnnotationHistoryProps {
  annotation: Annotation;
  documents: AnnotationDocuments;
}

export function AnnotationHistory({ annotation, documents }: AnnotationHistoryProps) {
  const { history, revision } = annotation;
  const at = history.findIndex((step) => step.revision === revision);
  const [before, after] = [history[at + 1], history[at - 1]];
  const go = (to: number) => void documents.run(annotationCalls.move(annotation, to));
  return (
    <>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={before ? `Undo: ${history[at]!.words}` : 'Undo'}
        title={before ? `Undo: ${history[at]!.words}` : 'Nothing to undo'}
        disabled={documents.isPending || before === undefined}
        onClick={() => go(before!.revision)}
      >
        <Undo2 aria-hidden />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={after ? `Redo: ${after.words}` : 'Redo'}
        title={after ? `Redo: ${after.words}` : 'Nothing to redo'}
        disabled={documents.isPending || after === undefined}
        onClick={() => go(after!.revision)}
      >
        <Redo2 aria-hidden />
      </Button>
      <Popover>
        <PopoverTrigger asChild>
          <Button variant="ghost" size="icon-sm" aria-label="History" title="History">
            <History aria-hidden />
          </Button>
        </PopoverTrigger>
        <PopoverContent align="end" className="max-h-96 w-80 overflow-y-auto p-2">
          <p className="px-2 pb-1 text-[13px] font-medium">History</p>
          <ol className="flex flex-col">
            {history.map((step) => (
              <li key={step.revision}>
                <button
                  type="button"
                  aria-current={step.revision === revision ? 'step' : undefined}
                  disabled={documents.isPending || step.revision === revision}
                  onClick={() => go(step.revision)}
                  className="hover:bg-surface-2 aria-[current]:bg-accent-soft w-full rounded px-2 py-1 text-left text-xs"
                >
                  <span className="block wrap-anywhere">{step.words}</span>
                  <span className="text-muted tabular-nums">
                    {new Date(step.at).toLocaleString()}, {plural(step.cells, 'cell')}
                  </span>
                </button>
              </li>
            ))}
          </ol>
          <p className="text-muted px-2 pt-1 text-xs">The latest 20 states are kept.</p>
        </PopoverContent>
      </Popover>
    </>
  );
}
