import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { decodeColumn } from '@cellfolio/columns';
import { type BenchCase, type ImportedDataset, sizeOf } from '../bench-context.ts';
import { geneNames } from '../data/generated-file.ts';
import { mebibyte } from '../measure/child.ts';
import type { Result } from '../measure/result.ts';
import { type DatasetServer, openDatasetServer } from '../server/running-server.ts';

const scoredGenes = 20;

interface ColumnRequest {
  name: string;
  path: string;
  body?: object;
  limit?: number;
}

interface Measured {
  bytes: number;
  milliseconds: number;
  /** Milliseconds of gunzip and decodeColumn. */
  decoding: number;
}

export function columnsCase(name: string, defaults: { cells: number; repeat: number }): BenchCase {
  return {
    name,
    title: 'columns of all cells for a map, over HTTP: bytes on the wire, first call, later calls, decoding',
    async run({ options, imported, report }) {
      const dataset = await imported(sizeOf(options, { cells: defaults.cells, genes: 200 }));
      const server = await openDatasetServer(dataset);
      const results: Result[] = [];
      try {
        const listed = await listTime(server, dataset.id);
        results.push({ quantity: 'list of the columns: first call', unit: 'ms', ours: [listed] });
        for (const column of columnsOf(dataset)) {
          report(`  ${column.name}`);
          const first = await ask(server, dataset.id, column);
          const later: Measured[] = [];
          for (let round = 0; round < (options.repeat ?? defaults.repeat); round++)
            later.push(await ask(server, dataset.id, column));
          results.push(...resultsOf(column, dataset.size.cells, first, later));
        }
        results.push({
          quantity: 'peak memory of the server',
          unit: 'MiB',
          ours: [server.peak() / mebibyte],
        });
      } finally {
        await server.close();
      }
      return {
        results,
        notes: [
          `${dataset.size.cells} cells; the list of the columns starts the compute threads; the first column includes sorting the cells`,
          'the first call creates the column, later ones get it from the cache; decoding is gunzip and decodeColumn',
        ],
      };
    },
  };
}

/** For a million cells the limits are 2 MB of positions and 0.7 MB of a gene. */
function columnsOf({ model }: ImportedDataset): ColumnRequest[] {
  const names = geneNames(model.geneCount);
  const shares = names.map(
    (_, gene) =>
      model.levels.reduce((sum, { detected }) => sum + detected[gene]! / 2 ** 32, 0) / model.levels.length,
  );
  const near = (share: number) =>
    shares.reduce(
      (best, one, gene) => (Math.abs(one - share) < Math.abs(shares[best]! - share) ? gene : best),
      0,
    );
  const gene = (at: number) => ({
    name: `gene in ${(100 * shares[at]!).toFixed(0)} % of the cells`,
    path: `gene/${names[at]!}`,
    limit: 0.7,
  });
  const score_name = 'Bench';
  const genes = names.filter((_, at) => at % Math.floor(names.length / scoredGenes) === 0);
  const subset = {
    subset_group_name: 'bench',
    gene_filter: true,
    gene: { name: names[near(0.3)]!, presence: 'positive' },
  };
  return [
    { name: 'positions', path: 'embedding/X_umap', limit: 2 },
    gene(near(0.09)),
    gene(near(0.58)),
    { name: '20 categories', path: 'obs/leiden' },
    { name: 'mask of a filter', path: 'mask', body: { subset } },
    {
      name: `score of ${genes.length} genes`,
      path: 'score',
      body: { score: { of: 'signature', genes, score_name } },
    },
  ];
}

async function listTime({ address, client }: DatasetServer, id: string): Promise<number> {
  const started = performance.now();
  const answer = await fetch(`${address}/api/datasets/${encodeURIComponent(id)}/columns`, {
    headers: client.headers,
  });
  if (!answer.ok) throw new Error(`the list of columns answered ${answer.status}`);
  await answer.arrayBuffer();
  return performance.now() - started;
}

/** Throws if the response is not a column. */
async function ask(
  { address, client }: DatasetServer,
  id: string,
  { path, body }: ColumnRequest,
): Promise<Measured> {
  const url = `${address}/api/datasets/${encodeURIComponent(id)}/columns/${path}`;
  const text = body && JSON.stringify(body);
  const started = performance.now();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      ...client.headers,
      'accept-encoding': 'gzip',
      ...(text !== undefined && { 'content-type': 'application/json' }),
    };
    request(url, { method: text === undefined ? 'GET' : 'POST', headers }, resolve)
      .on('error', reject)
      .end(text);
  });
  const packed = await buffer(answer);
  const milliseconds = performance.now() - started;
  if (answer.statusCode !== 200)
    throw new Error(`${path} answered ${answer.statusCode}: ${packed.toString()}`);
  const decodingFrom = performance.now();
  decodeColumn(gunzipSync(packed));
  return { bytes: packed.length, milliseconds, decoding: performance.now() - decodingFrom };
}

function resultsOf(
  { name, limit }: ColumnRequest,
  cells: number,
  first: Measured,
  later: readonly Measured[],
): Result[] {
  return [
    {
      quantity: `${name}: sent`,
      unit: 'kB',
      ours: [first.bytes / 1000],
      target: limit === undefined ? undefined : { kind: 'each-at-most', limit: (limit * cells) / 1000 },
    },
    { quantity: `${name}: first call`, unit: 'ms', ours: [first.milliseconds] },
    { quantity: `${name}: later calls`, unit: 'ms', ours: later.map(({ milliseconds }) => milliseconds) },
    { quantity: `${name}: decoding`, unit: 'ms', ours: later.map(({ decoding }) => decoding) },
  ];
}
