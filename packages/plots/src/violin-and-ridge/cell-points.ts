import { countText } from '@cellfolio/model';
import { linesOfGroups } from '../heatmap/sampled-cells.ts';
import { xorshift } from '../drawing/xorshift.ts';
import type { GroupedValues, ViolinRowGroup } from '../drawing/distributions/violin-groups.ts';

/** Maximum points of one figure: more would merge into a blot. */
const maxPoints = 2000;

/**
 * Values of random cells of each row that has a density, without replacement (Knuth, TAOCP 2, algorithm S): the same
 * number for each row, or all cells of smaller ones. The same rows give the same cells. Rows without a density show all
 * of their cells, or have one value. `codes`: code of each row in `values`, whose arrays are already sorted.
 */
export function withCellPoints(
  rows: readonly ViolinRowGroup[],
  codes: readonly number[],
  { valuesOf, zerosOf }: GroupedValues,
): ViolinRowGroup[] {
  const pointCounts = linesOfGroups(
    rows.map(({ cells, density }) => (density === null ? 0 : cells)),
    maxPoints,
  );
  const random = xorshift(2_463_534_242);
  return rows.map((row, i) => {
    if (pointCounts[i] === 0) return row;
    const [sorted, zeros] = [valuesOf(codes[i]!), zerosOf(codes[i]!)];
    const [low, high] = row.range!;
    // Five digits keep a spec small; none may leave the range by that.
    const sampled = sampleValues(sorted, zeros, pointCounts[i]!, random).map((value) =>
      Math.min(high, Math.max(low, Number(value.toPrecision(5)))),
    );
    return { ...row, sampled };
  });
}

function sampleValues(
  sorted: Float32Array | Float64Array,
  zeros: number,
  sampleSize: number,
  random: () => number,
): number[] {
  const values: number[] = [];
  let negative = 0;
  if (zeros > 0) while (negative < sorted.length && sorted[negative]! < 0) negative++;
  const count = sorted.length + zeros;
  for (let i = 0; i < count && values.length < sampleSize; i++) {
    if (random() * (count - i) >= sampleSize - values.length) continue;
    values.push(i < negative ? sorted[i]! : i < negative + zeros ? 0 : sorted[i - zeros]!);
  }
  return values;
}

export function pointsText(rows: readonly ViolinRowGroup[]): string[] {
  const [shown, cells] = rows.reduce(
    ([points, all], { sampled, points: few, cells: ofRow }) => [
      points + (sampled?.length ?? few?.length ?? 0),
      all + ofRow,
    ],
    [0, 0],
  );
  if (cells === 0) return [];
  return shown === cells
    ? [`all ${countText(cells)} cells as points`]
    : [`${countText(shown)} of ${countText(cells)} cells as points, at random from each group`];
}
