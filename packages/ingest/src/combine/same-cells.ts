import { countText, cutText } from '@cellfolio/model';
import type { RawCountBlock } from '../counts/count-blocks.ts';

/** Two samples that have cells with the same counts. */
export interface SameCells {
  readonly samples: readonly [string, string];
  /** Cells with the same counts of every gene in both. */
  readonly same: number;
  /** Cells of the smaller one that were compared. */
  readonly of: number;
}

/** Of fewer genes, such as empty droplets, cells are alike by chance. */
const minGenes = 20;
const maxNameLength = 120;
/** Fewer cells, or a smaller share of the smaller sample, are no copy of it. */
const minSame = 10;
const minShare = 0.05;

/**
 * Finds samples that hold the same cells, such as one file that was given twice: cells of at least 20 detected genes with
 * equal counts of every kept gene, where they are at least ten and 5 % of the smaller sample. Barcodes say nothing of that:
 * a few per cent coincide in any two runs of a chemistry, and copies may have other names. Memory is 8 bytes a cell.
 */
export class CellPrints {
  readonly #samples: { readonly name: string; readonly prints: Float64Array; count: number }[] = [];

  /** The blocks that are added from now on are of this sample. */
  begin(name: string, cells: number): void {
    this.#samples.push({ name, prints: new Float64Array(cells), count: 0 });
  }

  /** Cells with their genes in rising order. */
  add({ pointers, indices, counts }: RawCountBlock): void {
    const sample = this.#samples.at(-1)!;
    for (let cell = 0; cell + 1 < pointers.length; cell++) {
      // FNV-1a over genes and counts, twice: 53 bits of it are exact as a number.
      let one = 0x811c9dc5;
      let other = 0x9747b28c;
      const [start, end] = [pointers[cell]!, pointers[cell + 1]!];
      if (end - start < minGenes) continue;
      for (let at = start; at < end; at++) {
        const count = counts[at]!;
        const gene = indices[at]!;
        one = Math.imul(Math.imul(one ^ gene, 0x01000193) ^ count, 0x01000193);
        other = Math.imul(Math.imul(other ^ count, 0x5bd1e995) ^ gene, 0x5bd1e995) ^ (other >>> 15);
      }
      sample.prints[sample.count++] = (one >>> 0) * 2 ** 21 + (other >>> 11);
    }
  }

  /** In the order of the samples. */
  found(): SameCells[] {
    const sorted = this.#samples.map(({ name, prints, count }) => ({
      name,
      prints: prints.subarray(0, count).sort(),
    }));
    return sorted.flatMap((a, at) =>
      sorted.slice(at + 1).flatMap((b): SameCells[] => {
        const same = commonOf(a.prints, b.prints);
        const of = Math.min(a.prints.length, b.prints.length);
        return same >= minSame && same >= minShare * of ? [{ samples: [a.name, b.name], same, of }] : [];
      }),
    );
  }
}

export function sameCellsText({ samples, same, of }: SameCells): string {
  const [one, other] = samples.map((name) => cutText(name, maxNameLength));
  return `${one} and ${other} have ${countText(same)} of ${countText(of)} cells with the same counts of every gene: the same file twice? Tests between samples would count these cells twice.`;
}

/** How many numbers of two sorted lists are in both. */
function commonOf(a: Float64Array, b: Float64Array): number {
  let common = 0;
  for (let one = 0, other = 0; one < a.length && other < b.length;) {
    const difference = a[one]! - b[other]!;
    if (difference === 0) common += 1;
    if (difference <= 0) one += 1;
    if (difference >= 0) other += 1;
  }
  return common;
}
