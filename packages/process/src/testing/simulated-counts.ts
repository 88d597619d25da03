import { mapDefaults } from '@cellfolio/model';
import type { CountBlock, CountMatrix, ProcessSettings } from '../process-input.ts';

export interface SimulatedCounts {
  geneNames: readonly string[];
  groups: readonly number[];
  rows: readonly Int32Array[];
}

export function simulateCounts(shape: { cells: number; genes: number; groups: number }): SimulatedCounts {
  const random = generator(7);
  const geneNames = Array.from({ length: shape.genes }, (_, gene) =>
    gene < 5 ? `MT-${gene}` : `GENE${gene}`,
  );
  const groups = Array.from({ length: shape.cells }, (_, cell) => cell % shape.groups);
  const rows = groups.map((group) => {
    const depth = 0.6 + random();
    return Int32Array.from({ length: shape.genes }, (_, gene) => {
      const own = gene % (shape.groups * 2) === group;
      return poisson((own ? 4 : 0.4) * depth, random);
    });
  });
  return { geneNames, groups, rows };
}

export function inBlocks(
  { geneNames, rows }: SimulatedCounts,
  by: CountMatrix['by'],
  size: number,
): CountMatrix {
  const vectors = by === 'cell' ? rows : turned(rows, geneNames.length);
  const starts = Array.from({ length: Math.ceil(vectors.length / size) }, (_, block) => block * size);
  return {
    cellCount: rows.length,
    geneNames,
    by,
    blocks: starts.map((start) => blockOf(vectors.slice(start, start + size))),
  };
}

function turned(rows: readonly Int32Array[], geneCount: number): Int32Array[] {
  const genes = Array.from({ length: geneCount }, () => new Int32Array(rows.length));
  for (const [cell, row] of rows.entries())
    for (let gene = 0; gene < geneCount; gene++) genes[gene]![cell] = row[gene]!;
  return genes;
}

function blockOf(vectors: readonly Int32Array[]): CountBlock {
  const pointers = [0];
  const indices: number[] = [];
  const counts: number[] = [];
  for (const vector of vectors) {
    for (let index = 0; index < vector.length; index++) {
      const count = vector[index]!;
      if (count === 0) continue;
      indices.push(index);
      counts.push(count);
    }
    pointers.push(indices.length);
  }
  return { pointers, indices: Int32Array.from(indices), counts };
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function poisson(mean: number, random: () => number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count++;
  return count;
}

export const defaultSettings: ProcessSettings = {
  quality: { deviations: 5 },
  ...mapDefaults,
};
