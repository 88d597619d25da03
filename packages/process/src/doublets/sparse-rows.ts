import type { ScranMatrix } from 'scran.js';

/** Counts of cells x genes without the zeros, cell after cell. */
export interface SparseRows {
  readonly cellCount: number;
  readonly geneCount: number;
  /** cellCount + 1 rising positions in `genes` and `counts`, the first of them 0. */
  readonly pointers: Float64Array;
  readonly genes: Int32Array;
  readonly counts: Float64Array;
}

/** Some cells of a matrix of genes x cells in the library's memory: 12 bytes an entry. */
export function rowsOfCells(matrix: ScranMatrix, cells: ArrayLike<number>): SparseRows {
  const geneCount = matrix.numberOfRows();
  const pointers = new Float64Array(cells.length + 1);
  let genes = new Int32Array(1 << 16);
  let counts = new Float64Array(1 << 16);
  let entries = 0;
  for (let at = 0; at < cells.length; at++) {
    const column = matrix.column(cells[at]!);
    if (entries + geneCount > genes.length) {
      const length = Math.max(2 * genes.length, entries + geneCount);
      genes = grown(genes, new Int32Array(length));
      counts = grown(counts, new Float64Array(length));
    }
    for (let gene = 0; gene < geneCount; gene++) {
      const count = column[gene]!;
      if (count === 0) continue;
      genes[entries] = gene;
      counts[entries++] = count;
    }
    pointers[at + 1] = entries;
  }
  return {
    cellCount: cells.length,
    geneCount,
    pointers,
    genes: genes.slice(0, entries),
    counts: counts.slice(0, entries),
  };
}

function grown<T extends Int32Array | Float64Array>(from: T, into: T): T {
  into.set(from);
  return into;
}

/** The marked cells and genes alone, numbered anew; all of those that are not marked. */
export function marked(rows: SparseRows, marks: { cells?: Uint8Array; genes?: Uint8Array }): SparseRows {
  const places = new Int32Array(rows.geneCount);
  let geneCount = 0;
  for (let gene = 0; gene < places.length; gene++)
    places[gene] = !marks.genes || marks.genes[gene] === 1 ? geneCount++ : -1;
  const pointers = [0];
  const genes = new Int32Array(rows.genes.length);
  const counts = new Float64Array(rows.counts.length);
  let entries = 0;
  for (let cell = 0; cell < rows.cellCount; cell++) {
    if (marks.cells !== undefined && marks.cells[cell] !== 1) continue;
    for (let at = rows.pointers[cell]!; at < rows.pointers[cell + 1]!; at++) {
      const place = places[rows.genes[at]!]!;
      if (place < 0) continue;
      genes[entries] = place;
      counts[entries++] = rows.counts[at]!;
    }
    pointers.push(entries);
  }
  return {
    cellCount: pointers.length - 1,
    geneCount,
    pointers: Float64Array.from(pointers),
    genes: genes.slice(0, entries),
    counts: counts.slice(0, entries),
  };
}

/** Per cell the sum of its counts. */
export function totalsOf({ cellCount, pointers, counts }: SparseRows): Float64Array {
  const totals = new Float64Array(cellCount);
  for (let cell = 0; cell < cellCount; cell++) {
    let total = 0;
    for (let at = pointers[cell]!; at < pointers[cell + 1]!; at++) total += counts[at]!;
    totals[cell] = total;
  }
  return totals;
}

/** The counts of each cell multiplied by its factor. */
export function scaled(rows: SparseRows, factors: Float64Array): SparseRows {
  const counts = new Float64Array(rows.counts.length);
  for (let cell = 0; cell < rows.cellCount; cell++) {
    const factor = factors[cell]!;
    for (let at = rows.pointers[cell]!; at < rows.pointers[cell + 1]!; at++)
      counts[at] = rows.counts[at]! * factor;
  }
  return { ...rows, counts };
}

/** Mean and variance (n - 1 in the denominator) of each gene over all cells, zeros included. */
export function momentsOfGenes({ cellCount, geneCount, genes, counts }: SparseRows): {
  means: Float64Array;
  variances: Float64Array;
} {
  const means = new Float64Array(geneCount);
  const present = new Float64Array(geneCount);
  for (let at = 0; at < genes.length; at++) {
    means[genes[at]!]! += counts[at]!;
    present[genes[at]!]! += 1;
  }
  for (let gene = 0; gene < geneCount; gene++) means[gene]! /= cellCount;
  const variances = new Float64Array(geneCount);
  for (let at = 0; at < genes.length; at++) variances[genes[at]!]! += (counts[at]! - means[genes[at]!]!) ** 2;
  for (let gene = 0; gene < geneCount; gene++) {
    const zeros = (cellCount - present[gene]!) * means[gene]! ** 2;
    variances[gene] = (variances[gene]! + zeros) / (cellCount - 1);
  }
  return { means, variances };
}
