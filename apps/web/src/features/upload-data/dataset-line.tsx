import type { ProcessingRecord } from '@cellfolio/contract';
import { jobStage } from '@/features/jobs/job-text.ts';
import { counted } from '@/lib/counted.ts';
import type { FileState } from './file-state.ts';
import { waitsForReview } from './file-state.ts';
import { keptText } from './processing-facts.tsx';
import { StatusLine } from './status-line.tsx';

/** How far the dataset of an AnnData file is. */
export function DatasetLine({ state }: { state: FileState | undefined }) {
  // A file that cannot be read has no dataset to speak of.
  if (state?.problem) return null;
  if (state === undefined) return <StatusLine />;
  const { dataset, building } = state;
  if (building !== null) {
    return <StatusLine job={building}>Making its dataset: {jobStage(building)}</StatusLine>;
  }
  switch (dataset?.state) {
    case undefined:
      return (
        <StatusLine>
          <span className="text-muted">
            {state.report === null
              ? 'Its dataset is made after the inspection.'
              : waitsForReview(state)
                ? 'Waits for you: review which cells would be removed, then build its dataset.'
                : 'No dataset was made of it yet.'}
          </span>
        </StatusLine>
      );
    case 'queued':
    case 'building':
      return <StatusLine>Its dataset waits to be made.</StatusLine>;
    case 'failed':
      return (
        <StatusLine danger>
          No dataset could be made: {dataset.problem?.message ?? 'the reason is in the log of the job below.'}
        </StatusLine>
      );
    case 'ready':
      return (
        <StatusLine>
          {readyText(dataset)}
          {dataset.problem !== null && (
            <span className="text-warning"> · It is the one from before: {dataset.problem.message}</span>
          )}
        </StatusLine>
      );
  }
}

function readyText({
  cells,
  genes,
  processed,
}: {
  cells: number | null;
  genes: number | null;
  processed: ProcessingRecord | null;
}): string {
  if (processed !== null) {
    const parts = [
      ...(processed.computed.includes('clusters') ? [counted(processed.clusterCount, 'cluster')] : []),
      ...(processed.computed.includes('embedding') ? ['UMAP'] : []),
    ];
    const made = parts.length === 0 ? '' : ` · ${parts.join(' and ')} computed`;
    return `Dataset ready · ${keptText(processed)} cells kept${made}`;
  }
  const size =
    cells === null || genes === null ? '' : ` · ${counted(cells, 'cell')} × ${counted(genes, 'gene')}`;
  return `Dataset ready${size}`;
}
