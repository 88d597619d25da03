import { type Correlations, correlationsOf, foldChangeAxis } from '@cellfolio/figures/content';
import { minPValue } from '@cellfolio/contract';
import type { ChartAxis, ChartPoints, Tones } from '@/features/gene-points/index.ts';
import { numbersOf, passLabels, type TableColumns, textsOf } from '@/features/tables/index.ts';

export const comparedMeasures = [
  { id: 'change', label: 'Log2 fold changes', axis: 'log₂ fold change' },
  { id: 'sureness', label: 'Signed −log10 p', axis: '±log₁₀ adjusted p, by the sign of the fold change' },
] as const;
export type ComparedMeasure = (typeof comparedMeasures)[number]['id'];

export interface ComparedPoints {
  points: ChartPoints;
  /** 1 for genes that pass only in the first, 2 only in the second, 3 in both, 0 in neither. */
  tones: Tones;
  x: ChartAxis;
  y: ChartAxis;
  /** Over all values, including those beyond the axes. */
  correlations: Correlations;
}

/**
 * The genes with a number in both results; infinite values are drawn at the ends of the axes and excluded from
 * correlations.
 */
export function comparedPoints(table: TableColumns, measure: ComparedMeasure): ComparedPoints {
  const values = [valuesOf(table, measure, 1), valuesOf(table, measure, 2)] as const;
  const where = textsOf(table.columns, 'passes_in');
  const toneOf = (where?.categories ?? []).map((text) => tones.get(text) ?? 0);
  const validRows: number[] = [];
  for (let row = 0; row < table.rowCount; row++) {
    if (!Number.isNaN(values[0][row]) && !Number.isNaN(values[1][row])) validRows.push(row);
  }
  // Names are placed from the first to the last: genes that pass in both are told before others.
  const rank = [0, 1, 1, 2];
  const tone = (row: number) => toneOf[where?.codes[row] ?? -1] ?? 0;
  const sureness = (row: number) => -Math.min(Math.abs(values[0][row]!), Math.abs(values[1][row]!));
  const rows = Int32Array.from(validRows).sort(
    (one, other) => rank[tone(other)]! - rank[tone(one)]! || sureness(one) - sureness(other) || one - other,
  );
  const [x, y] = [0, 1].map((side) => Float64Array.from(rows, (row) => values[side as 0 | 1][row]!));
  const isFinite = (at: number) => Number.isFinite(x![at]) && Number.isFinite(y![at]);
  const finite = Array.from(rows.keys()).filter(isFinite);
  const { axis: title } = comparedMeasures.find(({ id }) => id === measure)!;
  return {
    points: { rows, x: x!, y: y! },
    tones: Uint8Array.from(rows, tone),
    x: { title: `1: ${title}`, range: rangeOf(x!, measure) },
    y: { title: `2: ${title}`, range: rangeOf(y!, measure) },
    correlations: correlationsOf({
      x: Float64Array.from(finite, (at) => x![at]!),
      y: Float64Array.from(finite, (at) => y![at]!),
      zeroPairs: 0,
    }),
  };
}

const tones: ReadonlyMap<string, number> = new Map([
  [passLabels.first, 1],
  [passLabels.second, 2],
  [passLabels.both, 3],
]);

function valuesOf({ columns, rowCount }: TableColumns, measure: ComparedMeasure, side: 1 | 2): Float64Array {
  const missing = () => new Float64Array(rowCount).fill(NaN);
  const changes = numbersOf(columns, `logfoldchanges_${side}`) ?? missing();
  if (measure === 'change') return changes;
  const ps = numbersOf(columns, `pvals_adj_${side}`) ?? missing();
  return changes.map((change, row) => Math.sign(change) * -Math.log10(Math.max(ps[row]!, minPValue)) + 0);
}

function rangeOf(values: Float64Array, measure: ComparedMeasure): readonly [number, number] {
  const bound =
    measure === 'change'
      ? foldChangeAxis(values, 0)
      : 1.05 * values.reduce((high, value) => Math.max(high, Math.abs(value)), 1);
  return [-bound, bound];
}

export interface Overlap {
  counts: ReadonlyMap<string, number>;
  /** Genes that pass in both and change in the same direction. */
  agreeing: number;
  /** Genes missing from one of the results. */
  unshared: number;
}

export function overlapOf({ columns, rowCount }: TableColumns): Overlap {
  const where = textsOf(columns, 'passes_in');
  const [first, second] = [numbersOf(columns, 'logfoldchanges_1'), numbersOf(columns, 'logfoldchanges_2')];
  const counts = new Map<string, number>(Object.values(passLabels).map((text) => [text, 0]));
  let [agreeing, unshared] = [0, 0];
  for (let row = 0; row < rowCount; row++) {
    const text = where?.categories[where.codes[row]!] ?? passLabels.none;
    counts.set(text, counts.get(text)! + 1);
    const [one, other] = [first![row]!, second![row]!];
    if (text === passLabels.both && one > 0 === other > 0) agreeing++;
    if (Number.isNaN(one) || Number.isNaN(other)) unshared++;
  }
  return { counts, agreeing, unshared };
}
