import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { decodeColumn } from '@cellfolio/columns';
import { type BenchCase, type ImportedDataset, sizeOf } from '../bench-context.ts';
import { geneNames } from '../data/generated-file.ts';
import { mebibyte } from '../measure/child.ts';
import type { Result } from '../measure/result.ts';
import { type AnalysisServer, openAnalysisServer } from '../server/analysis-contenders.ts';

const scoredGenes = 20;

/** A column that is asked for, and the most bytes that are promised for a million cells. */
interface Asked {
  readonly name: string;
  readonly path: string;
  readonly body?: object;
  /** Bytes a cell. */
  readonly limit?: number;
}

interface Answered {
  /** Of the answer as it is sent. */
  readonly bytes: number;
  readonly milliseconds: number;
  /** Unpacking and decoding, in this Node. */
  readonly decoding: number;
}

/** Columns for a map over HTTP: what is sent, how long the first and the later calls take, and decoding. */
export function columnsCase(name: string, usual: { cells: number; repeat: number }): BenchCase {
  return {
    name,
    title: 'columns of all cells for a map, over HTTP: bytes on the wire, first call, later calls, decoding',
    async run({ options, imported, report }) {
      const dataset = await imported(sizeOf(options, { cells: usual.cells, genes: 200 }));
      const server = await openAnalysisServer(dataset);
      const results: Result[] = [];
      try {
        const listed = await listTime(server, dataset.id);
        results.push({ quantity: 'list of the columns: first call', unit: 'ms', ours: [listed] });
        for (const asked of columnsOf(dataset)) {
          report(`  ${asked.name}`);
          // The order of the cells is found for the first of them.
          const first = await ask(server, dataset.id, asked);
          const later: Answered[] = [];
          for (let round = 0; round < (options.repeat ?? usual.repeat); round++)
            later.push(await ask(server, dataset.id, asked));
          results.push(...resultsOf(asked, dataset.size.cells, first, later));
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
          `${dataset.size.cells} cells; the list of the columns starts the compute threads; the positions find the order of the cells`,
          'a first call makes the column, later ones find it made; decoding is gunzip and decodeColumn',
        ],
      };
    },
  };
}

/** Limits are those of the issue for a million cells: 2 MB of positions, 0.7 MB of a gene. */
function columnsOf({ model }: ImportedDataset): Asked[] {
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

/** What a map asks for first, so that compute threads have started and the dataset is open in one of them. */
async function listTime({ address, client }: AnalysisServer, id: string): Promise<number> {
  const started = performance.now();
  const answer = await fetch(`${address}/api/datasets/${encodeURIComponent(id)}/columns`, {
    headers: client.headers,
  });
  if (!answer.ok) throw new Error(`the list of columns answered ${answer.status}`);
  await answer.arrayBuffer();
  return performance.now() - started;
}

/** Throws where the answer is not a column of all cells. */
async function ask(
  { address, client }: AnalysisServer,
  id: string,
  { path, body }: Asked,
): Promise<Answered> {
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
  { name, limit }: Asked,
  cells: number,
  first: Answered,
  later: readonly Answered[],
): Result[] {
  return [
    {
      quantity: `${name}: sent`,
      unit: 'kB',
      ours: [first.bytes / 1000],
      ...(limit !== undefined && { target: { kind: 'each-at-most', limit: (limit * cells) / 1000 } }),
    },
    { quantity: `${name}: first call`, unit: 'ms', ours: [first.milliseconds] },
    { quantity: `${name}: later calls`, unit: 'ms', ours: later.map(({ milliseconds }) => milliseconds) },
    { quantity: `${name}: decoding`, unit: 'ms', ours: later.map(({ decoding }) => decoding) },
  ];
}
