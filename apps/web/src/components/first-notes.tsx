import { warningsShown } from '@cellfolio/contract';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { cn } from '@/lib/cn.ts';
import { Button } from './ui/button.tsx';

interface FirstNotesProps {
  /** The gravest first. */
  notes: readonly string[];
  className?: string;
}

/** A list of warnings: the first two at once, the others behind a button. */
export function FirstNotes({ notes, className }: FirstNotesProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const more = notes.length - warningsShown;
  return (
    <div className={cn('min-w-0', className)}>
      <ul id={id} className="flex list-disc flex-col gap-1 pl-4 wrap-anywhere">
        {(isOpen ? notes : notes.slice(0, warningsShown)).map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      {more > 0 && (
        <Button
          variant="ghost"
          size="xs"
          className="mt-1"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Fewer' : `${more} more`}
          <ChevronDown aria-hidden className={cn('size-3.5', isOpen && 'rotate-180')} />
        </Button>
      )}
    </div>
  );
}
