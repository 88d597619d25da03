import type { GenesIn, ProcessingRecord } from '@cellfolio/contract';
import { RotateCcw } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { formatCount, plural, pluralWord } from '@/lib/format.ts';
import { isOpenable, waitsForReview, warningsOf } from './file-state.ts';
import type { FileState } from './file-state.ts';
import { StatusLine } from './jobs/job-progress.tsx';
import { jobStage } from './jobs/job-text.ts';
import { mayPass } from './jobs/start-again.ts';
import { keptText } from './reports/processing-facts.tsx';
import { reportLine } from './reports/report-text.ts';
import { obstaclesOf } from './trio.ts';

interface InspectionLineProps {
  state: FileState | undefined;
  onInspect?: (() => void) | undefined;
  inspectDisabled: boolean;
}

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
  const warnings = warningsOf(report, dataset).length;
  return (
    <StatusLine>
      {reportLine(report, { computed: isOpenable(dataset) })}
      {warnings > 0 && (
        <span className="text-warning">
          {' '}
          · {warnings} {pluralWord(warnings, 'warning')}
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

interface DatasetLineProps {
  state: FileState | undefined;
  isSample: boolean;
  onSettings: () => void;
  onGenesIn: ((side: GenesIn) => void) | undefined;
  disabled: boolean;
}

export function DatasetLine({ state, isSample, onSettings, onGenesIn, disabled }: DatasetLineProps) {
  // An unreadable file has no dataset.
  if (state?.problem) return null;
  if (state === undefined) return <StatusLine />;
  const { dataset, building } = state;
  if (building !== null) {
    return <StatusLine job={building}>Building its dataset: {jobStage(building)}</StatusLine>;
  }
  switch (dataset?.state) {
    case undefined:
      if (waitsFor(state, 'genesIn')) {
        return <GenesQuestion job={state.inspecting} onAnswer={onGenesIn} disabled={disabled} />;
      }
      if (waitsFor(state, 'expression')) {
        return (
          <StatusLine>
            <span className="text-warning">Question: what are its values?</span>
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
              ? 'Its dataset is built after the inspection.'
              : waitsForReview(state)
                ? isSample
                  ? 'Combined into another file as a sample. To build a dataset of it alone, review it first.'
                  : 'Waiting for you: review the cells to remove, then build the dataset.'
                : 'No dataset built yet.'}
          </span>
        </StatusLine>
      );
    case 'queued':
    case 'building':
      return <StatusLine>Its dataset is queued.</StatusLine>;
    case 'failed':
      return (
        <StatusLine danger>
          The dataset could not be built: {dataset.problem?.message ?? 'see the log of its job below.'}
        </StatusLine>
      );
    case 'ready':
      return (
        <StatusLine>
          {readyText(dataset)}
          {dataset.problem !== null && (
            <span className="text-warning">
              {' '}
              · The new version could not be built: {dataset.problem.message}
            </span>
          )}
        </StatusLine>
      );
  }
}

/** The file does not show this, so nothing is built until its owner answers. */
function waitsFor({ report }: FileState, what: 'genesIn' | 'expression'): boolean {
  return report?.kind === 'h5ad' && report.waitsFor.includes(what);
}

interface GenesQuestionProps {
  job: FileState['inspecting'];
  onAnswer: ((side: GenesIn) => void) | undefined;
  disabled: boolean;
}

/** For a table whose names do not show which of its sides lists the genes. */
function GenesQuestion({ job, onAnswer, disabled }: GenesQuestionProps) {
  if (job !== null) {
    return (
      <StatusLine job={job}>
        <span className="text-muted">Inspecting…</span>
      </StatusLine>
    );
  }
  return (
    <StatusLine>
      <span className="text-warning">Question: where are the genes of this table?</span>
      {onAnswer !== undefined &&
        (['rows', 'columns'] as const).map((side) => (
          <Button
            key={side}
            variant="secondary"
            size="xs"
            className="ml-2"
            disabled={disabled}
            onClick={() => onAnswer(side)}
          >
            In {side}
          </Button>
        ))}
    </StatusLine>
  );
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
      ...(processed.computed.includes('clusters') ? [plural(processed.clusterCount, 'cluster')] : []),
      ...(processed.computed.includes('embedding') ? ['UMAP'] : []),
    ];
    const computedText = parts.length === 0 ? '' : ` · ${parts.join(' and ')} computed`;
    return `Dataset ready · ${cellsText(processed)}${computedText}`;
  }
  const size =
    cells === null || genes === null ? '' : ` · ${plural(cells, 'cell')} × ${plural(genes, 'gene')}`;
  return `Dataset ready${size}`;
}

/** '9,871 of 10,000 cells kept'; for a raw matrix '1,395 cells called of 21,474 barcodes, 1,395 kept'. */
function cellsText(processed: ProcessingRecord): string {
  const { droplets, cellsKept } = processed;
  if (droplets === undefined || droplets.keep === 'all') return `${keptText(processed)} cells kept`;
  const how = droplets.keep === 'called' ? 'called' : 'taken';
  return `${plural(droplets.cells, 'cell')} ${how} of ${plural(droplets.barcodes, 'barcode')}, ${formatCount(cellsKept)} kept`;
}
