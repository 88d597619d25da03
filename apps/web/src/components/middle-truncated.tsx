import { cn } from '@/lib/cn.ts';

interface MiddleTruncatedProps {
  text: string;
  /** So many letters at its end stay: names that differ in their last word are told apart. */
  kept?: number;
  className?: string | undefined;
}

/** Text on one line that loses its middle where there is no room, and has all of it as its title. */
export function MiddleTruncated({ text, kept = 6, className }: MiddleTruncatedProps) {
  // By characters, so that no pair of code units is parted.
  const characters = Array.from(text);
  if (characters.length <= 2 * kept) {
    return (
      <span title={text} className={cn('min-w-0 truncate', className)}>
        {text}
      </span>
    );
  }
  return (
    <span title={text} className={cn('relative inline-flex min-w-0 overflow-hidden', className)}>
      {/* The text is in the page once and whole, for readers of the screen and for whoever copies it. */}
      <span className="sr-only">{text}</span>
      <span
        aria-hidden
        data-start={characters.slice(0, -kept).join('')}
        data-end={characters.slice(-kept).join('')}
        className="flex min-w-0 whitespace-pre before:truncate before:whitespace-pre before:content-[attr(data-start)] after:shrink-0 after:content-[attr(data-end)]"
      />
    </span>
  );
}
