import type { FilterPreview } from '@cellfolio/contract';
import { CautionList } from '@/components/caution-list.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { cn } from '@/lib/cn.ts';
import { counted, formatCount } from '@/lib/format.ts';
import type { FilterConfig, FilterType } from './filter-config.ts';
import { FilterHistogram } from './filter-histogram.tsx';
import { shareText } from './preview-text.ts';
import { partProblem } from './subset-problem.ts';
import type { Preview } from './use-filter-preview.ts';

const partOf = {
  gene: 'gene',
  signature: 'signature',
  celltype: 'cell_type',
  metadata: 'patient_metadata',
} as const satisfies Record<FilterType, keyof FilterPreview['filter_counts']>;

interface PartEffectProps {
  type: FilterType;
  config: FilterConfig;
  preview: Preview | null;
}

/** What one filter of the form would keep by itself. */
export function PartEffect({ type, config, preview }: PartEffectProps) {
  const answer = preview?.answer;
  if (answer === undefined || partProblem(type, config) !== undefined) return null;
  const part = partOf[type];
  const kept = answer.filter_counts[part];
  if (kept === undefined) return null;
  const ofValues = part === 'gene' || part === 'signature' ? part : undefined;
  const histogram = ofValues && answer.histograms[ofValues];
  const { counted: filter, counting } = preview ?? {};
  return (
    <div
      aria-busy={counting}
      className={cn(
        'mt-2.5 flex flex-col gap-1.5 border-t pt-2.5',
        counting && 'text-muted [&_svg]:opacity-50',
      )}
    >
      {histogram !== undefined && (
        <FilterHistogram
          label={
            part === 'gene'
              ? `Expression of ${String(filter?.gene?.name)} in all cells`
              : `${filter?.signature?.score_name ?? 'Score'} in all cells`
          }
          histogram={histogram}
          thresholds={ofValues && answer.thresholds?.[ofValues]}
          datasetCells={answer.dataset_cells}
        />
      )}
      <p className="text-xs tabular-nums">
        {`Keeps ${formatCount(kept)} of ${counted(answer.dataset_cells, 'cell')} (${shareText(kept, answer.dataset_cells)}) by itself.`}
      </p>
    </div>
  );
}

/** What all filters of the form would keep together, before anything is applied. */
export function WholeEffect({ config, preview }: Omit<PartEffectProps, 'type'>) {
  if (preview === null) return null;
  const { answer, counting, error, retry } = preview;
  const open = config.activeFilterTypes.filter((type) => partProblem(type, config) !== undefined).length;
  if (error !== null) {
    return (
      <p role="status" className="text-danger text-xs wrap-anywhere">
        {error.message}{' '}
        <Button variant="link" size="inline" className="text-xs" onClick={retry}>
          Try again
        </Button>
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="flex items-center gap-1.5 text-[13px] tabular-nums">
        {counting && <Spinner className="size-3.5 shrink-0" />}
        {counting || answer === undefined ? 'Counting cells...' : wholeText(answer)}
      </p>
      {open > 0 && (
        <p className="text-muted text-xs">
          {`${open === 1 ? 'One filter is' : `${open} filters are`} not filled in and not counted.`}
        </p>
      )}
      {answer !== undefined && <CautionList cautions={answer.warnings} />}
    </div>
  );
}

function wholeText({ cell_count: cells, dataset_cells: all, unlabelled_cells: unlabelled }: FilterPreview) {
  if (cells === 0) return `No cell of ${formatCount(all)} passes: such a subset cannot be applied.`;
  const without = unlabelled > 0 ? `, ${formatCount(unlabelled)} without a cell type` : '';
  return `The subset would have ${formatCount(cells)} of ${counted(all, 'cell')}${without}.`;
}
