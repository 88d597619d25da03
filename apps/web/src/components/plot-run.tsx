import type { ReactNode } from 'react';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';
import { failureNotice } from '@/lib/call-failure.ts';
import { nameList } from '@/lib/format.ts';
import type { CancellableCall } from '@/lib/use-cancellable-call.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';
import { CallFailureAlert } from './call-failure.tsx';

interface PlotRunOptions<Request, Answer> {
  call: CancellableCall<Request, Answer>;
  /** Whether the form has all that a run needs. */
  complete: boolean;
  /** Nothing is drawn while the cells to draw are being chosen. */
  busy: boolean;
  /** The notice of a failure, such as 'Failed to score signature. Please try again.' */
  failed: string;
}

interface Wanted {
  /** Whose images exist already: they are shown instead. */
  done: readonly string[];
  /** Whose images are to be drawn. */
  fresh: readonly string[];
  /** Brings what exists into view. */
  onExisting: () => void;
}

/** What a run looks like from outside. */
export interface PlotRun {
  /** A run is not possible now. */
  disabled: boolean;
  call: { isPending: boolean; error: Error | null };
}

/** How a panel has figures drawn: when it may, the notices, the duplicate guard, and what the last run came to. */
export function usePlotRun<Request, Answer, Outcome>({
  call,
  complete,
  busy,
  failed,
}: PlotRunOptions<Request, Answer>) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  return {
    call,
    /** A run is not possible now. */
    disabled: !complete || call.isPending || busy,
    /** What the last run came to; `null` before it, and while one is going on. */
    outcome,
    setOutcome,
    /** Names what exists already, and says whether anything is left to draw. */
    guard: ({ done, fresh, onExisting }: Wanted): boolean => {
      if (done.length > 0) {
        toast.info('Images Already Generated', {
          description:
            fresh.length === 0
              ? `${nameList(done)}: shown in the viewer.`
              : `${nameList(done)}: only ${nameList(fresh)} will be generated.`,
        });
      }
      if (fresh.length > 0) return true;
      call.reset();
      onExisting();
      return false;
    },
    /** Has the figures drawn. `onRefused` hears of a failure that was not wished for, after its notice. */
    draw: (
      request: Request,
      onDrawn: (answer: Answer) => void,
      onRefused: (error: Error) => void = () => {},
    ) => {
      setOutcome(null);
      call.mutate(request, {
        onSuccess: onDrawn,
        onError: (error) => {
          if (isCancelled(error)) return;
          toast.error('Error', { description: failureNotice(error, failed) });
          onRefused(error);
        },
      });
    },
  };
}

interface PlotRunControlsProps {
  run: PlotRun;
  /** On the button, such as 'Score Signature (3)'. */
  label: string;
  /** On the button while it runs, such as 'Scoring...'. */
  working: string;
  /** Says what the user still has after a failure. */
  kept: string;
  onRun: () => void;
  onReload: () => Promise<boolean>;
  /** Why the button is disabled, where that is not plain. */
  problem?: { id: string; text: string } | undefined;
  /** What the last run came to. */
  children?: ReactNode;
}

/** The lower end of a panel that draws: its button, what went wrong, and what came of the last run. */
export function PlotRunControls({
  run,
  label,
  working,
  kept,
  onRun,
  onReload,
  problem,
  children,
}: PlotRunControlsProps) {
  return (
    <>
      <Button onClick={onRun} disabled={run.disabled} aria-describedby={problem?.id} className="w-full">
        {run.call.isPending ? (
          <>
            <Spinner />
            {working}
          </>
        ) : (
          label
        )}
      </Button>
      {problem !== undefined && (
        <p id={problem.id} role="status" className="text-danger text-xs">
          {problem.text}
        </p>
      )}
      <CallFailureAlert error={run.call.error} kept={kept} onRetry={onRun} onReload={onReload} />
      {children}
    </>
  );
}
