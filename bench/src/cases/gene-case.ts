import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { geneUmapFigure, renderPng } from '@cellfolio/plots';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { type BenchCase, type ImportedDataset, sizeOf } from '../bench-context.ts';
import { genesToDraw } from '../data/generated-file.ts';
import { LineServer, mebibyte, processMemory } from '../measure/child.ts';
import type { Result } from '../measure/result.ts';
import { paths } from '../paths.ts';
import { ExplorerClient, startServing } from '../server/running-server.ts';
type Drawing = (gene: string) => Promise<{ milliseconds: number; png: Uint8Array }>;

interface Contender {
  readonly draw: Drawing;
  readonly memory: () => number;
  readonly close: () => Promise<void>;
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
          ...(peer && { peer }),
          ...(limit !== undefined && { target: { kind: 'ratio-at-least', limit } }),
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
              ...(peer && { peer: bytes.get('peer')! }),
            },
            {
              quantity: 'resident memory of the server',
              unit: 'MiB',
              ours: [contenders['server']!.memory() / mebibyte],
              ...(contenders['peer'] && { peer: [contenders['peer'].memory() / mebibyte] }),
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
  { dataDir, id }: ImportedDataset,
  environment: Readonly<Record<string, string>>,
): Promise<Contender> {
  // Each server has its own database; they share the store.
  const own = join(dataDir, `server-${Object.keys(environment).length}`);
  const server = await startServing([process.execPath, paths.serverStart], {
    DATA_DIR: own,
    OBJECT_STORE_URL: `file:${join(dataDir, 'objects')}`,
    DEMO: 'false',
    LOG_LEVEL: 'error',
    ...environment,
  });
  const client = await ExplorerClient.signUp(server.address);
  await client.openDataset(id);
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
  readonly python: string;
  readonly file: string;
  readonly size: { width: number; height: number };
  readonly scratch: string;
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
