import type { Column } from '@cellfolio/model';
import { categorical, circle, writeTestDataset } from '../../../testing/write-test-dataset.ts';
import { createRandom } from '@cellfolio/analysis';

export const mouseCount = 6;
export const laneCount = 4;
const laneCells = 60;
const geneCount = 120;

/**
 * Writes 3 + 3 mice without any difference between the conditions except between the mice themselves. Each mouse has
 * four lanes, and the dataset records the lanes as its samples. `batch` has the numbers 1 to 3, two mice each;
 * `subject` has one value.
 */
export async function writeLanesDataset(root: string, id: string): Promise<void> {
  const random = createRandom('lanes of mice');
  const cellCount = mouseCount * laneCount * laneCells;
  const laneOf = (cell: number) => Math.floor(cell / laneCells);
  const mouseOf = (cell: number) => Math.floor(laneOf(cell) / laneCount);
  const labels = (noun: string, count: number, codeOf: (cell: number) => number): Column =>
    categorical(
      Array.from({ length: count }, (_, at) => `${noun}${at + 1}`),
      cellCount,
      codeOf,
    );
  const counts = Array.from({ length: geneCount }, () => {
    const level = 1 + random.gamma(2);
    const ofMouse = Array.from({ length: mouseCount }, () => level * Math.exp(0.3 * random.normal()));
    return Float32Array.from({ length: cellCount }, (_, cell) =>
      Math.floor(random.gamma(ofMouse[mouseOf(cell)]!)),
    );
  });
  await writeTestDataset(root, id, {
    cellCount,
    obs: new Map([
      ['sample', labels('lane', mouseCount * laneCount, laneOf)],
      ['mouse', labels('mouse', mouseCount, mouseOf)],
      ['subject', labels('study', 1, () => 0)],
      ['condition', labels('c', 2, (cell) => Math.floor((2 * mouseOf(cell)) / mouseCount))],
      ['cell_type', labels('type', 3, (cell) => cell % 3)],
      [
        'batch',
        {
          kind: 'numeric',
          dtype: 'int8',
          values: Int8Array.from({ length: cellCount }, (_, cell) => 1 + (mouseOf(cell) % 3)),
        },
      ],
    ]),
    genes: counts.map((own, gene) => {
      const cells = Int32Array.from([...own.keys()].filter((cell) => own[cell]! > 0));
      return {
        name: `GENE${gene + 1}`,
        cells,
        values: Float32Array.from(cells, (cell) => Math.log1p(own[cell]!)),
        counts: Float32Array.from(cells, (cell) => own[cell]!),
      };
    }),
    embeddings: [circle(cellCount)],
    catalogue: { name: 'Lanes' },
    roles: {
      cellType: 'cell_type',
      patient: 'sample',
      embedding: 'X_umap',
      metadata: { Condition: 'condition', Sample: 'sample', Mouse: 'mouse', Subject: 'subject' },
    },
  });
}
