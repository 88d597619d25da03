import type { ProcessingRecord } from '@cellfolio/contract';
import { height, HistogramBars, width } from './histogram.tsx';
import { shareText } from './report-text.ts';

/** Decreasing variance of the components used: where it levels off, the rest is noise. */
export function ComponentVariance({ record: { varianceShares } }: { record: ProcessingRecord }) {
  const [first] = varianceShares ?? [];
  const last = varianceShares?.at(-1);
  if (varianceShares === undefined || first === undefined || last === undefined) return null;
  const words = `Variance of each of the ${varianceShares.length} components taken: from ${shareText(first)} to ${shareText(last)}`;
  return (
    <figure className="flex flex-col gap-1">
      <svg
        role="img"
        aria-label={words}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-12 w-full max-w-96"
      >
        <HistogramBars counts={varianceShares.map((share) => share / first)} />
      </svg>
      <figcaption className="text-muted text-xs">{words} (heights are square roots)</figcaption>
    </figure>
  );
}
