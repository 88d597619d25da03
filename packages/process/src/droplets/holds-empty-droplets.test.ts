import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inspectDroplets } from './call-cells.ts';
import type { DropletCounts } from './droplet-counts.ts';
import { rawMatrix, simulateDroplets, usualCall } from './testing/simulated-droplets.ts';

const shared = process.env['CELLFOLIO_SHARED'] ?? join(import.meta.dirname, '../../../../../shared');
const mouse = join(shared, 'data/mouse_brain_10k_mtx/matrix.mtx');
const noEmpties = { genes: 600, empties: 0, emptyCounts: 1, emptySpread: 1 };

test.each([
  ['with few cells', { ...rawMatrix, kinds: [{ cells: 60, counts: 3000, spread: 0.4 }], empties: 5000 }],
  [
    'with very different cells',
    {
      ...rawMatrix,
      kinds: [
        { cells: 300, counts: 3000, spread: 1 },
        { cells: 200, counts: 900, spread: 0.6 },
      ],
      empties: 5000,
    },
  ],
  [
    'of droplets that differ beyond sampling',
    { ...rawMatrix, kinds: [{ cells: 300, counts: 2500, spread: 0.4 }], empties: 5000, concentration: 1000 },
  ],
  [
    'with barcodes of next to no counts',
    {
      ...rawMatrix,
      kinds: [{ cells: 300, counts: 2500, spread: 0.4 }],
      empties: 6000,
      emptyCounts: 8,
      emptySpread: 1,
    },
  ],
])('a raw matrix %s is recognised', async (_, shape) => {
  expect((await inspectDroplets(simulateDroplets(shape), usualCall)).holdsEmpty).toBe(true);
});

test.each([40, 60, 100, 200].flatMap((counts) => [0.3, 0.7, 1.2, 1.6].map((spread) => [counts, spread])))(
  'a filtered matrix of cells with a median of %i counts and a spread of %f is not taken for a raw one',
  async (counts, spread) => {
    const kinds = [
      { cells: 700, counts: counts!, spread: spread! },
      { cells: 300, counts: counts! / 2, spread: spread! },
    ];
    expect((await inspectDroplets(simulateDroplets({ ...noEmpties, kinds }), usualCall)).holdsEmpty).toBe(
      false,
    );
  },
);

test('cells of low and of high counts side by side are not taken for empty droplets and cells', async () => {
  const kinds = [
    { cells: 1600, counts: 45, spread: 0.3 },
    { cells: 1600, counts: 50, spread: 0.3 },
    { cells: 700, counts: 60, spread: 0.3 },
    { cells: 500, counts: 4000, spread: 0.3 },
  ];
  expect((await inspectDroplets(simulateDroplets({ ...noEmpties, kinds }), usualCall)).holdsEmpty).toBe(
    false,
  );
});

test('10,000 filtered cells of mouse brain are not taken for a raw matrix', async ({ skip }) => {
  if (!existsSync(mouse)) {
    console.warn(`SKIPPED LOUDLY: ${mouse} is absent (see CELLFOLIO_SHARED).`);
    skip();
  }
  const { holdsEmpty } = await inspectDroplets(readMatrix(mouse), usualCall);
  expect(holdsEmpty).toBe(false);
});

function readMatrix(path: string): DropletCounts {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('%'));
  const [geneCount, cellCount] = lines[0]!.split(' ').map(Number) as [number, number];
  const cells = Array.from({ length: cellCount }, () => ({
    indices: [] as number[],
    counts: [] as number[],
  }));
  for (const line of lines.slice(1)) {
    const [gene, cell, count] = line.split(' ').map(Number) as [number, number, number];
    cells[cell - 1]!.indices.push(gene - 1);
    cells[cell - 1]!.counts.push(count);
  }
  return {
    by: 'cell',
    cellCount,
    geneCount,
    blocks: () =>
      cells.map(({ indices, counts }) => ({
        pointers: [0, indices.length],
        indices: Int32Array.from(indices),
        counts,
      })),
  };
}
