import type { FigureWords } from '@/lib/figure-words.ts';
import { figureLegend } from '@/lib/figure-words.ts';
import { cn } from '@/lib/cn.ts';
import { CopyButton } from './copy-button.tsx';
import { FirstNotes } from './first-notes.tsx';

interface FigureReadingProps {
  words: FigureWords;
  /** False when cautions are shown next to it; a copied legend always has them. */
  withCautions?: boolean;
  className?: string;
}

export function FigureReading({ words, withCautions = true, className }: FigureReadingProps) {
  return (
    <div className={cn('flex items-start justify-between gap-3 text-[13px] leading-5', className)}>
      <div className="max-w-4xl min-w-0 flex-1 wrap-anywhere select-text">
        <p>{words.reading}</p>
        {withCautions && words.cautions.length > 0 && (
          <FirstNotes notes={words.cautions} className="text-muted mt-1" />
        )}
      </div>
      <CopyButton variant="ghost" label="Copy description" text={() => figureLegend(words)} />
    </div>
  );
}
