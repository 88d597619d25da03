import type { CategoricalColumn, CellMask } from '@cellfolio/model';
import type { CategoryPalette } from './colour/category-colours.ts';
import { binsWords } from '@cellfolio/analysis/parameters';
import { type Bins, quartiles } from '../grouping.ts';
import type { InputValues } from '../plot.ts';
import { percentile } from './distributions/density.ts';
import { valueText } from './text/number-text.ts';

export interface CellGroups {
  column: CategoricalColumn;
  title: string;
  palette: CategoryPalette;
}

/**
 * Categories of a column, or bins of its numbers among the cells of the mask. Bins are half-open: a value on an edge
 * belongs to the bin above it. Quantiles are numpy's linear ones; equal edges are merged. Cells without a number are in
 * no bin.
 */
export function groupCells(
  value: InputValues['column'] | InputValues['obs'],
  bins: Bins | undefined,
  mask?: CellMask,
): CellGroups {
  if ('column' in value) {
    const { column, title, palette } = value;
    return { column, title, palette };
  }
  const { scores, title, columnName } = value;
  const used = bins ?? quartiles;
  const sorted = scores
    .filter((score, cell) => Number.isFinite(score) && (mask === undefined || mask.bits[cell] === 1))
    .sort();
  const low = sorted[0] ?? 0;
  const high = sorted.at(-1) ?? 0;
  const edges =
    used.by === 'edges'
      ? used.edges
      : [
          ...new Set(
            Array.from({ length: used.parts - 1 }, (_, i) => percentile(sorted, 0, (i + 1) / used.parts)),
          ),
        ].filter((edge) => edge > low);
  const codes = Int8Array.from(scores, (score) => {
    if (!Number.isFinite(score)) return -1;
    const above = edges.findIndex((edge) => score < edge);
    return above < 0 ? edges.length : above;
  });
  const ends = [...edges.map(valueText), ''];
  const categories = ends.map((end, i) => {
    if (edges.length === 0) return `${valueText(low)} to ${valueText(high)}`;
    if (i === 0) return `below ${end}`;
    return end === '' ? `${ends[i - 1]!} or more` : `${ends[i - 1]!} to below ${end}`;
  });
  return {
    column: { kind: 'categorical', codes, categories, categoryType: 'string', ordered: true },
    title: `${title} (${binsWords(used)})`,
    palette: `column:${columnName}`,
  };
}
