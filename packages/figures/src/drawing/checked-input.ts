import type { CategoricalColumn, CellMask, GeneColumn } from '@cellfolio/model';
import { valueText } from './text/number-text.ts';

/** Columns that do not fit together: `field` names the one at fault. */
export class FigureInputError extends Error {
  readonly tag = 'figure-input';
  readonly field: string;

  constructor(field: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'FigureInputError';
    this.field = field;
  }
}

export const defaultUnits = { gene: 'log-normalized expression', score: 'signature score' } as const;

/** Throws FigureInputError for a mask of another length than the dataset. */
export function checkMask(cellCount: number, mask?: CellMask): void {
  if (mask !== undefined && mask.bits.length !== cellCount) {
    throw new FigureInputError('mask', `the mask holds ${mask.bits.length} cells, the column ${cellCount}`);
  }
}

/** Throws FigureInputError if rows and values disagree or a row is outside the dataset. */
export function checkGene(gene: GeneColumn): void {
  const { cells, values, cellCount } = gene;
  if (cells.length !== values.length) {
    throw new FigureInputError(
      'gene',
      `the gene names ${cells.length} cells and holds ${values.length} values`,
    );
  }
  // Rows rise, so checking the ends is enough.
  if (cells.length > 0 && (cells[0]! < 0 || cells[cells.length - 1]! >= cellCount)) {
    throw new FigureInputError('gene', `the gene names cells outside the ${cellCount} of the dataset`);
  }
}

/** Like `checkGene`, and throws if the groups belong to other cells. */
export function checkGrouped(gene: GeneColumn, { codes }: CategoricalColumn): void {
  checkGene(gene);
  if (codes.length !== gene.cellCount) {
    throw new FigureInputError('groups', `the groups hold ${codes.length} cells, the gene ${gene.cellCount}`);
  }
}

/** Cells of each category and without one, among those of the mask. */
export function countCategories(
  column: CategoricalColumn,
  mask?: CellMask,
): { perCategory: Uint32Array; missing: number } {
  const { codes, categories } = column;
  const perCategory = new Uint32Array(categories.length);
  const bits = mask?.bits;
  let missing = 0;
  for (let cell = 0; cell < codes.length; cell++) {
    if (bits !== undefined && bits[cell] !== 1) continue;
    const code = codes[cell]!;
    if (code >= 0 && code < perCategory.length) perCategory[code]!++;
    else missing++;
  }
  return { perCategory, missing };
}

/** Throws FigureInputError for a range that a colour bar or axis cannot have. */
export function checkRange([low, high]: readonly [number, number]): void {
  // The width of a range of the largest numbers is infinite.
  if (!(low < high) || !Number.isFinite(high - low)) {
    throw new FigureInputError('range', `a range from ${low} to ${high} has no width that can be drawn`);
  }
}

/** Throws FigureInputError if values or the requested range are negative, which log(1 + x) does not colour. */
export function checkLog(minimum: number, range: readonly [number, number] | undefined): void {
  const low = Math.min(minimum, range?.[0] ?? 0);
  if (low >= 0) return;
  throw new FigureInputError('log', `No colors by log(1 + x): x goes down to ${valueText(low)}.`);
}

export function rangeText(range: readonly [number, number] | undefined): string[] {
  return range === undefined ? [] : [`scale set to ${valueText(range[0])} to ${valueText(range[1])}`];
}
