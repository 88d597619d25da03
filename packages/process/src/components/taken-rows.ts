import { eachVector, type Counts } from '../load-counts.ts';
import { entryMemory, type EntryRows } from './entry-rows.ts';

/** Counts of some ascending cells, and of the marked genes or all: both are renumbered. */
export function takenRows(counts: Counts, cells: Int32Array, genes?: Uint8Array): EntryRows {
  const rowOf = new Int32Array(counts.cellCount).fill(-1);
  for (let row = 0; row < cells.length; row++) rowOf[cells[row]!] = row;
  const columnOf = new Int32Array(counts.geneCount).fill(-1);
  let geneCount = 0;
  for (let gene = 0; gene < columnOf.length; gene++)
    if (genes === undefined || genes[gene] === 1) columnOf[gene] = geneCount++;

  const pointers = new Float64Array(cells.length + 1);
  eachVector(counts, {
    cell: (cell, { indices }, from, to) => {
      const row = rowOf[cell]!;
      if (row < 0) return;
      let entryCount = 0;
      for (let at = from; at < to; at++) if (columnOf[indices[at]!]! >= 0) entryCount++;
      pointers[row + 1] = entryCount;
    },
    gene: (gene, { indices }, from, to) => {
      if (columnOf[gene]! < 0) return;
      for (let at = from; at < to; at++) {
        const row = rowOf[indices[at]!]!;
        if (row >= 0) pointers[row + 1]! += 1;
      }
    },
  });
  for (let row = 0; row < cells.length; row++) pointers[row + 1]! += pointers[row]!;

  const { words, values } = entryMemory(pointers[cells.length]!);
  const next = pointers.slice();
  eachVector(counts, {
    cell: (cell, part, from, to) => {
      const row = rowOf[cell]!;
      if (row < 0) return;
      let word = 2 * pointers[row]!;
      for (let at = from; at < to; at++) {
        const column = columnOf[part.indices[at]!]!;
        if (column < 0) continue;
        values[word] = part.counts[at]!;
        words[word + 1] = column;
        word += 2;
      }
    },
    gene: (gene, part, from, to) => {
      const column = columnOf[gene]!;
      if (column < 0) return;
      for (let at = from; at < to; at++) {
        const row = rowOf[part.indices[at]!]!;
        if (row < 0) continue;
        const word = 2 * next[row]!;
        values[word] = part.counts[at]!;
        words[word + 1] = column;
        next[row]! += 1;
      }
    },
  });
  return { cellCount: cells.length, geneCount, pointers, words, values };
}
