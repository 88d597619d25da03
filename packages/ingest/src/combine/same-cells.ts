import { countText, cutText } from '@cellfolio/model';
import type { RawCountBlock } from '../counts/count-blocks.ts';

export interface SameCells {
  samples: readonly [string, string];
  same: number;
  /** Number of compared cells of the smaller sample. */
  of: number;
}

/** Cells with fewer genes, such as empty droplets, are equal by chance. */
const minGenes = 20;
const maxNameLength = 120;
/** Minimum number of equal cells for a copy, which must also be a minimum share of the smaller sample. */
const minSame = 10;
const minShare = 0.05;

/**
 * Finds samples with the same cells, such as one file given twice: cells of at least 20 detected genes with equal
 * counts of every kept gene, if they are at least ten and 5 % of the smaller sample. Barcodes are no evidence: a few
 * per cent coincide in any two runs of a chemistry, and copies may have other names. Memory is 8 bytes per cell.
 */
export class CellPrints {
  readonly #samples: { name: string; prints: Float64Array; count: number }[] = [];

  /** Starts a sample, to which the next blocks belong. */
  begin(name: string, cells: number): void {
    this.#samples.push({ name, prints: new Float64Array(cells), count: 0 });
  }

  /** Genes of a cell must be in ascending order. */
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

  sameCells(): SameCells[] {
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
