import { entryMemory, type EntryRows } from '../components/entry-rows.ts';
import type { GeneMoments } from '../variable-genes.ts';

export function marked(rows: EntryRows, marks: { cells?: Uint8Array; genes?: Uint8Array }): EntryRows {
  const places = new Int32Array(rows.geneCount);
  let geneCount = 0;
  for (let gene = 0; gene < places.length; gene++)
    places[gene] = !marks.genes || marks.genes[gene] === 1 ? geneCount++ : -1;
  const pointers = [0];
  let entries = 0;
  for (let cell = 0; cell < rows.cellCount; cell++) {
    if (marks.cells !== undefined && marks.cells[cell] !== 1) continue;
    for (let at = 2 * rows.pointers[cell]!; at < 2 * rows.pointers[cell + 1]!; at += 2)
      if (places[rows.words[at + 1]!]! >= 0) entries++;
    pointers.push(entries);
  }
  const { words, values } = entryMemory(entries);
  let to = 0;
  for (let cell = 0; cell < rows.cellCount; cell++) {
    if (marks.cells !== undefined && marks.cells[cell] !== 1) continue;
    for (let at = 2 * rows.pointers[cell]!; at < 2 * rows.pointers[cell + 1]!; at += 2) {
      const place = places[rows.words[at + 1]!]!;
      if (place < 0) continue;
      values[to] = rows.values[at]!;
      words[to + 1] = place;
      to += 2;
    }
  }
  return { cellCount: pointers.length - 1, geneCount, pointers: Float64Array.from(pointers), words, values };
}

export function totalsOf({ cellCount, pointers, values }: EntryRows): Float64Array {
  const totals = new Float64Array(cellCount);
  for (let cell = 0; cell < cellCount; cell++) {
    let total = 0;
    for (let at = 2 * pointers[cell]!; at < 2 * pointers[cell + 1]!; at += 2) total += values[at]!;
    totals[cell] = total;
  }
  return totals;
}

/** Moments of each gene over all cells, zeros included, with counts multiplied by the factor of their cell. */
export function momentsOfRows(rows: EntryRows, factors: Float64Array): GeneMoments {
  const { cellCount, geneCount, pointers, words, values } = rows;
  const means = new Float64Array(geneCount);
  const present = new Float64Array(geneCount);
  const variances = new Float64Array(geneCount);
  const each = (take: (gene: number, value: number) => void) => {
    for (let cell = 0; cell < cellCount; cell++) {
      for (let at = 2 * pointers[cell]!; at < 2 * pointers[cell + 1]!; at += 2)
        take(words[at + 1]!, values[at]! * factors[cell]!);
    }
  };
  each((gene, value) => {
    means[gene]! += value;
    present[gene]! += 1;
  });
  for (let gene = 0; gene < geneCount; gene++) means[gene]! /= cellCount;
  each((gene, value) => (variances[gene]! += (value - means[gene]!) ** 2));
  for (let gene = 0; gene < geneCount; gene++) {
    const zeros = (cellCount - present[gene]!) * means[gene]! ** 2;
    variances[gene] = (variances[gene]! + zeros) / (cellCount - 1);
  }
  return { means, variances };
}
