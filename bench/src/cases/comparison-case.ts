import { type BenchCase, type BenchContext, type ImportedDataset, sizeOf } from '../bench-context.ts';
import { mebibyte } from '../measure/child.ts';
import type { Result } from '../measure/result.ts';
import { add, newTimes, timed, type Times } from '../measure/spent.ts';
import { openAnalysisPeer, openAnalysisServer } from '../server/analysis-contenders.ts';

const defaultSize = { cells: 100_000, genes: 20_000 };
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
    const ours = await measureOurs(context, dataset);
    const peer = await measurePeer(context, dataset);
    const results = tests.flatMap(({ name, ofPart }): Result[] => {
      const [own, other] = [ours.times.get(name)!, ofPart ? undefined : peer?.times.get(name)];
      return [
        {
          quantity: name,
          unit: 's',
          ours: own.clock,
          ...(other && { peer: other.clock }),
          ...(name === 'Wilcoxon' && { target: { kind: 'ratio-at-least', limit: 50 } }),
        },
        {
          quantity: `${name}, of the processor`,
          unit: 's',
          ours: own.processor,
          ...(other && { peer: other.processor }),
        },
      ];
    });
    return {
      results: [
        ...results,
        { quantity: 'peak memory', unit: 'MiB', ours: [ours.peak], ...(peer && { peer: [peer.peak] }) },
      ],
      notes: [
        `${dataset.size.cells} cells × ${dataset.size.genes} genes, two threads`,
        'ours reads the matrix from the store, tests, writes the table of every gene and draws the volcano plot; the peer has the matrix in memory and only tests; both correct for ties',
      ],
    };
  },
};

async function measureOurs({ options, report }: BenchContext, dataset: ImportedDataset) {
  const times = new Map<string, Times>(tests.map(({ name }) => [name, newTimes()]));
  let peak = 0;
  for (let round = 0; round < (options.repeat ?? 3); round++) {
    report(`  ours, round ${round + 1}`);
    // A new server for each round, as it keeps results.
    const server = await openAnalysisServer(dataset);
    const set = (name: string, more: object = {}) => ({
      name,
      filter: { subset_group_name: name, cell_type_filter: true, cell_type: [name], ...more },
    });
    const part = { gene_filter: true, gene: { name: 'GENE1', presence: 'positive' } };
    try {
      // Its threads have read the dataset once, as those of the peer have.
      await server.client.call('perform-deg-analysis', { a: set(b, part), b: set(a), method: 't-test' });
      for (const { name, method, ofPart } of tests) {
        const body = { a: set(a, ofPart ? part : {}), b: set(b, ofPart ? part : {}), method };
        const call = async () => (await server.client.call('perform-deg-analysis', body)).milliseconds;
        add(times.get(name)!, await timed(server, call));
      }
      peak = Math.max(peak, server.peak());
    } finally {
      await server.close();
    }
  }
  return { times, peak: peak / mebibyte };
}

async function measurePeer(context: BenchContext, dataset: ImportedDataset) {
  const peer = await openAnalysisPeer(context, dataset);
  if (!peer) return undefined;
  const times = new Map<string, Times>();
  try {
    const call = (method: string) => peer.time({ do: 'scanpy-pair', method, group: a, reference: b });
    // The first call includes compilation.
    await call('t-test');
    for (const { name, method, ofPart } of tests) {
      if (ofPart) continue;
      context.report(`  peer: ${method}`);
      const peerTimes = newTimes();
      times.set(name, peerTimes);
      // A rank test of all genes takes minutes.
      const rounds = method === 'wilcoxon' ? 1 : (context.options.repeat ?? 3);
      for (let round = 0; round < rounds; round++) add(peerTimes, await timed(peer, () => call(method)));
    }
    return { times, peak: peer.peak() / mebibyte };
  } finally {
    await peer.close();
  }
}
