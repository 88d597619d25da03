import { openAnalysisPeer, openAnalysisServer } from '../server/analysis-contenders.ts';
import { type BenchCase, sizeOf } from '../bench-context.ts';
import { mebibyte } from '../measure/child.ts';

const defaultSize = { cells: 100_000, genes: 20_000 };

export const markersCase: BenchCase = {
  name: 'markers',
  title: 'markers of 10 cell types over HTTP; peers: scanpy and illico, the matrix in memory',
  async run(context) {
    const { options, report } = context;
    const dataset = await context.imported(sizeOf(options, defaultSize));
    const times = { first: [] as number[], wilcoxon: [] as number[], 't-test': [] as number[] };
    let peak = 0;
    for (let round = 0; round < (options.repeat ?? 3); round++) {
      report(`  ours, round ${round + 1}`);
      // A new server for each round, as it caches the results of a column.
      const server = await openAnalysisServer(dataset);
      const run = async (groupby: string, method: string) =>
        (await server.client.call('perform-marker-analysis', { groupby, method })).milliseconds / 1000;
      try {
        times.first.push(await run('leiden', 'wilcoxon'));
        times.wilcoxon.push(await run('cell_type', 'wilcoxon'));
        times['t-test'].push(await run('cell_type', 't-test'));
        peak = Math.max(peak, server.peak());
      } finally {
        await server.close();
      }
    }
    const peer = await openAnalysisPeer(context, dataset);
    const theirs: Record<string, number[]> = {};
    if (peer) {
      try {
        for (const [name, request, rounds] of [
          ['illico', { do: 'illico' }, 3],
          ['t-test', { do: 'scanpy', method: 't-test' }, 2],
          ['wilcoxon', { do: 'scanpy', method: 'wilcoxon' }, 1],
        ] as const) {
          report(`  peer: ${name}`);
          const seconds: number[] = [];
          for (let i = 0; i < rounds; i++) seconds.push((await peer.time(request)) / 1000);
          // The first call includes compilation.
          theirs[name] = seconds.length > 1 ? seconds.slice(1) : seconds;
        }
        theirs['peak'] = [peer.peak() / mebibyte];
      } finally {
        await peer.close();
      }
    }
    const against = (name: string) => (theirs[name] ? { peer: theirs[name] } : {});
    return {
      results: [
        {
          quantity: 'Wilcoxon, against scanpy',
          unit: 's',
          ours: times.wilcoxon,
          ...against('wilcoxon'),
          target: { kind: 'ratio-at-least', limit: 30 },
        },
        {
          quantity: 'Wilcoxon, against illico',
          unit: 's',
          ours: times.wilcoxon,
          ...against('illico'),
          target: { kind: 'ratio-at-least', limit: 1 },
        },
        {
          quantity: 't-test, against scanpy',
          unit: 's',
          ours: times['t-test'],
          ...against('t-test'),
          target: { kind: 'ratio-at-least', limit: 5 },
        },
        { quantity: 'first Wilcoxon of a new server', unit: 's', ours: times.first },
        {
          quantity: 'peak memory',
          unit: 'MiB',
          ours: [peak / mebibyte],
          ...against('peak'),
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
