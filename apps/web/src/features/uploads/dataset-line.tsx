import type { ProcessingRecord } from '@cellfolio/contract';
import { Button } from '@/components/ui/button.tsx';
import { jobStage } from './jobs/job-text.ts';
import { counted, formatCount } from '@/lib/counted.ts';
import type { FileState } from './file-state.ts';
import { waitsForReview } from './file-state.ts';
import { keptText } from './processing-facts.tsx';
import { StatusLine } from './status-line.tsx';

interface DatasetLineProps {
  /** Absent while the server has not told of the file. */
  state: FileState | undefined;
  onSettings: () => void;
}

/** How far the dataset of an AnnData file is. */
export function DatasetLine({ state, onSettings }: DatasetLineProps) {
  // A file that cannot be read has no dataset to speak of.
  if (state?.problem) return null;
  if (state === undefined) return <StatusLine />;
  const { dataset, building } = state;
  if (building !== null) {
    return <StatusLine job={building}>Making its dataset: {jobStage(building)}</StatusLine>;
  }
  switch (dataset?.state) {
    case undefined:
      if (waitsForValues(state)) {
        return (
          <StatusLine>
            <span className="text-warning">Needs an answer: what do its values hold?</span>
            <Button variant="secondary" size="xs" className="ml-2" onClick={onSettings}>
              Answer
            </Button>
          </StatusLine>
        );
      }
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

/** The file does not show what its values are, so nothing is made of it until its owner says so. */
function waitsForValues({ report }: FileState): boolean {
  return report?.kind === 'h5ad' && report.waitsFor.includes('expression');
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
    return `Dataset ready · ${cellsText(processed)}${made}`;
  }
  const size =
    cells === null || genes === null ? '' : ` · ${counted(cells, 'cell')} × ${counted(genes, 'gene')}`;
  return `Dataset ready${size}`;
}

/** '9,871 of 10,000 cells kept'; of a raw matrix '1,395 cells called of 21,474 barcodes, 1,395 kept'. */
function cellsText(processed: ProcessingRecord): string {
  const { droplets, cellsKept } = processed;
  if (droplets === undefined || droplets.keep === 'all') return `${keptText(processed)} cells kept`;
  const how = droplets.keep === 'called' ? 'called' : 'taken';
  return `${counted(droplets.cells, 'cell')} ${how} of ${counted(droplets.barcodes, 'barcode')}, ${formatCount(cellsKept)} kept`;
}
