import { minPValue } from '@cellfolio/contract';

/** One gene of the table. */
export interface VolcanoPoint {
  /** Place in the file. */
  readonly row: number;
  readonly gene: string;
  readonly change: number;
  readonly adjustedP: number;
  /** −log10 of the adjusted p; of one that is too small for a number that of the smallest. */
  readonly score: number;
  /** 1 for a gene that passes and is higher in A, −1 for lower, 0 for one that does not pass. */
  readonly direction: number;
}

export interface Thresholds {
  readonly adjustedP: number;
  readonly foldChange: number;
}

interface Column {
  readonly texts: readonly string[];
  readonly numbers?: Float64Array;
}

/** The genes of one group in the order of the file; those without a fold change are left out. */
export function volcanoPoints(
  columns: ReadonlyMap<string, Column>,
  group: string | undefined,
  { adjustedP: maxP, foldChange: minChange }: Thresholds,
): VolcanoPoint[] {
  const [names, groups] = [columns.get('names')?.texts ?? [], columns.get('group')?.texts];
  const [changes, ps] = [columns.get('logfoldchanges')?.numbers, columns.get('pvals_adj')?.numbers];
  const points: VolcanoPoint[] = [];
  for (let row = 0; row < names.length; row++) {
    const [change, adjustedP] = [changes?.[row] ?? NaN, ps?.[row] ?? NaN];
    if (Number.isNaN(change) || Number.isNaN(adjustedP) || (groups && groups[row] !== group)) continue;
    const passes = adjustedP < maxP && Math.abs(change) >= minChange;
    points.push({
      row,
      gene: names[row]!,
      change,
      adjustedP,
      score: -Math.log10(Math.max(adjustedP, minPValue)) + 0,
      direction: passes ? Math.sign(change) : 0,
    });
  }
  return points;
}

export interface VolcanoAxes {
  /** In either direction. */
  readonly change: number;
  readonly score: number;
}

/** Share of the fold changes that the axis holds; others lie at its ends. */
const shareOnAxis = 0.999;
/** Beyond it one side has nothing but the 1e-9 that is added to both: it says that, and no fold change. */
const absentFrom = 15;

/** As those of the file: a few genes that one side lacks leave room for the others. */
export function volcanoAxes(
  points: readonly VolcanoPoint[],
  { adjustedP, foldChange }: Thresholds,
): VolcanoAxes {
  const sizes = Float64Array.from(points, ({ change }) => Math.abs(change))
    .filter((size) => size < absentFrom)
    .sort();
  const most = sizes.at(-1) ?? 1;
  const usual = sizes[Math.floor((sizes.length - 1) * shareOnAxis)] ?? 1;
  const cut = -Math.log10(Math.max(adjustedP, minPValue));
  const highest = points.reduce((high, { score }) => Math.max(high, score), Math.max(1, 1.2 * cut));
  return {
    change: Math.max(most > 2 * usual ? 1.3 * usual : 1.04 * most, 1.5 * foldChange, 0.1),
    score: 1.06 * highest,
  };
}

/** About `wanted` round numbers from 0 to below `high`. */
export function roundSteps(high: number, wanted: number): number[] {
  const rough = high / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((unit) => unit * power).find((unit) => unit >= 0.75 * rough)!;
  return Array.from({ length: Math.floor(high / step) + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}

interface Label {
  readonly point: VolcanoPoint;
  readonly left: number;
  readonly top: number;
  /** Of its room, which is reckoned with letters of one width. */
  readonly right: number;
  /** Its end stands at the point, not its beginning. */
  readonly isLeft: boolean;
}

/** Of both directions together. */
const maxLabels = 24;
const label = { height: 15, letter: 7.2, gap: 6 } as const;

/** Names of the surest genes that pass, each where it covers no other: away from the middle, else towards it. */
export function volcanoLabels(
  points: readonly VolcanoPoint[],
  at: (point: VolcanoPoint) => { x: number; y: number },
  { left: from, right: to }: { left: number; right: number },
): Label[] {
  const placed: Label[] = [];
  // The file has the surest first.
  for (const point of points) {
    if (point.direction === 0) continue;
    if (placed.length >= maxLabels) break;
    const { x, y } = at(point);
    const width = point.gene.length * label.letter;
    const sides = [x + label.gap, x - label.gap - width];
    const lefts = point.direction > 0 ? sides : sides.toReversed();
    const top = y - label.height / 2;
    const left = lefts.find(
      (one) =>
        one >= from &&
        one + width <= to &&
        placed.every(
          (other) =>
            Math.abs(other.top - top) >= label.height || one >= other.right || other.left >= one + width,
        ),
    );
    if (left !== undefined) placed.push({ point, left, top, right: left + width, isLeft: left < x });
  }
  return placed;
}
