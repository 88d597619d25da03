import type { CategoricalColumn, CellMask, GeneColumn } from '@cellfolio/model';
import { geneMatrixFigure } from '../drawing/gene-matrix/gene-matrix-figure.ts';
import type { GeneMatrixInput } from '../drawing/gene-matrix/spec.ts';
import { groupCells } from '../drawing/group-cells.ts';
import { geneMatrixInput } from '../gene-dot-plot/figure.ts';
import { type InputValues, plot } from '../plot.ts';
import type { heatmapContent } from './content.ts';
import { linesOfGroups, sampleCells } from './sampled-cells.ts';

/**
 * Expression of genes in single cells by group, a line a cell; of many cells some are drawn at random. Scaled, each gene
 * goes from 0 to 1 over all cells of the groups, shown or not (`sc.pl.heatmap(standard_scale='var')`). Throws
 * FigureInputError as {@link geneMatrixInput}.
 */
export const heatmap = plot<typeof heatmapContent>(
  'heatmap',
  ({ genes, groups, components }, setting, content) => {
    const cellGroups = groupCells(groups, content.by?.bins, setting.mask);
    const choice = { ...content, scale: 'none', components } as const;
    const { codes, ...input } = geneMatrixInput(genes, cellGroups, choice, setting);
    const isScaled = content.scale === 'gene';
    const lines = (kept: readonly number[]) => {
      const cellsOf = kept.map((group) => input.groups[group]!.cells);
      const wanted = linesOfGroups(cellsOf);
      const byCode = kept.map((group, i) => {
        return [codes[group]!, { wanted: wanted[i]!, cells: cellsOf[i]! }] as const;
      });
      const drawn = sampleCells(cellGroups.column.codes, new Map(byCode), setting.mask);
      const cells = byCode.map(([code]) => drawn.get(code)!);
      return linesIn(genes, cells, {
        isScaled,
        codes,
        column: cellGroups.column,
        mask: setting.mask,
      });
    };
    return geneMatrixFigure('heatmap', 'cells', { ...input, isScaled, cells: lines });
  },
);

interface Counted {
  readonly isScaled: boolean;
  /** Of the groups that count. */
  readonly codes: readonly number[];
  readonly column: Pick<CategoricalColumn, 'codes' | 'categories'>;
  readonly mask: CellMask | undefined;
}

function linesIn(
  genes: readonly InputValues['gene'][],
  cells: readonly Uint32Array[],
  of: Counted,
): ReturnType<NonNullable<GeneMatrixInput['cells']>> {
  const { isScaled } = of;
  const counted = countedCells(of);
  const ranges = genes.map(({ gene }) => rangeOf(gene, counted));
  const lines = risingLines(cells);
  return {
    shown: cells.map((ofGroup) => ofGroup.length),
    domain: isScaled
      ? [0, 1]
      : [Math.min(0, ...ranges.map(([low]) => low)), Math.max(0, ...ranges.map(([, high]) => high))],
    levelsOf: (place, [low, high]) => {
      const [least, most] = ranges[place]!;
      const shade = (value: number): number => {
        const shown = isScaled ? (most > least ? (value - least) / (most - least) : 0) : value;
        return high > low ? Math.round(255 * Math.min(1, Math.max(0, (shown - low) / (high - low)))) : 0;
      };
      const levels = new Uint8Array(lines.cells.length).fill(shade(0));
      eachStored(genes[place]!.gene, lines.cells, (nth, value) => {
        if (Number.isFinite(value)) levels[lines.lineOf[nth]!] = shade(value);
      });
      return cells.map((ofGroup, group) =>
        levels.subarray(lines.starts[group], lines.starts[group]! + ofGroup.length),
      );
    },
  };
}

/** The cells that are lines in rising order with the line of each, and the first line of each group. */
function risingLines(cells: readonly Uint32Array[]) {
  const starts: number[] = [];
  const all: [cell: number, line: number][] = [];
  for (const ofGroup of cells) {
    starts.push(all.length);
    for (const cell of ofGroup) all.push([cell, all.length]);
  }
  all.sort(([one], [other]) => one - other);
  return {
    starts,
    cells: Int32Array.from(all, ([cell]) => cell),
    lineOf: Int32Array.from(all, ([, line]) => line),
  };
}

/**
 * Hands over the stored values of some cells, which rise. Of a gene of a million cells, a few thousand are looked for: in
 * steps that double, then by halves.
 */
function eachStored(
  { cells, values }: GeneColumn,
  wanted: Int32Array,
  use: (nth: number, value: number) => void,
): void {
  let from = 0;
  for (let nth = 0; nth < wanted.length && from < cells.length; nth++) {
    const cell = wanted[nth]!;
    let step = 1;
    while (from + step < cells.length && cells[from + step]! <= cell) step *= 2;
    // Of the places from `from` on, the last whose cell is not behind the wanted one.
    let to = Math.min(cells.length, from + step);
    from += step >> 1;
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if (cells[middle]! <= cell) from = middle;
      else to = middle;
    }
    if (cells[from] === cell) use(nth, values[from]!);
  }
}

interface CountedCells {
  /** 1 for each of them; absent where all cells are. */
  readonly bits?: Uint8Array;
  readonly count: number;
}

/** The cells of the mask that are in one of the groups. */
function countedCells({ codes, column, mask }: Counted): CountedCells {
  const groups = new Uint8Array(column.categories.length);
  for (const code of codes) groups[code] = 1;
  const bits = new Uint8Array(column.codes.length);
  let count = 0;
  for (let cell = 0; cell < bits.length; cell++) {
    if (groups[column.codes[cell]!] !== 1 || (mask !== undefined && mask.bits[cell] !== 1)) continue;
    bits[cell] = 1;
    count++;
  }
  return count === bits.length ? { count } : { bits, count };
}

/** Least and greatest value of a gene in the cells that count, zeros included. */
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
