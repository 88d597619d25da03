import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from './ui/spinner.tsx';
import { PlotFailureAlert } from './call-failure-alert.tsx';
import type { PlotRun } from './use-plot-run.ts';

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
      <PlotFailureAlert error={run.call.error} kept={kept} onRetry={onRun} onReload={onReload} />
      {children}
    </>
  );
}
