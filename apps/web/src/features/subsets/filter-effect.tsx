import type { FilterPreview, ValueHistogram } from '@cellfolio/contract';
import { CautionList } from '@/components/caution-list.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { cn } from '@/lib/cn.ts';
import { formatCount, percent, plural } from '@/lib/format.ts';
import type { FilterConfig, FilterType } from './filter-config.ts';
import { partProblem } from './filter-payload.ts';
import type { Preview } from './use-filter-preview.ts';

const partOf = {
  gene: 'gene',
  signature: 'signature',
  celltype: 'cell_type',
  metadata: 'patient_metadata',
  cells: 'cells',
} as const satisfies Record<FilterType, keyof FilterPreview['filter_counts']>;

interface PartEffectProps {
  type: FilterType;
  config: FilterConfig;
  preview: Preview | null;
}

/**
 * Shows what one filter of the form would keep by itself. Its line keeps its space while counting, so that content
 * below does not move away from the pointer.
 */
export function PartEffect({ type, config, preview }: PartEffectProps) {
  if (preview === null || partProblem(type, config) !== undefined) return null;
  const { answer, counted: filter, counting } = preview;
  const part = partOf[type];
  const keptCells = answer?.filter_counts[part];
  if (keptCells === undefined && !counting) return null;
  const ofValues = part === 'gene' || part === 'signature' ? part : undefined;
  const histogram = ofValues && answer?.histograms[ofValues];
  return (
    <div
      aria-busy={counting}
      className={cn(
        'mt-2.5 flex flex-col gap-1.5 border-t pt-2.5',
        counting && 'text-muted [&_svg]:opacity-50',
      )}
    >
      {answer !== undefined && histogram !== undefined && (
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
        {answer === undefined || keptCells === undefined
          ? 'Counting cells...'
          : `Keeps ${formatCount(keptCells)} of ${plural(answer.dataset_cells, 'cell')} (${percent(keptCells, answer.dataset_cells)}) on its own.`}
      </p>
    </div>
  );
}

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
        <p className="text-muted text-xs">{`Not counted: ${plural(open, 'filter')} without a choice.`}</p>
      )}
      {answer !== undefined && <CautionList cautions={answer.warnings} />}
    </div>
  );
}

function wholeText({ cell_count: cells, dataset_cells: all, unlabelled_cells: unlabelled }: FilterPreview) {
  if (cells === 0) return `No cell of ${formatCount(all)} passes: this subset cannot be applied.`;
  const without = unlabelled > 0 ? `, ${formatCount(unlabelled)} without a cell type` : '';
  return `The subset would have ${formatCount(cells)} of ${plural(all, 'cell')}${without}.`;
}

interface FilterHistogramProps {
  label: string;
  histogram: ValueHistogram;
  thresholds: readonly [number, number] | undefined;
  datasetCells: number;
}

const width = 280;
const height = 72;
const zeroWidth = 22;
const gap = 10;
const broken = `M-2 16 L${zeroWidth + 2} 8`;

/**
 * Values of a gene or a score in all cells; the part that a filter keeps is coloured. Zeros have a separate bar; if it
 * is taller than the highest bin, it is broken at the top, since its true height would flatten the others.
 */
function FilterHistogram({ label, histogram, thresholds, datasetCells }: FilterHistogramProps) {
  const { zeros, zeros_kept: zerosKept, low, high, counts, kept: keptCounts, missing } = histogram;
  const left = zeros > 0 ? zeroWidth + gap : 0;
  const maxCount = Math.max(1, ...counts);
  const step = (width - left) / Math.max(1, counts.length);
  const keptCells = zerosKept + keptCounts.reduce((sum, cells) => sum + cells, 0);
  const zeroText = `${percent(zeros, datasetCells)} are 0`;
  const spread = counts.length === 0 ? '' : `, the rest from ${valueText(low)} to ${valueText(high)}`;
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="text-muted text-xs">{label}</figcaption>
      <svg
        role="img"
        aria-label={`${label} in ${plural(datasetCells, 'cell')}: ${zeroText}${spread}. The filter keeps ${formatCount(keptCells)}.`}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-18 w-full"
      >
        {zeros > 0 && (
          <>
            <Bar
              x={0}
              width={zeroWidth}
              share={Math.min(1, zeros / maxCount)}
              keptShare={zerosKept / zeros}
            />
            {zeros > maxCount && <path d={broken} className="stroke-surface fill-none" strokeWidth={4} />}
          </>
        )}
        {counts.map((cells, bin) => {
          const x = left + bin * step;
          return (
            <Bar
              key={x}
              x={x}
              width={Math.max(step - 1, 1)}
              share={cells / maxCount}
              keptShare={cells === 0 ? 0 : (keptCounts[bin] ?? 0) / cells}
            />
          );
        })}
        {counts.length > 0 &&
          [...new Set(thresholds)]
            .filter((value) => value >= low && value <= high)
            .map((value) => {
              const x = left + ((value - low) / (high - low)) * (width - left);
              return (
                <line
                  key={value}
                  x1={x}
                  x2={x}
                  y1={0}
                  y2={height}
                  className="stroke-foreground"
                  strokeWidth={1}
                  strokeDasharray="3 2"
                  vectorEffect="non-scaling-stroke"
                />
              );
            })}
        <line x1={0} x2={width} y1={height} y2={height} className="stroke-border" strokeWidth={1} />
      </svg>
      <div className="text-muted flex justify-between gap-2 text-xs tabular-nums">
        {zeros > 0 && <span>{`0: ${percent(zeros, datasetCells)}`}</span>}
        {counts.length > 0 && <span className="ml-auto">{`${valueText(low)} to ${valueText(high)}`}</span>}
      </div>
      {thresholds !== undefined && (
        <p className="text-xs tabular-nums">
          {`Keeps values from ${valueText(thresholds[0])} to ${valueText(thresholds[1])}.`}
        </p>
      )}
      {missing > 0 && <p className="text-muted text-xs">{`${plural(missing, 'cell')} without a value.`}</p>}
    </figure>
  );
}

function Bar({
  x,
  width: wide,
  share,
  keptShare,
}: {
  x: number;
  width: number;
  share: number;
  keptShare: number;
}) {
  if (share === 0) return null;
  // Few cells are still some: a bar is never less than a line.
  const tall = Math.max(share * height, 1.5);
  return (
    <>
      <rect x={x} y={height - tall} width={wide} height={tall} className="fill-muted/40" />
      {keptShare > 0 && (
        <rect
          x={x}
          y={height - tall * keptShare}
          width={wide}
          height={tall * keptShare}
          className="fill-accent"
        />
      )}
    </>
  );
}

function valueText(value: number): string {
  return String(Number(value.toPrecision(4)));
}
