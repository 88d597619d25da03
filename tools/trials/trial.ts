import type { GeneBlock } from '@cellfolio/model';
import type { SeededBits } from '../../bench/src/data/seeded-bits.ts';

export interface Tally {
  readonly found: number;
  readonly of: number;
}

export interface Trial {
  readonly name: string;
  readonly planted: string;
  readonly nothing: string;
  readonly run: (seed: number) => { readonly planted: Tally; readonly nothing: Tally };
}

export function tally(places: Iterable<number>, isFound: (place: number) => boolean): Tally {
  let [found, of] = [0, 0];
  for (const place of places) {
    of++;
    if (isFound(place)) found++;
  }
  return { found, of };
}

export function poisson(bits: SeededBits, mean: number): number {
  let [count, product] = [0, bits.uniform()];
  for (const limit = Math.exp(-mean); product > limit; count++) product *= bits.uniform();
  return count;
}

export function blockOf(genes: readonly Float32Array[]): GeneBlock {
  const starts = new Float64Array(genes.length + 1);
  const [cells, values]: [number[], number[]] = [[], []];
  genes.forEach((own, gene) => {
    own.forEach((value, cell) => {
      if (value === 0) return;
      cells.push(cell);
      values.push(value);
    });
    starts[gene + 1] = cells.length;
  });
  return {
    cellCount: genes[0]?.length ?? 0,
    firstGene: 0,
    starts,
    cells: Int32Array.from(cells),
    values: Float32Array.from(values),
  };
}

export function shuffled(bits: SeededBits, count: number): number[] {
  return Array.from({ length: count }, (_, place) => ({ place, key: bits.uniform() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ place }) => place);
}
