import { BookOpenText } from 'lucide-react';
import { FigureReading } from '@/components/figure-reading.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import type { FigureWords } from '@/lib/figure-words.ts';

/** Opens the figure's description. Has a `title`, since a tooltip would reopen when focus returns. */
export function ReadingButton({ words, name }: { words: FigureWords; name: string }) {
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button variant="ghost" size="icon-sm" aria-label={`Describe ${name}`} title="Describe the figure">
          <BookOpenText aria-hidden />
        </Button>
      </PopoverTrigger>
      <PopoverContent
        align="end"
        aria-label={`Description of ${name}`}
        // What is selected here does not move the card.
        onMouseDown={(event) => event.stopPropagation()}
        onTouchStart={(event) => event.stopPropagation()}
        className="max-h-(--radix-popover-content-available-height) w-[min(26rem,calc(100vw-2rem))] overflow-y-auto p-3"
      >
        <FigureReading words={words} className="flex-col items-stretch gap-2 [&>button]:self-end" />
      </PopoverContent>
    </Popover>
  );
}
