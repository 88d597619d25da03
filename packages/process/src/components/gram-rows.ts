import { componentsKernel } from './components-kernel.ts';
import { partBytes, takePart, type EntryRows } from './entry-rows.ts';

/** Every `step`-th gene, from `first` on. */
export interface GeneShare {
  first: number;
  step: number;
}

/** Starts of the sums of each gene of a share with itself and those after it; the last number is the end of all. */
export function gramStarts(geneCount: number, { first, step }: GeneShare): Float64Array {
  const starts = new Float64Array(geneCount + 1);
  for (let gene = 0; gene < geneCount; gene++)
    starts[gene + 1] = starts[gene]! + (gene % step === first ? geneCount - gene : 0);
  return starts;
}

/**
 * Sums over all cells of the products of each gene of a share with itself and with those after it. Added in cell order,
 * whatever the share. `onPart`: receives the completed share of the cells after each part.
 */
export function gramRows(rows: EntryRows, share: GeneShare, onPart?: (done: number) => void): Float64Array {
  const { cellCount, geneCount } = rows;
  const starts = gramStarts(geneCount, share);
  const size = starts[geneCount]!;
  const bytes = partBytes(rows);
  const listAt = 8 * size + bytes;
  const { kernel, memory } = componentsKernel(8 * size + 2 * bytes);
  const { buffer } = memory;
  const sums = new Float64Array(buffer, 0, size).fill(0);
  const words = new Uint32Array(buffer);
  const ends = new Int32Array(geneCount + 1);
  const own = Uint8Array.from(ends, (_, gene) => Number(gene % share.step === share.first));
  for (let cell = 0; cell < cellCount;) {
    const part = takePart(rows, cell, buffer, 8 * size);
    listGenes(words, part, { listAt, own, ends });
    for (let gene = 0, from = listAt; gene < geneCount; from = ends[gene++]!) {
      // Its own sum is the first: that of gene 0 would stand before.
      if (ends[gene]! > from) kernel.gram(from, ends[gene]!, 8 * (starts[gene]! - gene));
    }
    cell += part.cells;
    onPart?.(cell / cellCount);
  }
  return sums.slice();
}

/** Lists the entries of a part by gene, with ends in `ends`: their address and that of the end of their cell. */
function listGenes(
  words: Uint32Array,
  { entries, ends: endsAt, last }: { entries: number; ends: number; last: number },
  { listAt, own, ends }: { listAt: number; own: Uint8Array; ends: Int32Array },
): void {
  const stop = last === endsAt ? entries : words[last / 4 - 1]!;
  ends.fill(0);
  for (let at = entries / 4 + 1; at < stop / 4; at += 2) {
    const gene = words[at]!;
    ends[gene + 1]! += own[gene]!;
  }
  ends[0] = listAt;
  for (let gene = 1; gene < ends.length; gene++) ends[gene] = ends[gene - 1]! + 8 * ends[gene]!;
  // Where a gene begins becomes where it ends.
  for (let end = endsAt, at = entries; end < last; end += 4) {
    const endOfCell = words[end / 4]!;
    for (; at < endOfCell; at += 8) {
      const gene = words[at / 4 + 1]!;
      if (own[gene] === 0) continue;
      const to = ends[gene]! / 4;
      words[to] = at;
      words[to + 1] = endOfCell;
      ends[gene]! += 8;
    }
  }
}
