import { H5adError } from '../../h5ad-error.ts';
import type { NamedMatrix, Names } from './named-matrix.ts';
import type { Refuse, RMatrix } from './r-matrix.ts';

export interface ProteinsOfR {
  /** Proteins x the cells in which they were measured. */
  matrix: RMatrix;
  names: readonly string[];
  /** Column of each cell of the object, or -1. */
  columnOf: Int32Array;
  part: string;
}

interface AssayOfR {
  matrix: NamedMatrix;
  /** Protein and cell names, if the matrix has none; without cell names those of the object apply. */
  of: readonly [Names, Names];
  isByPlace?: boolean;
  part: string;
}

/**
 * Proteins of an assay, aligned with the object's cells. If they are invalid, a note says so and the object is read
 * without them. Rethrows errors that are not refusals.
 */
export async function proteinsOf(
  read: () => Promise<AssayOfR>,
  cells: readonly string[],
  refuse: Refuse,
): Promise<{ proteins?: ProteinsOfR; problem?: string }> {
  try {
    return { proteins: placed(await read(), cells, refuse) };
  } catch (error) {
    if (!(error instanceof H5adError)) throw error;
    return { problem: `${error.part} ${error.problem}` };
  }
}

function placed(
  { matrix: { matrix, names: own }, of, isByPlace = false, part }: AssayOfR,
  cells: readonly string[],
  refuse: Refuse,
): ProteinsOfR {
  const wrong = (problem: string) => refuse(part, problem, '');
  const [names, columns] = [of[0] ?? own[0], isByPlace ? cells : (of[1] ?? own[1])];
  for (const [what, count, axisNames] of [
    ['proteins', matrix.geneCount, names],
    ['cells', matrix.cellCount, columns],
  ] as const)
    if (axisNames?.length !== count)
      throw wrong(`has ${count} ${what} and ${axisNames?.length ?? 'no'} names for them.`);
  const columnOf = columnsOf(columns!, cells);
  if (columnOf === undefined) throw wrong('has cells of the same name.');
  if (columnOf.every((column) => column < 0)) throw wrong('has none of the cells of the object.');
  return { matrix, names: names!, columnOf, part };
}

function columnsOf(columns: readonly string[], cells: readonly string[]): Int32Array | undefined {
  if (columns.length === cells.length && columns.every((name, at) => name === cells[at]))
    return Int32Array.from(cells.keys());
  const at = new Map(columns.map((name, column) => [name, column]));
  if (at.size !== columns.length || new Set(cells).size !== cells.length) return undefined;
  return Int32Array.from(cells, (name) => at.get(name) ?? -1);
}
