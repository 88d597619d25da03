import { ChevronDown } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { cn } from '@/lib/cn.ts';

export function Accordion({ children }: { children: ReactNode }) {
  return (
    <div role="presentation" onKeyDown={moveBetweenTitles}>
      {children}
    </div>
  );
}

function moveBetweenTitles(event: KeyboardEvent<HTMLElement>) {
  const titles = [...event.currentTarget.querySelectorAll<HTMLElement>(':scope > * > h3 > button')];
  const at = titles.findIndex((title) => title === event.target);
  const to = new Map([
    ['ArrowDown', (at + 1) % titles.length],
    ['ArrowUp', at - 1],
    ['Home', 0],
    ['End', -1],
  ]).get(event.key);
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  titles.at(to)?.focus();
}

interface AccordionItemProps {
  title: ReactNode;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}

/**
 * Its content is measured by the browser alone: a script that reads the height of each item, as in Radix, would force
 * layout during rendering.
 */
export function AccordionItem({ title, open, onToggle, children }: AccordionItemProps) {
  const id = useId();
  const content = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(open);
  if (open && !shown) setShown(true);
  useEffect(() => {
    if (open || !shown) return;
    // The content stays until it is closed; reopened before, it stays. Without a browser nothing moves.
    const [closing] = content.current?.getAnimations?.() ?? [];
    if (closing === undefined) setShown(false);
    else
      closing.finished.then(
        () => setShown(false),
        () => {},
      );
  }, [open, shown]);
  return (
    <div className="border-b last:border-b-0">
      <h3>
        <button
          type="button"
          id={`${id}-title`}
          aria-expanded={open}
          aria-controls={id}
          onClick={onToggle}
          className="group hover:bg-surface-2 flex w-full items-center justify-between gap-2 rounded-md px-2 py-2.5 text-left text-sm font-medium transition-colors"
        >
          {title}
          <ChevronDown
            aria-hidden
            className="text-muted size-4 shrink-0 transition-transform duration-150 group-aria-expanded:rotate-180"
          />
        </button>
      </h3>
      <div
        ref={content}
        id={id}
        role="region"
        aria-labelledby={`${id}-title`}
        inert={!open}
        className={cn(
          'grid transition-[grid-template-rows] duration-160 ease-out',
          open ? 'grid-rows-[1fr]' : 'grid-rows-[0fr]',
        )}
      >
        <div className="min-h-0 overflow-hidden">{shown && <div className="px-1 pb-2">{children}</div>}</div>
      </div>
    </div>
  );
}
