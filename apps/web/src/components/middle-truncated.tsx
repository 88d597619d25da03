import { cn } from '@/lib/cn.ts';

interface MiddleTruncatedProps {
  text: string;
  /** Default: the whole text. */
  title?: string | undefined;
  /** Characters kept at the end, so that names that differ in their last word stay distinct. */
  endLength?: number;
  className?: string | undefined;
}

/** A last word of up to two characters more than `endLength` is kept whole: `…umours` reads as a mistake. */
function wholeWord(characters: readonly string[], endLength: number): number {
  const last = characters.length - 1 - characters.findLastIndex((character) => /\s/.test(character));
  return last > endLength && last <= endLength + 2 ? last : endLength;
}

/** Text on one line, truncated in the middle; its tooltip is the whole text, or `title`. */
export function MiddleTruncated({ text, title = text, endLength = 6, className }: MiddleTruncatedProps) {
  // By characters, so that no surrogate pair is split.
  const characters = Array.from(text);
  const end = -wholeWord(characters, endLength);
  if (characters.length <= -2 * end) {
    return (
      <span title={title} className={cn('min-w-0 truncate', className)}>
        {text}
      </span>
    );
  }
  return (
    <span title={title} className={cn('relative inline-flex min-w-0 overflow-hidden', className)}>
      {/* The whole text is in the page once, for screen readers and for copying. */}
      <span className="sr-only">{text}</span>
      <span
        aria-hidden
        data-start={characters.slice(0, end).join('')}
        data-end={characters.slice(end).join('')}
        className="flex min-w-0 whitespace-pre before:truncate before:whitespace-pre before:content-[attr(data-start)] after:shrink-0 after:content-[attr(data-end)]"
      />
    </span>
  );
}
