import { type BenchCase, type BenchContext, type ImportedDataset, sizeOf } from '../bench-context.ts';
import { genesToDraw } from '../data/generated-file.ts';
import { mebibyte } from '../measure/child.ts';
import { type Result, type Spent, spentResults, timed } from '../measure/result.ts';
import {
  type DatasetServer,
  openAnalysisPeer,
  openDatasetServer,
  withContenders,
} from '../server/running-server.ts';

const defaultSize = { cells: 100_000, genes: 20_000 };

/** Measures a new server in each round, as it keeps results. Returns its peak memory in MiB. */
async function inNewServers(
  { options, report }: BenchContext,
  dataset: ImportedDataset,
  measure: (server: DatasetServer) => Promise<void>,
): Promise<number> {
  let peak = 0;
  for (let round = 0; round < (options.repeat ?? 3); round++) {
    report(`  ours, round ${round + 1}`);
    const server = await openDatasetServer(dataset);
    try {
      await measure(server);
      peak = Math.max(peak, server.peak());
    } finally {
      await server.close();
    }
  }
  return peak / mebibyte;
}

export const markersCase: BenchCase = {
  name: 'markers',
  title: 'markers of 10 cell types over HTTP; peers: scanpy and illico, the matrix in memory',
  async run(context) {
    const dataset = await context.imported(sizeOf(context.options, defaultSize));
    const times = { first: [] as number[], wilcoxon: [] as number[], 't-test': [] as number[] };
    const peak = await inNewServers(context, dataset, async ({ client }) => {
      const run = async (groupby: string, method: string) =>
        (await client.call('perform-marker-analysis', { groupby, method })).milliseconds / 1000;
      times.first.push(await run('leiden', 'wilcoxon'));
      times.wilcoxon.push(await run('cell_type', 'wilcoxon'));
      times['t-test'].push(await run('cell_type', 't-test'));
    });
    const theirs = await markersOfPeers(context, dataset);
    return {
      results: [
        {
          quantity: 'Wilcoxon, against scanpy',
          unit: 's',
          ours: times.wilcoxon,
          peer: theirs.get('wilcoxon'),
          target: { kind: 'ratio-at-least', limit: 30 },
        },
        {
          quantity: 'Wilcoxon, against illico',
          unit: 's',
          ours: times.wilcoxon,
          peer: theirs.get('illico'),
          target: { kind: 'ratio-at-least', limit: 1 },
        },
        {
          quantity: 't-test, against scanpy',
          unit: 's',
          ours: times['t-test'],
          peer: theirs.get('t-test'),
          target: { kind: 'ratio-at-least', limit: 5 },
        },
        { quantity: 'first Wilcoxon of a new server', unit: 's', ours: times.first },
        {
          quantity: 'peak memory',
          unit: 'MiB',
          ours: [peak],
          peer: theirs.get('peak'),
          target: { kind: 'each-at-most', limit: 1024 },
        },
      ],
      notes: [
        `${dataset.size.cells} cells × ${dataset.size.genes} genes, two threads`,
        'ours reads the matrix from the store, tests and draws the dot plot; the peers have it in memory and only test, both as CSR, which is faster for illico than CSC; all correct for ties, and illico without continuity correction as scanpy',
      ],
    };
  },
};

async function markersOfPeers(context: BenchContext, dataset: ImportedDataset) {
  const theirs = new Map<string, number[]>();
  const peer = await openAnalysisPeer(context, dataset);
  if (!peer) return theirs;
  try {
    for (const [name, request, rounds] of [
      ['illico', { do: 'illico' }, 3],
      ['t-test', { do: 'scanpy', method: 't-test' }, 2],
      ['wilcoxon', { do: 'scanpy', method: 'wilcoxon' }, 1],
    ] as const) {
      context.report(`  peer: ${name}`);
      const seconds: number[] = [];
      for (let i = 0; i < rounds; i++) seconds.push((await peer.time(request)) / 1000);
      // The first call includes compilation.
      theirs.set(name, seconds.length > 1 ? seconds.slice(1) : seconds);
    }
    return theirs.set('peak', [peer.peak() / mebibyte]);
  } finally {
    await peer.close();
  }
}

/** The two types with the most cells: 45 % of all. */
const [a, b] = ['B cell', 'Endothelial cell'] as const;

/** A t-test of whole cell types uses sums stored with the dataset; for part of their cells it reads the genes. */
const tests = [
  { name: 'Wilcoxon', method: 'wilcoxon', ofPart: false },
  { name: 'Welch’s t-test', method: 't-test', ofPart: false },
  { name: 'Welch’s t-test of cells that express a gene', method: 't-test', ofPart: true },
] as const;

export const comparisonCase: BenchCase = {
  name: 'comparison',
  title: 'A against B over HTTP, every gene; peer: scanpy with a reference, the matrix in memory',
  async run(context) {
    const dataset = await context.imported(sizeOf(context.options, defaultSize));
    const ours = tests.map((): Spent[] => []);
    const set = (name: string, more: object = {}) => ({
      name,
      filter: { subset_group_name: name, cell_type_filter: true, cell_type: [name], ...more },
    });
    const part = { gene_filter: true, gene: { name: 'GENE1', presence: 'positive' } };
    const peak = await inNewServers(context, dataset, async (server) => {
      const call = async (body: object) =>
        (await server.client.call('perform-deg-analysis', body)).milliseconds;
      // Its threads have read the dataset once, as those of the peer have.
      await call({ a: set(b, part), b: set(a), method: 't-test' });
      for (const [at, { method, ofPart }] of tests.entries()) {
        const sides = ofPart ? { a: set(a, part), b: set(b, part) } : { a: set(a), b: set(b) };
        ours[at]!.push(await timed(server, () => call({ ...sides, method })));
      }
    });
    const peer = await comparisonOfPeer(context, dataset);
    return {
      results: [
        ...tests.flatMap(({ name, method }, at) =>
          spentResults(
            name,
            ours[at]!,
            peer?.times[at],
            method === 'wilcoxon' ? { kind: 'ratio-at-least', limit: 50 } : undefined,
          ),
        ),
        { quantity: 'peak memory', unit: 'MiB', ours: [peak], peer: peer && [peer.peak] },
      ],
      notes: [
        `${dataset.size.cells} cells × ${dataset.size.genes} genes, two threads`,
        'ours reads the matrix from the store, tests, writes the table of every gene and draws the volcano plot; the peer has the matrix in memory and only tests; both correct for ties',
      ],
    };
  },
};

async function comparisonOfPeer(context: BenchContext, dataset: ImportedDataset) {
  const peer = await openAnalysisPeer(context, dataset);
  if (!peer) return undefined;
  try {
    const call = (method: string) => peer.time({ do: 'scanpy-pair', method, group: a, reference: b });
    // The first call includes compilation.
    await call('t-test');
    const times: (Spent[] | undefined)[] = [];
    for (const { method, ofPart } of tests) {
      if (ofPart) continue;
      context.report(`  peer: ${method}`);
      const spent: Spent[] = [];
      // A rank test of all genes takes minutes.
      const rounds = method === 'wilcoxon' ? 1 : (context.options.repeat ?? 3);
      for (let round = 0; round < rounds; round++) spent.push(await timed(peer, () => call(method)));
      times.push(spent);
    }
    return { times, peak: peer.peak() / mebibyte };
  } finally {
    await peer.close();
  }
}

const figures = [
  { kind: 'gene-dot-plot', name: 'dot plot', genes: 50, peer: 'dotplot', limit: 1000 },
  { kind: 'stacked-violin', name: 'stacked violin', genes: 20, peer: 'stacked_violin', limit: 1000 },
  { kind: 'matrix-plot', name: 'matrix plot', genes: 50, peer: 'matrixplot', limit: 1000 },
  { kind: 'heatmap', name: 'heatmap of cells', genes: 100, peer: 'heatmap', limit: 300 },
] as const;

export const groupsCase: BenchCase = {
  name: 'groups',
  title: 'genes by 20 groups as PNG, and labels changed, over HTTP; peer: scanpy.pl and savefig, warm',
  async run(context) {
    const { options, report } = context;
    // Twenty clusters; of the genes only those that are drawn matter.
    const dataset = await context.imported(sizeOf(options, { cells: 1_000_000, genes: 500 }));
    const rounds = options.repeat ?? 5;
    return withContenders(context, dataset, async (server, peer) => {
      const results: Result[] = [];
      for (const { kind, name, genes: count, peer: plot, limit } of figures) {
        report(`  ${name}`);
        const ours: number[] = [];
        const theirs: number[] = [];
        const all = genesToDraw(dataset.model, count + rounds);
        for (let round = 0; round <= rounds; round++) {
          // Never the same figure twice; the first warms up.
          const genes = all.slice(round, round + count);
          const source = { dataset_filename: dataset.id, content: { kind, genes, by: { column: 'leiden' } } };
          const { milliseconds } = await server.client.call('render-figure', { source, format: 'png' });
          const of = await peer?.time({ do: 'plot', plot, genes });
          if (round === 0) continue;
          ours.push(milliseconds);
          if (of !== undefined) theirs.push(of);
        }
        results.push({
          quantity: `${name}, ${count} genes`,
          unit: 'ms',
          ours,
          peer: peer && theirs,
          target: { kind: 'median-at-most', limit },
        });
      }
      report('  labels');
      results.push(...(await relabelled(server, dataset.id, rounds)), {
        quantity: 'peak memory',
        unit: 'MiB',
        ours: [server.peak() / mebibyte],
        peer: peer && [peer.peak() / mebibyte],
      });
      return {
        results,
        notes: [
          `${dataset.size.cells} cells; genes in memory after the first round, as the peer has all of them`,
          'scanpy draws every cell of a heatmap, ours 2,000 of them; scanpy has X as CSR, as read_h5ad gives it',
        ],
      };
    });
  },
};

interface Labels {
  id: string;
  revision: number;
  groups: readonly { name: string }[];
}

/** Merges and renames groups of an annotation, which rewrites every label of the merged groups. */
async function relabelled({ client }: DatasetServer, id: string, rounds: number): Promise<Result[]> {
  const path = `datasets/${encodeURIComponent(id)}/annotations`;
  let labels = (await client.call(path, { name: 'Bench', from: 'leiden' })).answer as unknown as Labels;
  const change = async (of: object): Promise<number> => {
    const body = { revision: labels.revision, change: of };
    const { milliseconds, answer } = await client.call(`annotations/${labels.id}/changes`, body);
    labels = answer as unknown as Labels;
    return milliseconds;
  };
  const merged: number[] = [];
  const renamed: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const [one, other] = labels.groups;
    const groups = [one!.name, other!.name];
    const merging = await change({ change: 'merge', groups, name: `merged ${round}` });
    const renaming = await change({ change: 'rename', group: `merged ${round}`, name: `renamed ${round}` });
    if (round === 0) continue;
    merged.push(merging);
    renamed.push(renaming);
  }
  const row = (quantity: string, ours: number[]): Result => ({
    quantity,
    unit: 'ms',
    ours,
    target: { kind: 'median-at-most', limit: 100 },
  });
  return [row('two groups of labels merged', merged), row('a group of labels renamed', renamed)];
}
