import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessResult } from '@cellfolio/process';

/** Leaves what was computed to the peer: arrays in the machine's (little-endian) order, as numpy reads them. */
export async function saveResult(folder: string, result: ProcessResult): Promise<void> {
  const {
    keptCells,
    clusters = new Int32Array(),
    umap = new Float32Array(),
    pca,
    components,
    variableGenes,
  } = result;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'kept.i32'), keptCells);
  await writeFile(join(folder, 'clusters.i32'), clusters);
  await writeFile(join(folder, 'umap.f32'), umap);
  await writeFile(join(folder, 'pca.f32'), pca);
  await writeFile(join(folder, 'genes.u8'), variableGenes);
  await writeFile(join(folder, 'result.json'), JSON.stringify({ components, clusters: result.clusterCount }));
}
