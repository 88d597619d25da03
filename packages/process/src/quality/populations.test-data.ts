import type { SimulatedCounts } from '../testing/simulated-counts.ts';
import { mulberry32 } from './removed-together.ts';

const geneCount = 600;
const mitochondrialCount = 13;

export interface Population {
  cells: number;
  /** Mean counts per cell. */
  depth: number;
  kind: number;
  mitochondrial: number;
  sample: string;
}

export function simulatePopulations(populations: readonly Population[]) {
  const random = mulberry32(11);
  const geneNames = Array.from({ length: geneCount }, (_, gene) =>
    gene < mitochondrialCount ? `MT-${gene}` : `GENE${gene}`,
  );
  const rows: Int32Array[] = [];
  const samples: string[] = [];
  const groups: number[] = [];
  for (const [group, { cells, depth, kind, mitochondrial, sample }] of populations.entries()) {
    for (let cell = 0; cell < cells; cell++) {
      // Two uniform numbers: a spread of a quarter around the depth.
      const total = Math.round(depth * (0.6 + 0.4 * (random() + random())));
      const row = new Int32Array(geneCount);
      for (let count = 0; count < total; count++) {
        const gene =
          random() < mitochondrial
            ? Math.floor(random() * mitochondrialCount)
            : mitochondrialCount + nuclear(kind, random);
        row[gene]! += 1;
      }
      rows.push(row);
      samples.push(sample);
      groups.push(group);
    }
  }
  return { geneNames, rows, groups, samples } satisfies SimulatedCounts & { samples: string[] };
}

/** Half of the counts are from the genes of a kind, the others from any. */
function nuclear(kind: number, random: () => number): number {
  const genes = geneCount - mitochondrialCount;
  if (random() < 0.5) return Math.floor(random() * genes);
  return Math.floor(random() * 40) + 40 * kind;
}

/** 1,800 cells with much RNA in one sample, 200 healthy ones with a twentieth of it in another. */
export const healthyButPoor: readonly Population[] = [
  ...[0, 1, 2].map((kind) => ({ cells: 600, depth: 3000, kind, mitochondrial: 0.02, sample: 'A' })),
  { cells: 200, depth: 150, kind: 3, mitochondrial: 0.02, sample: 'B' },
];

/** The same 1,800, and 200 damaged ones of all their kinds in the same sample. */
export const damaged: readonly Population[] = [
  ...[0, 1, 2].map((kind) => ({ cells: 600, depth: 3000, kind, mitochondrial: 0.02, sample: 'A' })),
  ...[0, 1, 2].map((kind) => ({
    cells: 66 + Number(kind < 2),
    depth: 150,
    kind,
    mitochondrial: 0.3,
    sample: 'A',
  })),
];
