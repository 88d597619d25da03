import { H5adError } from '../../h5ad-error.ts';
import type { NamedMatrix, Names } from './named-matrix.ts';
import type { Refuse, RMatrix } from './r-matrix.ts';

/** Proteins that were measured in cells of an object. */
export interface ProteinsOfR {
  /** Proteins x the cells that they were measured in. */
  readonly matrix: RMatrix;
  readonly names: readonly string[];
  /** The column of each cell of the object; -1 where it has none. */
  readonly columnOf: Int32Array;
  /** Where they are in the object, for messages. */
  readonly part: string;
}

/** An assay beside that of the genes, as it was read. */
interface AssayOfR {
  readonly matrix: NamedMatrix;
  /** Names of the proteins and cells, where the matrix does not have them; without names of cells they are those of the object. */
  readonly of: readonly [Names, Names];
  readonly isByPlace?: boolean;
  readonly part: string;
}

/**
 * The proteins of an assay, brought to the cells of the object. What is wrong with them is said, and the object is read
 * without them. Throws what is no refusal.
 */
export async function proteinsOf(
  read: () => Promise<AssayOfR>,
  cells: readonly string[],
  refuse: Refuse,
): Promise<{ readonly proteins?: ProteinsOfR; readonly problem?: string }> {
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
  for (const [what, count, found] of [
    ['proteins', matrix.geneCount, names],
    ['cells', matrix.cellCount, columns],
  ] as const)
    if (found?.length !== count)
      throw wrong(`has ${count} ${what} and ${found?.length ?? 'no'} names for them.`);
  const columnOf = columnsOf(columns!, cells);
  if (columnOf === undefined) throw wrong('has cells of the same name.');
  if (columnOf.every((column) => column < 0)) throw wrong('has none of the cells of the object.');
  return { matrix, names: names!, columnOf, part };
}

/** Where each cell is among the columns; undefined where that cannot be told. */
function columnsOf(columns: readonly string[], cells: readonly string[]): Int32Array | undefined {
  if (columns.length === cells.length && columns.every((name, at) => name === cells[at]))
    return Int32Array.from(cells.keys());
  const at = new Map(columns.map((name, column) => [name, column]));
  if (at.size !== columns.length || new Set(cells).size !== cells.length) return undefined;
  return Int32Array.from(cells, (name) => at.get(name) ?? -1);
}
