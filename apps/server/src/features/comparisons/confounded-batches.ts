import { columnTitle } from '@cellfolio/contract';
import { type Caution, isCategorical } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { listedNames } from '../../runtime/listed-names.ts';

/** A column of batches none of which has cells of both sides. */
export interface ConfoundedBatch {
  readonly column: string;
  /** Batches with cells of each side. */
  readonly a: number;
  readonly b: number;
}

/** What columns of obs are called that say with which others a sample was processed. */
const batchName = /(^|[^a-z])(batch|chemistry|chip|flowcell|lane|plate|pool|run)(es|s)?([^a-z]|$)/i;
/** More values name cells or times, not batches. */
const maxBatches = 200;
const maxNamesListed = 5;

/** @param sides of each cell 0 for A, 1 for B, more for neither */
export async function confoundedBatches(
  dataset: Dataset,
  sides: Uint16Array,
  signal: AbortSignal,
): Promise<ConfoundedBatch[]> {
  const found: ConfoundedBatch[] = [];
  for (const name of dataset.obsColumnNames.filter((one) => batchName.test(one))) {
    const column = await dataset.obs(name, signal);
    if (!isCategorical(column) || column.categories.length > maxBatches) continue;
    const cells = [
      new Uint8Array(column.categories.length),
      new Uint8Array(column.categories.length),
    ] as const;
    for (let cell = 0; cell < sides.length; cell++) {
      const [side, batch] = [sides[cell]!, column.codes[cell]!];
      if (side < 2 && batch >= 0) cells[side]![batch] = 1;
    }
    const [a, b] = cells.map((own) => own.reduce((sum, one) => sum + one, 0)) as [number, number];
    const isShared = cells[0].some((one, batch) => one === 1 && cells[1][batch] === 1);
    if (a > 0 && b > 0 && !isShared) found.push({ column: name, a, b });
  }
  return found;
}

/** @param compared columns that the sides are made of: who compares batches knows that they are */
export function batchCautions(found: readonly ConfoundedBatch[], compared: readonly string[]): Caution[] {
  const batches = found.filter(({ column }) => !compared.includes(column));
  if (batches.length === 0) return [];
  const words = batches.map(({ column, a, b }) => `${columnTitle(column)} (${a} in A, ${b} in B)`);
  return [
    {
      code: 'batch-confounded',
      message: `No batch has cells of both A and B, by ${listedNames(words, maxNamesListed)}: whatever differs between A and B may be the difference between batches, and no test of these cells can tell the two apart. Compare cells of one batch, or of batches that have both.`,
      numbers: {
        columns: batches.slice(0, maxNamesListed).map(({ column }) => column),
        batchesA: batches.slice(0, maxNamesListed).map(({ a }) => a),
        batchesB: batches.slice(0, maxNamesListed).map(({ b }) => b),
      },
    },
  ];
}
