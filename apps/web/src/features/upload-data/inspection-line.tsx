import { jobStage } from '@/features/jobs/job-text.ts';
import type { FileState } from './file-state.ts';
import { reportLine } from './report-text.ts';
import { StatusLine } from './status-line.tsx';

interface InspectionLineProps {
  /** Absent while the server has not told of the file. */
  state: FileState | undefined;
  /** The server has answered at all. */
  known: boolean;
}

/** What a file was found to be. */
export function InspectionLine({ state, known }: InspectionLineProps) {
  if (!known) return <StatusLine> </StatusLine>;
  if (state?.converting) {
    return <StatusLine job={state.converting}>Converting: {jobStage(state.converting)}</StatusLine>;
  }
  if (state?.problem) return <StatusLine danger>{state.problem.message}</StatusLine>;
  if (!state?.report) {
    return (
      <StatusLine job={state?.inspecting ?? null}>
        <span className="text-muted">Inspecting…</span>
      </StatusLine>
    );
  }
  const { report, dataset } = state;
  const warnings = report.kind === 'h5ad' ? report.warnings.length : 0;
  return (
    <StatusLine>
      {reportLine(report, { computed: dataset?.state === 'ready' })}
      {warnings > 0 && (
        <span className="text-warning">
          {' '}
          · {warnings} {warnings === 1 ? 'warning' : 'warnings'}
        </span>
      )}
    </StatusLine>
  );
}
