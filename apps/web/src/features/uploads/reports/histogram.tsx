/** Units of the drawing, which is stretched to the available space. */
export const width = 200;
export const height = 40;

interface HistogramProps {
  /** Cells or scores per bin; bar heights are square roots, so that small counts stay visible beside large ones. */
  counts: readonly number[];
  line?: number | undefined;
  beyond?: { x: number; width: number } | undefined;
}

export function HistogramBars({ counts, line, beyond }: HistogramProps) {
  const maxCount = Math.max(1, ...counts);
  const step = width / Math.max(1, counts.length);
  const bars = counts
    .map((count, bin) => ({ at: bin * step, tall: Math.sqrt(count / maxCount) * (height - 2) }))
    .filter(({ tall }) => tall > 0)
    .map(
      ({ at, tall }) =>
        `M${at.toFixed(1)} ${height}V${(height - tall).toFixed(1)}h${(step * 0.86).toFixed(2)}V${height}Z`,
    )
    .join('');
  return (
    <>
      {beyond !== undefined && <rect {...beyond} y={0} height={height} className="fill-danger-soft" />}
      <path d={bars} className="fill-accent" />
      <line
        x1={0}
        x2={width}
        y1={height}
        y2={height}
        className="stroke-input"
        vectorEffect="non-scaling-stroke"
      />
      {line !== undefined && (
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
    </>
  );
}
