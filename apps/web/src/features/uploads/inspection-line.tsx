import { RotateCcw } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { jobStage } from './jobs/job-text.ts';
import { mayPass } from './jobs/passing-problems.ts';
import type { FileState } from './file-state.ts';
import { isOpenable } from './file-state.ts';
import { reportLine } from './report-text.ts';
import { StatusLine } from './status-line.tsx';
import { obstaclesOf } from './trio.ts';

interface InspectionLineProps {
  /** Absent while the server has not told of the file. */
  state: FileState | undefined;
  /** Absent where this user begins no work. */
  onInspect?: (() => void) | undefined;
  inspectDisabled: boolean;
}

/** What a file was found to be. */
export function InspectionLine({ state, onInspect, inspectDisabled }: InspectionLineProps) {
  if (state === undefined) return <StatusLine />;
  if (state.converting) {
    return <StatusLine job={state.converting}>Converting: {jobStage(state.converting)}</StatusLine>;
  }
  if (state.problem) {
    return (
      <StatusLine danger>
        {state.problem.message}
        {onInspect !== undefined && mayPass(state.problem) && (
          <Button
            variant="secondary"
            size="xs"
            className="ml-2"
            disabled={inspectDisabled}
            onClick={onInspect}
          >
            <RotateCcw aria-hidden />
            Inspect again
          </Button>
        )}
      </StatusLine>
    );
  }
  if (!state.report) {
    return (
      <StatusLine job={state.inspecting}>
        <span className="text-muted">Inspecting…</span>
      </StatusLine>
    );
  }
  const { report, dataset } = state;
  const warnings = report.kind === 'h5ad' ? report.warnings.length : 0;
  return (
    <StatusLine>
      {reportLine(report, { computed: isOpenable(dataset) })}
      {warnings > 0 && (
        <span className="text-warning">
          {' '}
          · {warnings} {warnings === 1 ? 'warning' : 'warnings'}
        </span>
      )}
      {obstaclesOf(report).map((obstacle) => (
        <span key={obstacle} className="text-warning">
          {' '}
          · {obstacle}
        </span>
      ))}
    </StatusLine>
  );
}
