import { writeH5ad } from '@cellfolio/ingest';
import { demoRecipes } from '../features/demo/recipes.ts';
import { simulateDataset } from '../features/demo/simulate-dataset.ts';

/** Writes an .h5ad file of simulated blood cells with cell types, clusters and a UMAP, log-normalised and without counts. */
export async function writeSimulatedBlood(path: string, cellCount: number): Promise<void> {
  const blood = demoRecipes.find(({ seed }) => seed === 'healthy-blood')!;
  const { obs, var: genes, indptr, indices, values, umap } = simulateDataset({ ...blood, cellCount });
  await writeH5ad(path, {
    obs,
    var: genes,
    X: { format: 'csr', dtype: 'float32', blocks: [{ indptr, indices, values }], valueCount: values.length },
    obsm: [umap],
  });
}
