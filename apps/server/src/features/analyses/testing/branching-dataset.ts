import type { Column, Embedding } from '@cellfolio/model';
import type { StorePlace } from '@cellfolio/store';
import { categorical, writeTestDataset } from '../../../testing/write-test-dataset.ts';
import { createRandom } from '@cellfolio/analysis';

export interface SimulatedPath {
  /** Per cell, from 0 to 1. */
  time: Float64Array;
}

/**
 * Layout of the cells of a simulated dataset: a path that forks, the same with a distant island, or a cloud without
 * structure.
 */
export type Shape = 'fork' | 'fork and island' | 'cloud';

const dimensions = 8;
export const hostileGroup = '=late <b>';

/**
 * Writes 400 cells in eight principal components with their true time, and 60 genes: RISE1 to RISE10 rise with time,
 * FALL1 to FALL10 fall, the others do neither; with `batches`, samples and total counts follow time. The island has the
 * last 60 cells. Columns of obs have the time, the total counts, and an age of each patient.
 */
export async function writeBranchingDataset(
  root: StorePlace,
  id: string,
  { shape, batches = false }: { shape: Shape; batches?: boolean },
): Promise<SimulatedPath> {
  const cellCount = 400;
  const random = createRandom(id);
  const time = Float64Array.from({ length: cellCount }, () => random.uniform());
  const arm = Int8Array.from({ length: cellCount }, () => (random.uniform() < 0.5 ? -1 : 1));
  const patientOf = (at: number, cell: number) => (batches ? Math.floor(2.999 * at) : cell % 3);
  const numeric = (values: Float64Array): Column => ({ kind: 'numeric', dtype: 'float64', values });
  const pca = new Float32Array(cellCount * dimensions);
  for (let cell = 0; cell < cellCount; cell++) {
    for (let at = 0; at < dimensions; at++) {
      const noise = random.normal() * (shape === 'cloud' ? 1 : 0.25);
      pca[cell * dimensions + at] = noise + (at === 2 && isIsland(cell, shape, cellCount) ? 90 : 0);
    }
    if (shape === 'cloud') continue;
    pca[cell * dimensions]! += 10 * time[cell]!;
    if (time[cell]! > 0.5) pca[cell * dimensions + 1]! += arm[cell]! * (time[cell]! - 0.5) * 16;
  }
  const umap = Float32Array.from({ length: 2 * cellCount }, (_, i) => pca[(i >> 1) * dimensions + (i % 2)]!);
  const kinds = ['RISE', 'FALL', ...Array.from({ length: 4 }, () => 'OTHER')];
  const genes = Array.from({ length: 60 }, (_, gene) => {
    const kind = kinds[Math.floor(gene / 10)]!;
    const values = Float32Array.from(time, (at) => {
      const mean = kind === 'RISE' ? at : kind === 'FALL' ? 1 - at : 0.5;
      return random.uniform() < 0.15 + 0.8 * mean ? 0.5 + 2 * mean + 0.3 * random.uniform() : 0;
    });
    const cells = Int32Array.from(values.keys()).filter((cell) => values[cell] !== 0);
    return { name: `${kind}${gene + 1}`, cells, values: values.filter((value) => value !== 0) };
  });
  const embeddings: Embedding[] = [
    { name: 'X_pca', dimensions, values: pca },
    { name: 'X_umap', dimensions: 2, values: umap },
  ];
  await writeTestDataset(root, id, {
    cellCount,
    obs: new Map<string, Column>([
      [
        'stage',
        categorical(['early', 'late a', hostileGroup], cellCount, (cell) => stageOf(time[cell]!, arm[cell]!)),
      ],
      ['patient', categorical(['P1', 'P2', 'P3'], cellCount, (cell) => patientOf(time[cell]!, cell))],
      ['time', numeric(time)],
      ['total_counts', numeric(time.map((at) => 1000 + 500 * (batches ? at : random.uniform())))],
      // One value for each patient, not for its cells.
      ['age', numeric(time.map((at, cell) => 30 + 10 * patientOf(at, cell)))],
    ]),
    genes,
    embeddings,
    catalogue: { name: 'Fork' },
    roles: { cluster: 'stage', patient: 'patient', embedding: 'X_umap', metadata: {} },
  });
  return { time };
}

function isIsland(cell: number, shape: Shape, cellCount: number): boolean {
  return shape === 'fork and island' && cell >= cellCount - 60;
}

function stageOf(time: number, arm: number): number {
  return time <= 0.5 ? 0 : arm < 0 ? 1 : 2;
}
