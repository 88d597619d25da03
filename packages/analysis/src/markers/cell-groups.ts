import { type CategoricalColumn, type CellMask, countText } from '@cellfolio/model';
import { maxGroups, maxMarkerGroups } from './test-limits.ts';

/** Assignment of cells to groups. Plain arrays, which can be sent to a thread. */
export interface CellGroups {
  /** Names of the n groups in category order; categories without cells are left out. */
  readonly names: readonly string[];
  readonly sizes: Float64Array;
  /**
   * Per cell of the dataset: its group from 0 to n - 1; n for a cell without a category, which is in no group but among
   * the others of every group; n + 1 for a cell outside the active subset, which is ignored.
   */
  readonly codes: Uint16Array;
  /** Number of counted cells: of all groups, and without a category. */
  readonly cellCount: number;
}

export class TooManyGroups extends Error {
  override readonly name = 'TooManyGroups';
  readonly groupCount: number;
  readonly limit: number;
  /** `what`: beginning of the message, the subject that has so many groups; `genes`: number that is tested in each. */
  constructor(groupCount: number, what = 'the column has', limit = maxGroups, genes?: number) {
    const times =
      genes === undefined ? '' : ` × ${countText(genes)} genes, ${countText(groupCount * genes)} tests`;
    super(
      `${what} ${countText(groupCount)} groups${times}, and at most ${countText(limit)} groups${genes === undefined ? '' : ' of so many genes'} can be compared: choose a column with fewer, or a subset of the cells`,
    );
    this.groupCount = groupCount;
    this.limit = limit;
  }
}

/**
 * Groups of a column within the active subset. Throws TooManyGroups, and RangeError for a mask of other cells.
 * @param geneCount of genes that are tested in each group, which say how many groups there may be
 */
export function cellGroups(column: CategoricalColumn, mask?: CellMask, geneCount?: number): CellGroups {
  const { codes: categories, categories: labels } = column;
  if (mask && mask.bits.length !== categories.length) {
    throw new RangeError(`a mask of ${mask.bits.length} cells does not fit ${categories.length} cells`);
  }
  const bits = mask?.bits;
  const counts = new Float64Array(labels.length);
  let cellCount = 0;
  for (let cell = 0; cell < categories.length; cell++) {
    if (bits && bits[cell] === 0) continue;
    cellCount++;
    const category = categories[cell]!;
    if (category >= 0) counts[category]!++;
  }
  const groupOf = new Int32Array(labels.length).fill(-1);
  const names: string[] = [];
  const sizes: number[] = [];
  for (let category = 0; category < labels.length; category++) {
    if (counts[category] === 0) continue;
    groupOf[category] = names.length;
    names.push(labels[category]!);
    sizes.push(counts[category]!);
  }
  const limit = groupLimit(geneCount);
  if (names.length > limit) throw new TooManyGroups(names.length, undefined, limit, geneCount);
  const none = names.length;
  const codes = new Uint16Array(categories.length);
  for (let cell = 0; cell < categories.length; cell++) {
    const category = categories[cell]!;
    codes[cell] = bits && bits[cell] === 0 ? none + 1 : category >= 0 ? groupOf[category]! : none;
  }
  return { names, sizes: Float64Array.from(sizes), codes, cellCount };
}

/** As `cellGroups`. */
export function groupLimit(geneCount: number | undefined): number {
  return geneCount === undefined ? maxGroups : maxMarkerGroups(geneCount);
}
