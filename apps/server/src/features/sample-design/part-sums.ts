import { plural } from '@cellfolio/model';

export interface SampleSum {
  sample: string;
  side: 'a' | 'b';
  cells: number;
}

/** A sum without a count in the genes that would have been tested; it cannot be normalised. */
export interface EmptySum extends SampleSum {
  genes: number;
}

export interface PartSums {
  /** Compared, in the order of the design's samples. */
  sums: readonly SampleSum[];
  /** Samples on only one side, when pairs are compared. */
  unpaired: readonly SampleSum[];
  fewCells: readonly SampleSum[];
  empty: readonly EmptySum[];
}

export function sumsOnSides({ sums }: Pick<PartSums, 'sums'>): { a: number; b: number } {
  const a = sums.filter(({ side }) => side === 'a').length;
  return { a, b: sums.length - a };
}

/** `P1 of A (B cell, 4 cells)`. */
export function sumWords({ sample, side, cells }: SampleSum, part: string, ...more: string[]): string {
  const facts = [...(part === '' ? [] : [part]), plural(cells, 'cell'), ...more];
  return `${sample} of ${side === 'a' ? 'A' : 'B'} (${facts.join(', ')})`;
}

/** `P1 of A (B cell, 12 cells, 0 counts in 9,000 genes)`. */
export function emptySumWords(sum: EmptySum, part: string): string {
  const { genes } = sum;
  return sumWords(sum, part, `0 counts in ${plural(genes, 'gene')}`);
}

/** Whether both sides have enough samples to estimate variation. */
export function hasReplicates(sums: readonly SampleSum[]): boolean {
  const { a, b } = sumsOnSides({ sums });
  return Math.min(a, b) > 1;
}

/**
 * The largest minimum of cells per sample that leaves two samples on each side, or two pairs; undefined if none does.
 */
export function cellsForReplicates(
  { sums, unpaired, fewCells }: PartSums,
  isPaired: boolean,
): number | undefined {
  const all = [...sums, ...unpaired, ...fewCells];
  const of = (side: SampleSum['side']) => all.filter((sum) => sum.side === side);
  const secondMost = (cells: readonly number[]) => cells.toSorted((one, other) => other - one)[1];
  if (isPaired) {
    const inB = new Map(of('b').map(({ sample, cells }) => [sample, cells]));
    return secondMost(
      of('a')
        .map(({ sample, cells }) => Math.min(cells, inB.get(sample) ?? 0))
        .filter((cells) => cells > 0),
    );
  }
  const [a, b] = (['a', 'b'] as const).map((side) => secondMost(of(side).map(({ cells }) => cells)));
  return a === undefined || b === undefined ? undefined : Math.min(a, b);
}
