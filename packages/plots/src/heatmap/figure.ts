import type { CellMask, GeneColumn } from '@cellfolio/model';
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
  readonly column: { readonly codes: ArrayLike<number> };
  readonly mask: CellMask | undefined;
}

/** Not a line: in one of the groups, or in none of them. */
const counted = -1;
const outside = -2;

function linesIn(
  genes: readonly InputValues['gene'][],
  cells: readonly Uint32Array[],
  { isScaled, codes, column, mask }: Counted,
): ReturnType<NonNullable<GeneMatrixInput['cells']>> {
  const lineOf = new Int32Array(column.codes.length).fill(outside);
  const counts = Uint8Array.from({ length: Math.max(-1, ...codes) + 1 }, (_, code) =>
    Number(codes.includes(code)),
  );
  for (let cell = 0; cell < lineOf.length; cell++) {
    if (counts[column.codes[cell]!] === 1 && (mask === undefined || mask.bits[cell] === 1))
      lineOf[cell] = counted;
  }
  const starts: number[] = [];
  let lines = 0;
  for (const ofGroup of cells) {
    starts.push(lines);
    for (const cell of ofGroup) lineOf[cell] = lines++;
  }
  const allCount = !lineOf.includes(outside);
  const ranges = genes.map(({ gene }) =>
    rangeOf(gene, allCount ? undefined : lineOf, mask?.count ?? column.codes.length),
  );
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
      const levels = new Uint8Array(lines).fill(shade(0));
      const { cells: stored, values } = genes[place]!.gene;
      for (let i = 0; i < stored.length; i++) {
        const line = lineOf[stored[i]!]!;
        if (line >= 0 && Number.isFinite(values[i])) levels[line] = shade(values[i]!);
      }
      return cells.map((ofGroup, group) => levels.subarray(starts[group], starts[group]! + ofGroup.length));
    },
  };
}

/** Least and greatest value of a gene in the cells that count, zeros included; without `lineOf` all of them do. */
function rangeOf(
  { cells, values }: GeneColumn,
  lineOf: Int32Array | undefined,
  all: number,
): readonly [number, number] {
  let [low, high, stored] = [Infinity, -Infinity, 0];
  for (let i = 0; i < cells.length; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value) || (lineOf !== undefined && lineOf[cells[i]!] === outside)) continue;
    stored++;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return stored < all ? [Math.min(0, low), Math.max(0, high)] : [low, high];
}
