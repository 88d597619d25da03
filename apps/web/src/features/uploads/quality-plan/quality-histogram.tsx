import type { Measure } from './live-thresholds.ts';
import { placeOf } from './live-thresholds.ts';

interface QualityHistogramProps {
  /** What is shown, in words, for those who do not see it. */
  label: string;
  measure: Measure;
  edges: readonly number[];
  /** Cells in each bin. */
  bins: readonly number[];
  /** Cells below it are removed, of shares those above it. */
  threshold: number;
}

const width = 200;
const height = 40;

/** How cells are distributed, and which side of the line goes. */
export function QualityHistogram({ label, measure, edges, bins, threshold }: QualityHistogramProps) {
  const most = Math.max(1, ...bins);
  const step = width / Math.max(1, bins.length);
  const bars = bins
    // The square root, so that the few cells that matter here are seen beside the many.
    .map((cells, bin) => ({ at: bin * step, tall: Math.sqrt(cells / most) * (height - 2) }))
    .filter(({ tall }) => tall > 0)
    .map(
      ({ at, tall }) =>
        `M${at.toFixed(1)} ${height}V${(height - tall).toFixed(1)}h${(step * 0.86).toFixed(2)}V${height}Z`,
    )
    .join('');
  const line = placeOf(edges, threshold, measure) * width;
  const goes = measure === 'mitochondrial' ? { x: line, width: width - line } : { x: 0, width: line };
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-10 w-full min-w-28"
    >
      <rect {...goes} y={0} height={height} className="fill-danger-soft" />
      <path d={bars} className="fill-accent" />
      <line
        x1={0}
        x2={width}
        y1={height}
        y2={height}
        className="stroke-input"
        vectorEffect="non-scaling-stroke"
      />
      {line > 0 && line < width && (
        <line
          x1={line}
          x2={line}
          y1={0}
          y2={height}
          className="stroke-danger"
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
