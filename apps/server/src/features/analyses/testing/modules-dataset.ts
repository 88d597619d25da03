import type { Column, Embedding } from '@cellfolio/model';
import type { StorePlace } from '@cellfolio/store';
import { categorical, writeTestDataset } from '../../../testing/write-test-dataset.ts';
import { createRandom, negativeBinomial } from '@cellfolio/analysis';

const dimensions = 6;
const ofModule = 20;
const modules = 3;
export const cellCount = 400;
export const hostileGenes = ['=cmd|calc', '<script>alert(1)</script>'];

interface Planting {
  planted: boolean;
  /**
   * The second module has names of the mitochondrial genome, cell depth follows the third module, and samples follow
   * the first.
   */
  confounded?: boolean;
  counts?: boolean;
}

/**
 * Writes 400 cells in six principal components and 300 genes: A1 to A20 rise along the first component, B1 to B20 along
 * the second, C1 to C20 along the third, and the other 240 vary only with cell depth: they hold most counts, so their
 * shares hardly change.
 */
export async function writeModulesDataset(
  root: StorePlace,
  id: string,
  { planted, confounded = false, counts = true }: Planting,
): Promise<void> {
  const random = createRandom(id);
  const pca = Float32Array.from({ length: cellCount * dimensions }, () => random.normal());
  const along = (cell: number, axis: number) => pca[cell * dimensions + axis]!;
  const depth = Float64Array.from({ length: cellCount }, (_, cell) =>
    Math.exp(0.3 * random.normal() + (confounded ? 0.7 * along(cell, 2) : 0)),
  );
  const names = Array.from({ length: 300 }, (_, gene) => {
    const module = Math.floor(gene / ofModule);
    if (module >= modules) return `OTHER${gene}`;
    if (confounded && module === 1) return `MT-B${gene}`;
    return gene < hostileGenes.length ? hostileGenes[gene]! : `${'ABC'[module]}${(gene % ofModule) + 1}`;
  });
  const raw = names.map((_, gene) => {
    const module = Math.floor(gene / ofModule);
    const rate = (module < modules ? 0.6 : 1) * Math.exp(0.4 * random.normal());
    return Float32Array.from(depth, (own, cell) => {
      const effect = planted && module < modules ? 0.9 * along(cell, module) : 0;
      return negativeBinomial(random, rate * own * Math.exp(effect), 4);
    });
  });
  const totals = Float64Array.from(depth, (_, cell) => raw.reduce((sum, gene) => sum + gene[cell]!, 0));
  const genes = raw.map((own, gene) => {
    const cells = Int32Array.from(own.keys()).filter((cell) => own[cell] !== 0);
    const values = Float32Array.from(cells, (cell) => Math.log1p((own[cell]! / totals[cell]!) * 100));
    const written = { name: names[gene]!, cells, values };
    return counts
      ? Object.assign(written, { counts: Float32Array.from(cells, (cell) => own[cell]!) })
      : written;
  });
  const embeddings: Embedding[] = [
    { name: 'X_pca', dimensions, values: pca },
    {
      name: 'X_umap',
      dimensions: 2,
      values: Float32Array.from({ length: 2 * cellCount }, (_, i) => along(i >> 1, i % 2)),
    },
  ];
  const sampleOf = (cell: number) =>
    confounded ? Math.floor(1.999 / (1 + Math.exp(-along(cell, 0)))) : cell % 2;
  await writeTestDataset(root, id, {
    cellCount,
    obs: new Map<string, Column>([
      ['half', categorical(['first', 'second'], cellCount, (cell) => (cell < 200 ? 0 : 1))],
      ['patient', categorical(['P1', 'P2'], cellCount, sampleOf)],
    ]),
    genes,
    embeddings,
    catalogue: { name: 'Modules' },
    roles: { cluster: 'half', patient: 'patient', embedding: 'X_umap', metadata: {} },
  });
}
