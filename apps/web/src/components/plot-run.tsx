import type { ReactNode } from 'react';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';
import { failureNotice, refusalOf } from '@/lib/call-failure.ts';
import { nameList } from '@/lib/format.ts';
import type { CancellableCall } from '@/lib/use-cancellable-call.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';
import { CallFailureAlert } from './call-failure.tsx';

interface PlotRunOptions<Request, Answer> {
  call: CancellableCall<Request, Answer>;
  /** Whether the form is complete. */
  complete: boolean;
  /** The active cells are changing, so nothing can be drawn. */
  busy: boolean;
  /** The notice of a failure, such as 'Failed to score signature. Please try again.' */
  failed: string;
  /** The title of a notice that says why it was refused; absent where `failed` is said of every failure. */
  refused?: string;
}

interface Wanted {
  /** Names whose images already exist: they are shown instead. */
  done: readonly string[];
  /** Names whose images must be drawn. */
  fresh: readonly string[];
  /** Shows the existing images. */
  onExisting: () => void;
}

/** The public state of a run. */
export interface PlotRun {
  /** A run is not possible now. */
  disabled: boolean;
  call: { isPending: boolean; error: Error | null };
}

/** Drawing figures from a panel: preconditions, notices, the duplicate guard, and the outcome of the last run. */
export function usePlotRun<Request, Answer, Outcome>({
  call,
  complete,
  busy,
  failed,
  refused,
}: PlotRunOptions<Request, Answer>) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  return {
    call,
    /** A run is not possible now. */
    disabled: !complete || call.isPending || busy,
    /** The outcome of the last run; `null` before the first and during a run. */
    outcome,
    setOutcome,
    /** Shows a notice of existing images. @returns whether any image must be drawn */
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
    /** Draws the figures. `onRefused` is called after the notice of a failure, but not for a cancelled run. */
    draw: (
      request: Request,
      onDrawn: (answer: Answer) => void,
      onRefused: (error: Error) => void = () => {},
    ) => {
      setOutcome(null);
      call.mutate(request, {
        onSuccess: (answer) => {
          toast.dismiss(failed);
          onDrawn(answer);
        },
        onError: (error) => {
          if (isCancelled(error)) return;
          const refusal = refused === undefined ? undefined : refusalOf(error);
          const [title, description] =
            refused === undefined || refusal === undefined
              ? ['Error', failureNotice(error, failed)]
              : [refused, refusal];
          toast.error(title, { id: failed, description });
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
  /** What was kept after a failure. */
  kept: string;
  onRun: () => void;
  onReload: () => Promise<boolean>;
  /** Why the button is disabled, if not obvious. */
  problem?: { id: string; text: string } | undefined;
  /** The outcome of the last run. */
  children?: ReactNode;
}

/** The foot of a drawing panel: its button, the error, and the outcome of the last run. */
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
