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
  complete: boolean;
  busy: boolean;
  failed: string;
  /** Title of the notice that explains a refusal; default: `failed` for every failure. */
  refused?: string;
}

interface GuardOptions {
  done: readonly string[];
  fresh: readonly string[];
  /** Shows the existing images; returns where those are that the viewer has no room for, empty for none. */
  onExisting: () => string;
}

export interface PlotRun {
  disabled: boolean;
  call: { isPending: boolean; error: Error | null };
}

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
    disabled: !complete || call.isPending || busy,
    /** The outcome of the last run; `null` before the first and during a run. */
    outcome,
    setOutcome,
    /** Shows a notice of existing images; returns whether any image must be drawn. */
    guard: ({ done, fresh, onExisting }: GuardOptions): boolean => {
      if (fresh.length > 0) {
        if (done.length > 0) {
          toast.info('Images Already Generated', {
            description: `${nameList(done)}: only ${nameList(fresh)} will be generated.`,
          });
        }
        return true;
      }
      call.reset();
      sayExisting(done, onExisting());
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

/** `place`: where those are that the viewer has no room for, empty for none. */
export function sayExisting(names: readonly string[], place: string): void {
  toast.info('Images Already Generated', {
    description: place === '' ? `${nameList(names)}: shown in the viewer.` : `${nameList(names)}. ${place}`,
  });
}

interface PlotRunControlsProps {
  run: PlotRun;
  label: string;
  working: string;
  keptNote: string;
  onRun: () => void;
  onReload: () => Promise<boolean>;
  /** Why the button is disabled, if not obvious. */
  problem?: { id: string; text: string } | undefined;
  children?: ReactNode;
}

export function PlotRunControls({
  run,
  label,
  working,
  keptNote,
  onRun,
  onReload,
  problem,
  children,
}: PlotRunControlsProps) {
  const { isPending } = run.call;
  return (
    <>
      <Button
        onClick={() => {
          if (!run.disabled) onRun();
        }}
        // A control that is disabled while it works would leave the keyboard focus to the page.
        disabled={run.disabled && !isPending}
        aria-disabled={isPending}
        aria-describedby={problem?.id}
        className="w-full"
      >
        {isPending ? (
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
      <CallFailureAlert error={run.call.error} keptNote={keptNote} onRetry={onRun} onReload={onReload} />
      {children}
    </>
  );
}
