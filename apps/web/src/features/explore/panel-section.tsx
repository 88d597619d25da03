import type { ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '@/components/ui/collapsible.tsx';
import { readStored, writeStored } from '@/lib/stored-value.ts';

interface PanelSectionProps {
  title: string;
  /** Initial state before the user first toggles it. */
  defaultOpen?: boolean;
  revealed?: number;
  children: ReactNode;
}

const local = () => localStorage;

/**
 * A collapsible panel of the left column that remembers whether it is open. Its content stays mounted while closed: a
 * run continues, and input stays.
 */
export function PanelSection({ title, defaultOpen = false, revealed = 0, children }: PanelSectionProps) {
  const key = `cellfolio:panel:${title}`;
  const [open, setOpen] = useState(() => {
    const stored = readStored(local, key);
    return stored === null ? defaultOpen : stored === 'open';
  });
  const [shown, setShown] = useState(revealed);
  if (shown !== revealed) {
    setShown(revealed);
    setOpen(true);
  }
  // A panel that was never opened renders no content.
  const [wasOpen, setWasOpen] = useState(open);
  if (open && !wasOpen) setWasOpen(true);
  const section = useRef<HTMLDivElement>(null);
  const before = useRef({ open, revealed });
  useEffect(() => {
    const isShown = open && (!before.current.open || before.current.revealed !== revealed);
    before.current = { open, revealed };
    // One that is opened at the lower end of the column would lie below it.
    if (isShown) section.current?.scrollIntoView({ block: 'nearest' });
  }, [open, revealed]);
  return (
    <Collapsible
      ref={section}
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        writeStored(local, key, next ? 'open' : 'closed');
      }}
      className="border-t first:border-t-0"
    >
      <h3>
        <CollapsibleTrigger className="rounded-none px-4 py-2 -outline-offset-2">{title}</CollapsibleTrigger>
      </h3>
      {/* Hidden by the attribute: no animation of the height, which would cut off an open list of suggestions. */}
      <CollapsibleContent forceMount hidden={!open} className="animate-none! overflow-visible">
        <div className="px-4 pt-1 pb-4">
          {wasOpen && <ErrorBoundary region={title}>{children}</ErrorBoundary>}
        </div>
      </CollapsibleContent>
    </Collapsible>
  );
}
