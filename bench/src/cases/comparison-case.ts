import { type BenchCase, sizeOf } from '../bench-context.ts';
import { mebibyte } from '../measure/child.ts';
import { openAnalysisPeer, openAnalysisServer } from '../server/analysis-contenders.ts';

const defaultSize = { cells: 100_000, genes: 20_000 };
/** The two types with most cells: 45 % of all. */
const [a, b] = ['B cell', 'Endothelial cell'] as const;
const tests = ['wilcoxon', 't-test'] as const;

/** A against B over all genes, read from the store, with the table of every gene and its volcano plot over HTTP. */
export const comparisonCase: BenchCase = {
  name: 'comparison',
  title: 'A against B over HTTP, every gene; peer: scanpy with a reference, the matrix in memory',
  async run(context) {
    const { options, report } = context;
    const dataset = await context.imported(sizeOf(options, defaultSize));
    const ours = new Map<string, number[]>(tests.map((method) => [method, []]));
    const rounds = options.repeat ?? 3;
    let peak = 0;
    for (let round = 0; round < rounds; round++) {
      report(`  ours, round ${round + 1}`);
      // A new server for each round, as it keeps results.
      const server = await openAnalysisServer(dataset);
      const set = (name: string) => ({
        name,
        filter: { subset_group_name: name, cell_type_filter: true, cell_type: [name] },
      });
      try {
        // Its threads have read the dataset once, as those of the peer have.
        await server.client.call('perform-deg-analysis', { a: set(b), b: set(a), method: 't-test' });
        for (const method of tests) {
          const body = { a: set(a), b: set(b), method };
          const { milliseconds } = await server.client.call('perform-deg-analysis', body);
          ours.get(method)!.push(milliseconds / 1000);
        }
        peak = Math.max(peak, server.peak());
      } finally {
        await server.close();
      }
    }
    const peer = await openAnalysisPeer(context, dataset);
    const theirs = new Map<string, number[]>();
    let theirPeak: number | undefined;
    if (peer) {
      try {
        for (const method of tests) {
          report(`  peer: ${method}`);
          const seconds: number[] = [];
          // The first call includes compilation.
          for (let i = 0; i <= rounds; i++) {
            seconds.push((await peer.time({ do: 'scanpy-pair', method, group: a, reference: b })) / 1000);
          }
          theirs.set(method, seconds.slice(1));
        }
        theirPeak = peer.peak() / mebibyte;
      } finally {
        await peer.close();
      }
    }
    const against = (method: string) => (theirs.has(method) ? { peer: theirs.get(method)! } : {});
    return {
      results: [
        { quantity: 'Wilcoxon', unit: 's', ours: ours.get('wilcoxon')!, ...against('wilcoxon') },
        { quantity: 'Welch’s t-test', unit: 's', ours: ours.get('t-test')!, ...against('t-test') },
        {
          quantity: 'peak memory',
          unit: 'MiB',
          ours: [peak / mebibyte],
          ...(theirPeak !== undefined && { peer: [theirPeak] }),
        },
      ],
      notes: [
        `${dataset.size.cells} cells × ${dataset.size.genes} genes, two threads`,
        'ours reads the matrix from the store, tests, writes the table of every gene and draws the volcano plot; the peer has the matrix in memory and only tests',
      ],
    };
  },
};
