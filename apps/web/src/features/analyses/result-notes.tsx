import { ChevronDown, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { cn } from '@/lib/cn.ts';
import type { AnalysisResult } from './analysis-module.ts';
import { readResult } from './analysis-module.ts';

/** Notes that are read whole at once; of more, each is cut to one line until all are asked for. */
const readWhole = 1;
/** Characters that fit on about one line of the dialog. */
const oneLine = 110;

/** What limits the result, the gravest first: a line of each, and all of it on request. */
export function ResultNotes({ result }: { result: AnalysisResult }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const notes = [...new Set(readResult(result).cautions)];
  if (notes.length === 0) return null;
  const isLong = notes.length > readWhole || notes.some((note) => note.length > oneLine);
  return (
    <Alert variant="warning" role="note" aria-label="Cautions" className="text-foreground shrink-0">
      <TriangleAlert aria-hidden className="text-warning" />
      <ul
        id={id}
        className={cn(
          'flex min-w-0 flex-1 flex-col gap-0.5',
          isOpen && 'max-h-[38dvh] gap-1.5 overflow-y-auto',
        )}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region has to be reachable by keyboard
        tabIndex={isOpen ? 0 : undefined}
      >
        {notes.map((note) => (
          <li key={note} className={isOpen || !isLong ? 'wrap-anywhere' : 'truncate'}>
            {note}
          </li>
        ))}
      </ul>
      {isLong && (
        <Button
          variant="ghost"
          size="xs"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Less' : notes.length === 1 ? 'Read it' : `Read all ${notes.length}`}
          <ChevronDown aria-hidden className={cn('size-3.5', isOpen && 'rotate-180')} />
        </Button>
      )}
    </Alert>
  );
}
