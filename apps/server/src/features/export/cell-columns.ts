import type { CellMask, Column, GeneColumn } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import type { CellTask, DatasetRef } from '../../runtime/compute/task.ts';

export interface CellsAndColumns {
  dataset: DatasetRef;
  mask: CellMask | undefined;
  columns: readonly string[];
  embeddings: readonly string[];
  /** Rows in var. */
  genes: readonly number[];
  /** Each in shared memory, one value per cell of the dataset. */
  scores: readonly Float64Array[];
}

interface CellRange {
  from: number;
  to: number;
}

export interface CellColumnsTask<Result> extends CellTask<Result>, CellsAndColumns, CellRange {
  dataset: DatasetRef;
  mask: CellMask | undefined;
}

export interface WrittenCells {
  bytes: Uint8Array;
  lines: number;
  /** The next cell to write: before the end of the task when the byte limit was reached. */
  next: number;
}

/** A task ends at this size, since bytes being sent to a client are held in memory. */
export const maxPieceBytes = 16 * 1024 * 1024;

/**
 * The columns of the cells [from, to): barcodes, columns of obs, coordinates, genes, scores. Reads only the rows of the
 * range, and each gene whole, one after the other; for an empty range, no gene.
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

/** The values of the cells [from, to), with a zero for each cell that does not express the gene. */
function valuesIn({ cells, values }: GeneColumn, from: number, to: number): Float32Array {
  const dense = new Float32Array(to - from);
  for (let i = firstFrom(cells, from); i < cells.length && cells[i]! < to; i++) {
    dense[cells[i]! - from] = values[i]!;
  }
  return dense;
}

/** Lower bound: index of the first value not below `minimum` in an ascending array. */
function firstFrom(rising: Int32Array, minimum: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle]! < minimum) low = middle + 1;
    else high = middle;
  }
  return low;
}
