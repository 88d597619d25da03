import { createRandom, negativeBinomial } from '@cellfolio/analysis';
import { hostile } from '../../../testing/analysis-dataset.ts';
import { categorical, circle, writeTestDataset } from '../../../testing/write-test-dataset.ts';

export const grownTypes = ['B cell', 'T cell', 'Macrophage', hostile];
/** Cells of each type of an untreated donor; treated ones have three times as many T cells. */
const usual = [30, 30, 30, 30];
const donorCount = 8;
/** Genes of each type, which it has eight times as much of; the others are alike in all cells. */
const genesOfType = 15;
const geneCount = 100;

/** Eight donors, the last four treated, in which no gene changes in any type. */
export async function writeGrownType(root: string, id: string): Promise<void> {
  const random = createRandom('grown');
  const cells = Array.from({ length: donorCount }, (_, donor) => donor).flatMap((donor) =>
    usual.flatMap((count, type) =>
      Array.from({ length: type === 1 && donor >= 4 ? 3 * count : count }, () => ({ donor, type })),
    ),
  );
  const cellCount = cells.length;
  const counts = Array.from({ length: geneCount }, (_, gene) =>
    Float32Array.from(cells, ({ type }) =>
      negativeBinomial(random, Math.floor(gene / genesOfType) === type ? 4 : 0.5, 4),
    ),
  );
  const totals = cells.map((_, cell) => counts.reduce((sum, gene) => sum + gene[cell]!, 0));
  const donors = Array.from({ length: donorCount }, (_, donor) => `D${donor + 1}`);
  await writeTestDataset(root, id, {
    cellCount,
    obs: new Map([
      ['donor', categorical(donors, cellCount, (at) => cells[at]!.donor)],
      ['condition', categorical(['control', 'treated'], cellCount, (at) => Number(cells[at]!.donor >= 4))],
      ['cell_type', categorical(grownTypes, cellCount, (at) => cells[at]!.type)],
      ['leiden', categorical(['0', '1'], cellCount, (at) => Number(cells[at]!.type > 1))],
      ['sorted', categorical(['low', 'high'], cellCount, (at) => Number(cells[at]!.type > 1))],
      // Half of each donor's cells.
      ['half', categorical(['x', 'y'], cellCount, (at) => at % 2)],
    ]),
    genes: counts.map((own, gene) => {
      const expressing = Int32Array.from([...own.keys()].filter((cell) => own[cell]! > 0));
      return {
        name: `GENE${gene + 1}`,
        cells: expressing,
        values: Float32Array.from(expressing, (cell) => Math.log1p((1e4 * own[cell]!) / totals[cell]!)),
        counts: Float32Array.from(expressing, (cell) => own[cell]!),
      };
    }),
    embeddings: [circle(cellCount)],
    catalogue: { name: 'Grown' },
    roles: {
      cellType: 'cell_type',
      cluster: 'leiden',
      patient: 'donor',
      embedding: 'X_umap',
      metadata: { Condition: 'condition', Donor: 'donor', Half: 'half', Sorted: 'sorted' },
    },
  });
}
