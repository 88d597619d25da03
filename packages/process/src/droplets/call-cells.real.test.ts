import { readFileSync } from 'node:fs';
import { realData } from '@cellfolio/model/testing/real-data';
import { expect, test } from 'vitest';
import { inspectDroplets } from './call-cells.ts';
import type { DropletCounts } from './droplet-counts.ts';
import { defaultCall } from './testing/simulated-droplets.ts';

test('10,000 filtered cells of mouse brain are not taken for a raw matrix', async () => {
  const { holdsEmpty } = await inspectDroplets(
    readMatrix(realData('mouse_brain_10k_mtx/matrix.mtx')),
    defaultCall,
  );
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
