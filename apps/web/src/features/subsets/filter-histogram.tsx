import type { ValueHistogram } from '@cellfolio/contract';
import { counted, formatCount } from '@/lib/format.ts';
import { shareText, valueText } from './preview-text.ts';

interface FilterHistogramProps {
  /** What the values are, such as 'Expression of CD3D'. */
  label: string;
  histogram: ValueHistogram;
  thresholds: readonly [number, number] | undefined;
  datasetCells: number;
}

const width = 280;
const height = 72;
const zeroWidth = 22;
const gap = 10;
/** Across the bar of the zeros, a sixth from its top. */
const broken = `M-2 16 L${zeroWidth + 2} 8`;

/**
 * The values of a gene or a score in all cells, with what a filter keeps in colour. Zeros have a bar of their own, apart;
 * where they are more than the highest bin, that bar is broken at the top, as its true height would flatten the others.
 */
export function FilterHistogram({ label, histogram, thresholds, datasetCells }: FilterHistogramProps) {
  const { zeros, zeros_kept: zerosKept, low, high, counts, kept, missing } = histogram;
  const left = zeros > 0 ? zeroWidth + gap : 0;
  const most = Math.max(1, ...counts);
  const step = (width - left) / Math.max(1, counts.length);
  const keptCells = zerosKept + kept.reduce((sum, cells) => sum + cells, 0);
  const zeroText = `${shareText(zeros, datasetCells)} are 0`;
  const spread = counts.length === 0 ? '' : `, the others from ${valueText(low)} to ${valueText(high)}`;
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="text-muted text-xs">{label}</figcaption>
      <svg
        role="img"
        aria-label={`${label} in ${counted(datasetCells, 'cell')}: ${zeroText}${spread}. The filter keeps ${formatCount(keptCells)}.`}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-18 w-full"
      >
        {zeros > 0 && (
          <>
            <Bar x={0} width={zeroWidth} share={Math.min(1, zeros / most)} kept={zerosKept / zeros} />
            {zeros > most && <path d={broken} className="stroke-surface fill-none" strokeWidth={4} />}
          </>
        )}
        {counts.map((cells, bin) => {
          const x = left + bin * step;
          return (
            <Bar
              key={x}
              x={x}
              width={Math.max(step - 1, 1)}
              share={cells / most}
              kept={cells === 0 ? 0 : (kept[bin] ?? 0) / cells}
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
        {zeros > 0 && <span>{`0: ${shareText(zeros, datasetCells)}`}</span>}
        {counts.length > 0 && <span className="ml-auto">{`${valueText(low)} to ${valueText(high)}`}</span>}
      </div>
      {thresholds !== undefined && (
        <p className="text-xs tabular-nums">
          {`Keeps values from ${valueText(thresholds[0])} to ${valueText(thresholds[1])}.`}
        </p>
      )}
      {missing > 0 && <p className="text-muted text-xs">{`${counted(missing, 'cell')} without a value.`}</p>}
    </figure>
  );
}

/** A bar from the ground, of which a part is kept. */
function Bar({ x, width: wide, share, kept }: { x: number; width: number; share: number; kept: number }) {
  if (share === 0) return null;
  // Few cells are still some: a bar is never less than a line.
  const tall = Math.max(share * height, 1.5);
  return (
    <>
      <rect x={x} y={height - tall} width={wide} height={tall} className="fill-muted/40" />
      {kept > 0 && (
        <rect x={x} y={height - tall * kept} width={wide} height={tall * kept} className="fill-accent" />
      )}
    </>
  );
}
