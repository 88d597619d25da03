import type { CategoricalColumn, CellMask, GeneColumn } from '@cellfolio/model';
import type { GeneLines, GeneSums, LineCells } from '../drawing/gene-matrix/kept-genes.ts';
import { limitGeneMatrix } from '../drawing/gene-matrix/spec.ts';
import { groupCells } from '../drawing/group-cells.ts';
import { filledGroups, sumsOf } from '../gene-matrix/figure.ts';
import type { Grouping } from '../grouping.ts';
import type { FigureSetting, InputValues } from '../plot.ts';
import { linesOfGroups, sampleCells } from './sampled-cells.ts';

/**
 * Selects the cells drawn as lines, and returns a function that extracts from a gene what its heatmap needs: two
 * thousand values out of a million cells, so that the others need not stay in memory. Both throw FigureInputError if
 * they do not describe the same cells.
 */
export function geneLines(
  groups: InputValues['column'] | InputValues['obs'],
  by: Grouping | undefined,
  { mask, order }: Pick<FigureSetting, 'mask' | 'order'>,
): (gene: GeneColumn, sums?: GeneSums) => GeneLines {
  const { column } = groupCells(groups, by?.bins, mask);
  const { filled, perCategory } = filledGroups(column, { mask, order });
  const shownCodes = limitGeneMatrix(
    filled.map((code) => ({ label: column.categories[code]!, cells: perCategory[code]! })),
    [],
  ).groups.map((place) => filled[place]!);
  const lineCounts = linesOfGroups(shownCodes.map((code) => perCategory[code]!));
  const sampled = sampleCells(
    column.codes,
    new Map(shownCodes.map((code, i) => [code, { wanted: lineCounts[i]!, cells: perCategory[code]! }])),
    mask,
  );
  const of = lineCells(sampled);
  const counted = countedCells(column, mask);
  const categories = Int32Array.from(filled);
  const summed = (gene: GeneColumn): GeneSums => {
    const { sum, expressing } = sumsOf(gene, column, mask);
    return {
      categories,
      sums: Float64Array.from(filled, (code) => sum[code]!),
      expressing: Int32Array.from(filled, (code) => expressing[code]!),
    };
  };
  return (gene, sums = summed(gene)) => ({
    of,
    values: valuesIn(gene, of.cells),
    range: rangeOf(gene, counted),
    sums,
  });
}

function lineCells(sampled: ReadonlyMap<number, Uint32Array>): LineCells {
  const cells = Int32Array.from([...sampled.values()].flatMap((ofGroup) => Array.from(ofGroup))).sort();
  const placeOf = new Map(Array.from(cells, (cell, place) => [cell, place]));
  const placesOf = new Map(
    Array.from(sampled, ([code, ofGroup]) => [code, Int32Array.from(ofGroup, (cell) => placeOf.get(cell)!)]),
  );
  return { cells, placesOf };
}

/** Values of a few ascending cells, found by galloping and binary search. */
function valuesIn({ cells, values }: GeneColumn, targetCells: Int32Array): Float32Array {
  const picked = new Float32Array(targetCells.length);
  let from = 0;
  for (let nth = 0; nth < targetCells.length && from < cells.length; nth++) {
    const cell = targetCells[nth]!;
    let step = 1;
    while (from + step < cells.length && cells[from + step]! <= cell) step *= 2;
    // The last place from `from` on whose cell is not behind the wanted one.
    let to = Math.min(cells.length, from + step);
    from += step >> 1;
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if (cells[middle]! <= cell) from = middle;
      else to = middle;
    }
    if (cells[from] === cell) picked[nth] = Number.isFinite(values[from]) ? values[from]! : NaN;
  }
  return picked;
}

interface CountedCells {
  /** 1 for each counted cell; absent if all are. */
  bits?: Uint8Array;
  count: number;
}

function countedCells({ codes, categories }: CategoricalColumn, mask: CellMask | undefined): CountedCells {
  const bits = new Uint8Array(codes.length);
  let count = 0;
  for (let cell = 0; cell < bits.length; cell++) {
    const code = codes[cell]!;
    if (code < 0 || code >= categories.length || (mask !== undefined && mask.bits[cell] !== 1)) continue;
    bits[cell] = 1;
    count++;
  }
  return count === bits.length ? { count } : { bits, count };
}

function rangeOf({ cells, values }: GeneColumn, { bits, count }: CountedCells): readonly [number, number] {
  let [low, high, stored] = [Infinity, -Infinity, 0];
  for (let i = 0; i < cells.length; i++) {
    const value = values[i]!;
    // Not of values that are no numbers, nor of infinite ones.
    if (!(Math.abs(value) < Infinity) || (bits !== undefined && bits[cells[i]!] !== 1)) continue;
    stored++;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return stored < count ? [Math.min(0, low), Math.max(0, high)] : [low, high];
}
