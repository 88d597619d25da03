import { createRandom, negativeBinomial } from '@cellfolio/analysis';
import type { Column } from '@cellfolio/model';
import type { StorePlace } from '@cellfolio/store';
import { hostile } from '../../../testing/analysis-dataset.ts';
import { categorical, writeTestDataset } from '../../../testing/write-test-dataset.ts';

/** Perturbations of the screen: gene of its name, genes that it raises, and number of cells. */
export const planted = [
  {
    name: 'GENE1',
    raised: [20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34],
    cells: 60,
    left: 0.1,
  },
  {
    name: 'GENE2',
    raised: [20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34],
    cells: 50,
    left: 0.1,
  },
  { name: 'GENE3', raised: [50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61], cells: 50, left: 0.2 },
  { name: 'GENE4', raised: [], cells: 50, left: 0.1 },
  { name: 'GENE5', raised: [], cells: 50, left: 1 },
  { name: 'GENE150', raised: [], cells: 40, left: 0.1 },
  { name: hostile, raised: [], cells: 30, left: 1 },
  { name: 'GENE6', raised: [], cells: 8, left: 0.1 },
] as const;
const controls = 240;
const [controlGuides, guidesEach] = [4, 2];
const dimensions = 5;

/**
 * Writes a screen of 160 genes. Two guides of each perturbation lower its gene and raise others threefold; four guides
 * are controls; 12 cells have no guide. Cells of the second batch have a gene more of. `components`: with X_pca, which
 * the raised genes shift.
 */
export async function writeScreenDataset(
  root: StorePlace,
  id: string,
  { components = true, apart = false }: { components?: boolean; apart?: boolean } = {},
): Promise<void> {
  const random = createRandom('screen');
  const labels = [
    ...planted.flatMap(({ cells }, at) => new Array<number>(cells).fill(at)),
    ...new Array<number>(controls).fill(planted.length),
    ...new Array<number>(12).fill(-1),
  ];
  const cellCount = labels.length;
  const depth = Float64Array.from(labels, () => Math.exp(0.3 * random.normal()));
  const names = Array.from({ length: 160 }, (_, gene) => `GENE${gene}`);
  const raw = names.map((name, gene) => {
    const rate = gene === 150 ? 0.002 : 0.5 + 2 * random.uniform();
    return Float32Array.from(labels, (label, cell) => {
      const own = planted[label];
      const effect = own?.name === name ? own.left : own?.raised.some((one) => one === gene) ? 3 : 1;
      return negativeBinomial(random, rate * depth[cell]! * effect, 3);
    });
  });
  const totals = Float64Array.from(labels, (_, cell) => raw.reduce((sum, gene) => sum + gene[cell]!, 0));
  const genes = raw.map((own, gene) => {
    const cells = Int32Array.from(own.keys()).filter((cell) => own[cell] !== 0);
    return {
      name: names[gene]!,
      cells,
      values: Float32Array.from(cells, (cell) => Math.log1p((own[cell]! / totals[cell]!) * 1000)),
      counts: Float32Array.from(cells, (cell) => own[cell]!),
    };
  });
  const pca = Float32Array.from({ length: cellCount * dimensions }, (_, at) => {
    const own = planted[labels[Math.floor(at / dimensions)]!];
    const axis = own?.raised[0] === 20 ? 0 : 1;
    return random.normal() + ((own?.raised.length ?? 0) > 0 && at % dimensions === axis ? 2 : 0);
  });
  const guideOf = (cell: number) => {
    const label = labels[cell]!;
    if (label < 0) return -1;
    if (label === planted.length) return planted.length * guidesEach + (cell % controlGuides);
    return label * guidesEach + (cell % guidesEach);
  };
  const guides = [
    ...planted.flatMap(({ name }) => [`${name}_1`, `${name}_2`]),
    ...Array.from({ length: controlGuides }, (_, at) => `NT_${at + 1}`),
  ];
  await writeTestDataset(root, id, {
    cellCount,
    obs: new Map<string, Column>([
      [
        'perturbation',
        categorical(
          [...planted.map(({ name }) => name), 'non-targeting'],
          cellCount,
          (cell) => labels[cell]!,
        ),
      ],
      ['guide_id', categorical(guides, cellCount, guideOf)],
      [
        'batch',
        categorical(['b1', 'b2', 'b3'], cellCount, (cell) => (apart && labels[cell] === 0 ? 2 : cell % 2)),
      ],
      ['constant', categorical(['one'], cellCount, () => 0)],
    ]),
    genes,
    embeddings: [
      ...(components ? [{ name: 'X_pca', dimensions, values: pca }] : []),
      {
        name: 'X_umap',
        dimensions: 2,
        values: Float32Array.from({ length: 2 * cellCount }, (_, i) => pca[(i >> 1) * dimensions + (i % 2)]!),
      },
    ],
    catalogue: { name: 'Screen' },
    roles: {
      embedding: 'X_umap',
      metadata: { Perturbation: 'perturbation', Guide: 'guide_id', Batch: 'batch' },
    },
  });
}
