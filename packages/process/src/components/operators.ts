import { componentsKernel, lanes } from './components-kernel.ts';
import { maxOfPart, partBytes, takePart, type EntryRows } from './entry-rows.ts';
import type { Eigenpairs } from './symmetric-eigen.ts';

/** A symmetric matrix, defined by its products with panels. */
export interface Operator {
  size: number;
  /** Bytes at the start of the kernel's memory that it occupies: a multiple of 16. */
  bytes: number;
  begin: () => void;
  /** Multiplies the panel at one address into that at another, which has room for an even number of rows. */
  apply: (from: number, to: number) => void;
}

export function denseOperator(size: number, write: (matrix: Float64Array) => void): Operator {
  const end = 8 * size * evenly(size);
  return {
    size,
    bytes: 2 * evenly(end / 2),
    begin: () => {
      const own = new Float64Array(componentsKernel(end).memory.buffer, 0, end / 8);
      write(own.subarray(0, size * size));
      own.fill(0, size * size);
    },
    apply: (from, to) => componentsKernel(end).kernel.multiply(0, end, 8 * size, from, to),
  };
}

export function evenly(count: number): number {
  return count + (count % 2);
}

/**
 * Covariance of the genes (n - 1 in the denominator), applied through the cells' entries without computing its
 * elements.
 */
export function covarianceOperator(rows: EntryRows, means: Float64Array): Operator {
  const { cellCount, geneCount } = rows;
  const numbers = 16 * Math.ceil(partBytes(rows) / 16);
  const bytes = numbers + 8 * lanes * maxOfPart;
  return {
    size: geneCount,
    bytes,
    begin: () => undefined,
    apply: (from, to) => {
      const { kernel, memory } = componentsKernel(bytes);
      const { buffer } = memory;
      const vectors = new Float64Array(buffer, from, lanes * geneCount);
      const sums = new Float64Array(buffer, to, lanes * geneCount).fill(0);
      for (let cell = 0; cell < cellCount;) {
        const { entries, ends, last, cells } = takePart(rows, cell, buffer, 0);
        kernel.project(entries, ends, last, from, numbers);
        kernel.collect(entries, ends, last, numbers, to);
        cell += cells;
      }
      const centre = byMeans(vectors, means);
      for (let gene = 0; gene < geneCount; gene++) {
        for (let lane = 0; lane < lanes; lane++) {
          const at = lanes * gene + lane;
          sums[at] = (sums[at]! - cellCount * means[gene]! * centre[lane]!) / (cellCount - 1);
        }
      }
    },
  };
}

/** Product of a panel with the means, as for a cell that has them. */
function byMeans(panel: Float64Array, means: Float64Array): Float64Array {
  const sums = new Float64Array(lanes);
  for (let gene = 0; gene < means.length; gene++)
    for (let lane = 0; lane < lanes; lane++) sums[lane]! += means[gene]! * panel[lanes * gene + lane]!;
  return sums;
}

/**
 * Coordinates of the cells along axes, minus those of the means; all axes of one cell after the other. `onPart`:
 * receives the completed share of the cells after each part.
 */
export function scoresAlong(
  rows: EntryRows,
  means: Float64Array,
  { values: { length: count }, vectors }: Eigenpairs,
  onPart: (done: number) => void,
): Float64Array {
  const { cellCount, geneCount } = rows;
  const panels = Math.ceil(count / lanes);
  const panelsAt = 16 * Math.ceil(partBytes(rows) / 16);
  const panelBytes = 8 * lanes * geneCount;
  const out = panelsAt + panels * panelBytes;
  const { kernel, memory } = componentsKernel(out + 8 * lanes * maxOfPart);
  const { buffer } = memory;
  const all = new Float64Array(buffer, panelsAt, panels * lanes * geneCount).fill(0);
  const centres = new Float64Array(count);
  for (let axis = 0; axis < count; axis++) {
    const to = Math.floor(axis / lanes) * lanes * geneCount + (axis % lanes);
    for (let gene = 0; gene < geneCount; gene++) {
      const weight = vectors[axis * geneCount + gene]!;
      all[to + lanes * gene] = weight;
      centres[axis]! += weight * means[gene]!;
    }
  }
  const projected = new Float64Array(buffer, out, lanes * maxOfPart);
  const scores = new Float64Array(cellCount * count);
  for (let cell = 0; cell < cellCount;) {
    const { entries, ends, last, cells } = takePart(rows, cell, buffer, 0);
    for (let panel = 0; panel < panels; panel++) {
      kernel.project(entries, ends, last, panelsAt + panel * panelBytes, out);
      const axes = Math.min(lanes, count - lanes * panel);
      for (let of = 0; of < cells; of++) {
        const to = (cell + of) * count + lanes * panel;
        for (let lane = 0; lane < axes; lane++)
          scores[to + lane] = projected[lanes * of + lane]! - centres[lanes * panel + lane]!;
      }
    }
    cell += cells;
    onPart(cell / cellCount);
  }
  return scores;
}
