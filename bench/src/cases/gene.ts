import { cp, link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packStrings } from '@cellfolio/model';
import { geneUmapFigure, renderPng } from '@cellfolio/figures';
import { createDatasetWriter, FileObjectStore, openDataset } from '@cellfolio/store';
import { type BenchCase, type ImportedDataset, sizeOf } from '../bench-context.ts';
import { categorical, genesToDraw } from '../data/generated-file.ts';
import { SeededBits } from '../data/seeded-bits.ts';
import { LineServer, mebibyte, processMemory } from '../measure/child.ts';
import { quantile, type Result } from '../measure/result.ts';
import { paths } from '../paths.ts';
import { ExplorerClient, serverPlace, startServer } from '../server/running-server.ts';

type Drawing = (gene: string) => Promise<{ milliseconds: number; png: Uint8Array }>;

interface Contender {
  draw: Drawing;
  memory: () => number;
  close: () => Promise<void>;
}

export function geneCase(
  name: string,
  defaults: { cells: number; genes: number; repeat: number },
): BenchCase {
  return {
    name,
    title: 'one gene to a UMAP PNG; peer: scanpy.pl.umap + savefig, warm, to the same pixels',
    async run({ options, scratch, python, report, imported }) {
      const dataset = await imported(sizeOf(options, defaults));
      const genes = genesToDraw(dataset.model, options.repeat ?? defaults.repeat);
      const inProcess = await openInProcess(dataset);
      const size = pngSize((await inProcess(genes[0]!)).png);
      const contenders: Record<string, Contender> = {
        server: await openServer(dataset, { FIGURE_CACHE_MB: '0' }),
        uncached: await openServer(dataset, { FIGURE_CACHE_MB: '0', EXPRESSION_CACHE_MB: '0' }),
        ...(python !== undefined && { peer: await openPeer({ python, file: dataset.path, size, scratch }) }),
        inProcess: { draw: inProcess, memory: () => 0, close: async () => undefined },
      };
      const times = new Map(Object.keys(contenders).map((side) => [side, [] as number[]]));
      const bytes = new Map(Object.keys(contenders).map((side) => [side, [] as number[]]));
      try {
        for (const round of ['warm-up', 'measured']) {
          report(`  ${round}: ${genes.length} genes on ${Object.keys(contenders).length} sides`);
          for (const gene of genes) {
            for (const [side, { draw }] of Object.entries(contenders)) {
              const { milliseconds, png } = await draw(gene);
              const imageSize = pngSize(png);
              if (imageSize.width !== size.width || imageSize.height !== size.height)
                throw new Error(`${side} drew ${imageSize.width} × ${imageSize.height} pixels`);
              if (round === 'warm-up') continue;
              times.get(side)!.push(milliseconds);
              bytes.get(side)!.push(png.byteLength / 1000);
            }
          }
        }
        const peer = times.get('peer');
        const row = (quantity: string, side: string, limit?: number): Result => ({
          quantity,
          unit: 'ms',
          ours: times.get(side)!,
          peer,
          target: limit === undefined ? undefined : { kind: 'ratio-at-least', limit },
        });
        return {
          results: [
            row('server over HTTP, figure cache off', 'server', 20),
            row('server over HTTP, expression cache off too', 'uncached', 20),
            row('in one process, expression read from disk', 'inProcess'),
            {
              quantity: 'size of the PNG',
              unit: 'kB',
              ours: bytes.get('server')!,
              peer: bytes.get('peer'),
            },
            {
              quantity: 'resident memory of the server',
              unit: 'MiB',
              ours: [contenders['server']!.memory() / mebibyte],
              peer: contenders['peer'] && [contenders['peer'].memory() / mebibyte],
            },
          ],
          notes: [
            `${dataset.size.cells} cells × ${dataset.size.genes} genes, ${size.width} × ${size.height} pixels; genes that 1 % to all of the cells express`,
            'the peer has X in memory as CSC, which is faster for one gene than the CSR of the file',
          ],
        };
      } finally {
        for (const { close } of Object.values(contenders)) await close();
      }
    },
  };
}

/** Without server and expression cache: each gene is read from the store. */
async function openInProcess({ root, id }: ImportedDataset): Promise<Drawing> {
  const dataset = await openDataset(new FileObjectStore(root), id, { cacheBytes: 0 });
  return async (symbol) => {
    const started = performance.now();
    const row = dataset.genes.find(symbol);
    if (row === undefined) throw new Error(`${id} has no gene ${symbol}`);
    const [embedding, gene] = await Promise.all([dataset.embedding('X_umap'), dataset.gene(row)]);
    const { png } = await renderPng(geneUmapFigure({ embedding, gene, symbol, datasetName: id }));
    return { milliseconds: performance.now() - started, png };
  };
}

async function openServer(
  dataset: ImportedDataset,
  settings: Readonly<Record<string, string>>,
): Promise<Contender> {
  // Each server has its own database; they share the store.
  const [own, store] = serverPlace(dataset, `server-${Object.keys(settings).length}`);
  const server = await startServer(own, { ...store, ...settings });
  const client = await ExplorerClient.signUp(server.address);
  await client.openDataset(dataset.id);
  return {
    draw: (gene) => client.drawGene(gene),
    memory: () => processMemory(server.pid).resident,
    close: async () => {
      await server.stop();
      await rm(own, { recursive: true, force: true });
    },
  };
}

interface PeerRequest {
  python: string;
  file: string;
  size: { width: number; height: number };
  scratch: string;
}

async function openPeer({ python, file, size, scratch }: PeerRequest): Promise<Contender> {
  const path = join(scratch, 'peer.png');
  const peer = new LineServer(python, [paths.umapPeer, file, String(size.width), String(size.height)]);
  await peer.answer();
  return {
    async draw(gene) {
      const { seconds } = (await peer.ask({ gene, path })) as { seconds: number };
      return { milliseconds: seconds * 1000, png: await readFile(path) };
    },
    memory: () => processMemory(peer.pid).resident,
    close: async () => {
      await peer.close();
      await rm(path, { force: true });
    },
  };
}

/** Width and height in the header of a PNG. Throws RangeError for other files. */
export function pngSize(bytes: Uint8Array): { width: number; height: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 24 || view.getUint32(0) !== 0x89504e47) throw new RangeError('this is not a PNG');
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

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
    const server = await startServer(dataDir);
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
      return {
        results: [
          { quantity: 'a gene', unit: 'ms', ours: times, target: { kind: 'median-at-most', limit: 300 } },
          { quantity: 'a gene, 95th percentile', unit: 'ms', ours: [quantile(times, 0.95)] },
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
  const types = categorical(
    Int8Array.from({ length: cellCount }, (_, cell) => cell % typeCount),
    Array.from({ length: typeCount }, (_, type) => `type ${type}`),
  );
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
