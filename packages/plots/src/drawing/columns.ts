import type { CategoricalColumn, CellMask, GeneColumn } from '@cellfolio/model';
import { FigureInputError } from './figure-error.ts';

/** Of colour bars and axes, where nothing else is said. */
export const defaultUnits = { gene: 'log-normalised expression', score: 'signature score' } as const;

/** Throws FigureInputError for a mask of another length than the dataset. */
export function checkMask(cellCount: number, mask?: CellMask): void {
  if (mask !== undefined && mask.bits.length !== cellCount) {
    throw new FigureInputError('mask', `the mask holds ${mask.bits.length} cells, the column ${cellCount}`);
  }
}

/** Throws FigureInputError where rows and values disagree or a row lies outside the dataset. */
export function checkGene(gene: GeneColumn): void {
  const { cells, values, cellCount } = gene;
  if (cells.length !== values.length) {
    throw new FigureInputError(
      'gene',
      `the gene names ${cells.length} cells and holds ${values.length} values`,
    );
  }
  // Rows rise, so the ends tell for all.
  if (cells.length > 0 && (cells[0]! < 0 || cells[cells.length - 1]! >= cellCount)) {
    throw new FigureInputError('gene', `the gene names cells outside the ${cellCount} of the dataset`);
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
