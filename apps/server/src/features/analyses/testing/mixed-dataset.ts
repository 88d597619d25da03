import type { Column } from '@cellfolio/model';
import type { DatasetManifest } from '@cellfolio/store';
import { hostile } from '../../../testing/analysis-dataset.ts';
import { categorical, circle, writeTestDataset } from '../../../testing/write-test-dataset.ts';
import { createRandom } from '@cellfolio/analysis';

export const donorCount = 6;
/** Only one donor has the last type. */
export const cellTypes = ['B cell', 'T cell', 'Macrophage', hostile, 'Rare'];
const usual = [60, 40, 25, 12, 0];

interface MixedCell {
  donor: number;
  /** 0 untreated, 1 treated. */
  condition: number;
  type: number;
}

export interface MixedDataset {
  manifest: DatasetManifest;
  cells: readonly MixedCell[];
}

export async function writeMixedDataset(root: string, id: string): Promise<MixedDataset> {
  const cells = mixedCells();
  const cellCount = cells.length;
  const labels = (categories: readonly string[], codeOf: (cell: MixedCell, at: number) => number) =>
    categorical(categories, cellCount, (at) => codeOf(cells[at]!, at));
  const donors = Array.from({ length: donorCount }, (_, donor) => `D${donor + 1}`);
  const manifest = await writeTestDataset(root, id, {
    cellCount,
    obs: new Map<string, Column>([
      ['donor', labels(donors, ({ donor }) => donor)],
      ['condition', labels(['control', 'treated'], ({ condition }) => condition)],
      ['cell_type', labels(cellTypes, ({ type }) => type)],
      ['labels', labels(['B cell', 'T cell', 'Macrophage', 'Doublet', 'NA'], ({ type }) => type)],
      [
        'library',
        labels(
          donors.flatMap((donor) => ['control', 'treated'].map((condition) => `${donor} ${condition}`)),
          ({ donor, condition }) => 2 * donor + condition,
        ),
      ],
      ['batch', labels(['b1', 'b2'], ({ donor }) => donor % 2)],
      ['two', labels(['x', 'y'], (_, at) => at % 2)],
      [
        'age',
        {
          kind: 'numeric',
          dtype: 'float32',
          values: Float32Array.from(cells, ({ donor }) => 30 + 5 * ((2 * donor) % 5)),
        },
      ],
    ]),
    genes: [{ name: 'CD3D', cells: Int32Array.of(0), values: Float32Array.of(1) }],
    embeddings: [circle(cellCount)],
    catalogue: { name: 'Mixed' },
    roles: {
      cellType: 'cell_type',
      patient: 'donor',
      embedding: 'X_umap',
      metadata: { Condition: 'condition', Library: 'library' },
    },
  });
  return { manifest, cells };
}

function mixedCells(): MixedCell[] {
  const random = createRandom('mixed');
  const cells: MixedCell[] = [];
  for (let donor = 0; donor < donorCount; donor++) {
    for (let condition = 0; condition < 2; condition++) {
      const isSmall = donor === donorCount - 1 && condition === 1;
      usual.forEach((count, type) => {
        const grown = type === 2 && condition === 1 ? 3 : 1;
        const rare = type === 4 && donor === 0 ? 5 : 0;
        const own = isSmall ? 2 : Math.round(grown * count * Math.exp(0.15 * random.normal())) + rare;
        if (isSmall && type === 4) return;
        for (let i = 0; i < own; i++) cells.push({ donor, condition, type });
      });
    }
  }
  return [...cells, ...Array.from({ length: 7 }, () => ({ donor: 0, condition: 0, type: -1 }))];
}
