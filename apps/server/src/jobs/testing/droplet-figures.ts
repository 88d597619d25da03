import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { runWork } from '../work/index.ts';
import { writeRawMatrix } from '../work/droplets.test-data.ts';
import { buildOf, datasetId } from '../work/work.test-data.ts';

/**
 * `node apps/server/src/jobs/testing/droplet-figures.ts` prints what builds keep of a simulated raw matrix of 340 cells
 * among 2,600 empty droplets, with the cells called and with all barcodes kept, as was done before. Seeded: the same at
 * every run.
 */
const folder = await mkdtemp(join(tmpdir(), 'droplet-figures-'));
const file = { path: join(folder, 'raw.h5ad'), name: 'raw.h5ad' };
await writeRawMatrix(file.path);
for (const keep of ['called', 'all'] as const) {
  console.log(`\n${keep}`);
  const context = {
    scratch: folder,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    log: (line: string) => console.log(`  ${line}`),
  };
  const root = join(folder, keep);
  await runWork(buildOf(file, root, { processing: { droplets: { keep } } }), context);
  const dataset = await openDataset(new FileObjectStore(root), datasetId);
  const [kinds, clusters] = [await dataset.obs('kind'), await dataset.obs('leiden')];
  if (kinds.kind !== 'numeric' || clusters.kind !== 'categorical')
    throw new TypeError('Nothing was computed.');
  const cells = new Float64Array(clusters.categories.length);
  const empties = new Float64Array(clusters.categories.length);
  kinds.values.forEach((kind, at) => (kind > 3 ? empties : cells)[clusters.codes[at]!]!++);
  const sum = (values: Float64Array) => values.reduce((whole, value) => whole + value, 0);
  const ofEmpties = empties.filter((empty, cluster) => empty > cells[cluster]!).length;
  console.log(`  ${sum(cells)} of 340 cells and ${sum(empties)} of 2,600 empty droplets are in the dataset;`);
  console.log(`  ${ofEmpties} of ${cells.length} clusters are mainly empty droplets.`);
}
await rm(folder, { recursive: true });
