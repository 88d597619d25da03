import { useCallback, useRef, useState } from 'react';
import { useBeforeUnload, useBlocker, useNavigation } from 'react-router';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import type { AnalysisRuns } from '@/features/analyses/index.ts';
import type { LibraryImage } from '@/features/images/index.ts';
import { maxGenerated } from '@/features/images/index.ts';
import { plural, pluralWord } from '@/lib/format.ts';

interface LeaveExplorationDialogProps {
  images: readonly LibraryImage[];
  results: Pick<AnalysisRuns, 'analyses' | 'unkept' | 'place'>;
  guard: LeaveGuard;
}

export function LeaveExplorationDialog({ images, results, guard }: LeaveExplorationDialogProps) {
  return (
    <Dialog open={guard.asking} onOpenChange={(open) => !open && guard.stay()}>
      <DialogContent>
        <DialogTitle>Leave Exploration</DialogTitle>
        <DialogDescription>{leaveText(images, results)}</DialogDescription>
        <div className="flex justify-end gap-2">
          {/* First, so that it has the focus and takes Enter. */}
          <Button onClick={guard.stay}>Stay on Page</Button>
          <Button variant="secondary" onClick={guard.leave}>
            Leave Page
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  );
}

function leaveText(images: readonly LibraryImage[], results: LeaveExplorationDialogProps['results']): string {
  const lostResults = titlesOf(results.unkept);
  const keptResults = titlesOf(results.analyses.filter((analysis) => !results.unkept.includes(analysis)));
  const stored = images.filter(({ saveState }) => saveState === 'yes');
  const unstored = images.filter(({ saveState }) => saveState !== 'yes');
  const lost = [
    unstored.length === 0 ? '' : imagesText(unstored),
    lostResults === '' ? '' : `the results of ${lostResults}`,
  ].filter((part) => part !== '');
  const library =
    stored.length === 0
      ? ''
      : `${imagesText(stored)} in the Image Library ${pluralWord(stored.length, 'is', 'are')} stored and will be here when you come back; the library keeps your newest ${maxGenerated}. `;
  const loss = lost.length === 0 ? '' : `Not stored, and lost when you leave: ${lost.join(', and ')}. `;
  const again =
    keptResults === ''
      ? ''
      : `The results of ${keptResults} are listed under Run Analysis ${results.place}, and recomputed when you open them. `;
  return `${library}${again}${loss}Please download ${lost.length === 0 ? 'what you want to keep for longer' : 'what you want to keep'} before you leave.`;
}

function imagesText(images: readonly LibraryImage[]): string {
  const violins = images.filter(({ plotKind }) => plotKind === 'violin').length;
  const umaps = images.length - violins;
  const parts = [
    umaps > 0 ? plural(umaps, 'UMAP image') : '',
    violins > 0 ? plural(violins, 'violin plot') : '',
  ];
  return parts.filter((part) => part !== '').join(' and ');
}

function titlesOf(analyses: AnalysisRuns['analyses']): string {
  return Array.from(new Set(analyses.map(({ module }) => module.title))).join(' and ');
}

export interface LeaveGuard {
  asking: boolean;
  /** Whether a navigation is held or pending: another one, such as writing the view to the URL, would cancel it. */
  leaving: boolean;
  /** `leaving` at this moment, since rendering lags behind a requested navigation. */
  isLeaving: () => boolean;
  stay: () => void;
  leave: () => void;
  beforeLeaving: (leave: () => void) => void;
}

interface LeaveGuarded {
  navigating: boolean;
  closing: boolean;
}

/**
 * Blocks navigation to another path while something would be lost. The end of a session unmounts the page with this
 * guard, so it is not blocked. On closing or reloading the tab the browser asks, with its own text.
 */
export function useLeaveGuard({ navigating, closing }: LeaveGuarded): LeaveGuard {
  const leaveRequested = useRef(false);
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const goes = currentLocation.pathname !== nextLocation.pathname;
    if (goes) leaveRequested.current = true;
    return navigating && goes;
  });
  const { state: step } = useNavigation();
  const [held, setHeld] = useState<{ leave: () => void } | null>(null);
  useBeforeUnload(
    useCallback(
      (event: BeforeUnloadEvent) => {
        if (closing) event.preventDefault();
      },
      [closing],
    ),
  );
  return {
    asking: held !== null || blocker.state === 'blocked',
    leaving: held !== null || blocker.state !== 'unblocked' || step !== 'idle',
    isLeaving: () => leaveRequested.current,
    stay: () => {
      leaveRequested.current = false;
      setHeld(null);
      blocker.reset?.();
    },
    leave: () => {
      setHeld(null);
      if (held === null) blocker.proceed?.();
      else held.leave();
    },
    beforeLeaving: (leave) => {
      if (navigating) setHeld({ leave });
      else leave();
    },
  };
}
