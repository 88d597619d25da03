import { type CategoricalColumn, type CellMask, isCategorical } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';

/** Categories that occur in the column, or in its cells of a mask, with the number of cells of each, in the column's order. */
export function categoryCounts(column: CategoricalColumn, mask?: CellMask): Map<string, number> {
  const counts = new Float64Array(column.categories.length);
  const { codes } = column;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code >= 0 && (!mask || mask.bits[i] === 1)) counts[code]!++;
  }
  const present = new Map<string, number>();
  for (const [code, name] of column.categories.entries()) {
    const cells = counts[code] ?? 0;
    if (cells > 0) present.set(name, cells);
  }
  return present;
}

/** How many of the cells that were counted have no category. */
export function unlabelledCells(counts: ReadonlyMap<string, number>, cellCount: number): number {
  let labelled = 0;
  for (const cells of counts.values()) labelled += cells;
  return cellCount - labelled;
}

/** Cells of each category of an obs column; empty where the dataset has no such column. */
export async function countsOf(dataset: Dataset, name: string | undefined): Promise<Map<string, number>> {
  if (name === undefined) return new Map();
  const column = await dataset.obs(name);
  return isCategorical(column) ? categoryCounts(column) : new Map();
}

/** Shown name of each metadata field to the values that occur in it, each with its cells. */
export async function metadataCounts(
  dataset: Dataset,
  metadata: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const fields = await Promise.all(
    Object.entries(metadata).map(async ([shown, name]): Promise<[string, Map<string, number>]> => [
      shown,
      await countsOf(dataset, name),
    ]),
  );
  return new Map(fields);
}
