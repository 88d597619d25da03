import { cp, link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CategoricalColumn, packStrings } from '@cellfolio/model';
import { createDatasetWriter } from '@cellfolio/store';
import type { BenchCase } from '../bench-context.ts';
import { SeededBits } from '../data/seeded-bits.ts';
import { paths } from '../paths.ts';
import { ExplorerClient, startServing } from '../server/running-server.ts';

const datasetCount = 100;
const geneCount = 20_000;
const typeCount = 20;
const cellCount = 100_000;
/** Expressing cells of a gene: enough for statistics of 20 types, and no more to write than needed. */
const entries = 400;

export const geneFinderCase: BenchCase = {
  name: 'gene-finder',
  title: `a gene in ${datasetCount} datasets by cell type, over HTTP`,
  async run({ options, scratch, report }) {
    const dataDir = join(scratch, 'gene-finder');
    await rm(dataDir, { recursive: true, force: true });
    report('  writing the datasets');
    await writeDatasets(join(dataDir, 'objects'));
    const server = await startServing([process.execPath, paths.serverStart], {
      DATA_DIR: dataDir,
      OBJECT_STORE_URL: `file:${join(dataDir, 'objects')}`,
      DEMO: 'false',
      LOG_LEVEL: 'error',
    });
    try {
      const { headers } = await ExplorerClient.signUp(server.address);
      const ask = async (gene: string) => {
        const started = performance.now();
        const answer = await fetch(`${server.address}/api/gene-summary?gene=${gene}`, { headers });
        const { datasets } = (await answer.json()) as { datasets: unknown[] };
        if (datasets.length !== datasetCount) throw new Error(`${gene}: ${datasets.length} datasets`);
        return performance.now() - started;
      };
      report('  asking');
      const first = await ask('gene0');
      const times: number[] = [];
      for (let at = 1; at <= (options.repeat ?? 60); at++)
        times.push(await ask(`GENE${(at * 7919) % geneCount}`));
      const sorted = times.toSorted((a, b) => a - b);
      const slow = sorted[Math.ceil(0.95 * sorted.length) - 1]!;
      return {
        results: [
          { quantity: 'a gene', unit: 'ms', ours: times, target: { kind: 'median-at-most', limit: 300 } },
          { quantity: 'a gene, 95th percentile', unit: 'ms', ours: [slow] },
          { quantity: 'the first question, which opens all datasets', unit: 'ms', ours: [first] },
        ],
        notes: [
          `${cellCount} cells × ${geneCount} genes × ${typeCount} types each; one dataset by seed, its statistics copied, the rest linked`,
        ],
      };
    } finally {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

async function writeDatasets(root: string): Promise<void> {
  const first = 'finder-0.h5ad';
  await writeDataset(root, first);
  const folder = join(root, 'datasets', first);
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const manifest = await readFile(join(folder, 'manifest.json'), 'utf8');
  for (let at = 1; at < datasetCount; at++) {
    const id = `finder-${at}.h5ad`;
    const copy = join(root, 'datasets', id);
    for (const file of files) {
      if (!file.isFile()) continue;
      const from = join(file.parentPath, file.name);
      const to = join(copy, from.slice(folder.length));
      await mkdir(dirname(to), { recursive: true });
      if (file.name === 'manifest.json')
        await writeFile(to, manifest.replace(`"id":"${first}"`, `"id":"${id}"`));
      else if (from.includes('/uns/')) await cp(from, to);
      else await link(from, to);
    }
  }
}

async function writeDataset(root: string, id: string): Promise<void> {
  const bits = new SeededBits(21);
  const writer = await createDatasetWriter(root, id);
  const types: CategoricalColumn = {
    kind: 'categorical',
    codes: Int8Array.from({ length: cellCount }, (_, cell) => cell % typeCount),
    categories: Array.from({ length: typeCount }, (_, type) => `type ${type}`),
    categoryType: 'string',
    ordered: false,
  };
  const names = (count: number, prefix: string) =>
    packStrings(Array.from({ length: count }, (_, at) => `${prefix}${at}`));
  const indexName = '_index';
  const columns = new Map([['cell_type', types]]);
  await writer.obs({ rowCount: cellCount, indexName, index: names(cellCount, 'cell'), columns });
  await writer.var({ rowCount: geneCount, indexName, index: names(geneCount, 'GENE'), columns: new Map() });
  const indptr = Float64Array.from({ length: geneCount + 1 }, (_, gene) => gene * entries);
  const matrix = await writer.matrix('X', { cellCount, geneCount, indptr, valueType: 'float32' }, columns);
  const draws = new Uint32Array(entries);
  const stride = cellCount / entries;
  for (let gene = 0; gene < geneCount; gene++) {
    bits.drawInto(draws);
    await matrix.write(
      Int32Array.from(draws, (draw, at) => at * stride + (draw % stride)),
      Float32Array.from(draws, (draw) => 0.5 + draw / 2 ** 31),
    );
  }
  await matrix.close();
  await writer.publish({
    catalogue: {
      name: id,
      disease: 'Bench',
      subdisease: 'Bench',
      category1: '',
      category2: '',
      description: '',
      simulated: true,
    },
    roles: { cellType: 'cell_type', metadata: {} },
    expression: { path: 'X', state: 'log-normalised', hasCounts: false },
    warnings: [],
  });
}
