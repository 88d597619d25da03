import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { counted, formatCount } from '@/lib/counted.ts';

/** The beginning of a list that may be long, and more of it on request. */
export function useShownPart<T>(all: readonly T[], { first, more }: { first: number; more: number }) {
  const [most, setMost] = useState(first);
  return {
    shown: all.slice(0, most),
    more:
      all.length > most ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Button variant="secondary" size="sm" onClick={() => setMost(most + more)}>
            Show {counted(Math.min(more, all.length - most), 'more file')}
          </Button>
          <span className="text-muted text-xs tabular-nums">
            The newest {formatCount(most)} of {formatCount(all.length)} are shown.
          </span>
        </div>
      ) : null,
  };
}
