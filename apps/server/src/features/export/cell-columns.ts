import type { CellMask, Column, GeneColumn } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import type { CellTask, DatasetRef } from '../../runtime/compute/task.ts';

/** Which cells and columns a table has: barcodes, then these. */
export interface CellsAndColumns {
  readonly dataset: DatasetRef;
  readonly mask: CellMask | undefined;
  /** Of obs. */
  readonly columns: readonly string[];
  readonly embeddings: readonly string[];
  /** Rows in var. */
  readonly genes: readonly number[];
  /** Each in shared memory, one value a cell of the dataset. */
  readonly scores: readonly Float64Array[];
}

interface CellRange {
  readonly from: number;
  readonly to: number;
}

export interface CellColumnsTask<Result> extends CellTask<Result>, CellsAndColumns, CellRange {
  readonly dataset: DatasetRef;
  readonly mask: CellMask | undefined;
}

/** Cells of a table that were written one after the other. */
export interface WrittenCells {
  readonly bytes: Uint8Array;
  /** Cells in them. */
  readonly lines: number;
  /** The first cell that was not looked at: before the end of the task where the bytes became too many. */
  readonly next: number;
}

/** Cells of a task end here: what is on its way to a client is held in memory. */
export const maxPieceBytes = 16 * 1024 * 1024;

/**
 * The columns of the cells [from, to): barcodes, columns of obs, coordinates, genes, scores. Reads the rows of the range
 * alone, and each gene whole, one after the other; of no cells, no gene.
 */
export async function cellColumns(
  { from, to, columns, embeddings, genes, scores }: CellsAndColumns & CellRange,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<Column[]> {
  const rows = await dataset.cellRows({ from, to }, { columns, embeddings }, signal);
  const all: Column[] = [{ kind: 'string', strings: rows.names }, ...rows.columns];
  for (const { dimensions, values } of rows.embeddings) {
    for (let dimension = 0; dimension < dimensions; dimension++) {
      const one = values.slice(0, to - from);
      for (let cell = 0; cell < one.length; cell++) one[cell] = values[cell * dimensions + dimension]!;
      all.push(realColumn(one));
    }
  }
  for (const gene of genes) {
    all.push(
      realColumn(from < to ? valuesIn(await dataset.gene(gene, signal), from, to) : new Float32Array(0)),
    );
  }
  for (const values of scores) all.push(realColumn(values.subarray(from, to)));
  return all;
}

function realColumn(values: Float32Array | Float64Array): Column {
  return { kind: 'numeric', dtype: values instanceof Float32Array ? 'float32' : 'float64', values };
}

/** The values of the cells [from, to), with a zero for each that does not express the gene. */
function valuesIn({ cells, values }: GeneColumn, from: number, to: number): Float32Array {
  const dense = new Float32Array(to - from);
  for (let i = firstFrom(cells, from); i < cells.length && cells[i]! < to; i++) {
    dense[cells[i]! - from] = values[i]!;
  }
  return dense;
}

/** Position of the first of some rising numbers that is not below `least`. */
function firstFrom(rising: Int32Array, least: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
