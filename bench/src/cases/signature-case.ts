import { openAnalysisPeer, openAnalysisServer } from '../server/analysis-contenders.ts';
import { type BenchCase, sizeOf } from '../bench-context.ts';
import { genesToDraw } from '../data/generated-file.ts';
import { mebibyte } from '../measure/child.ts';

const defaultSize = { cells: 100_000, genes: 20_000 };
const signatureSize = 200;

export const signatureCase: BenchCase = {
  name: 'signature',
  title: 'signature of 200 genes, and a gene percentile filter, over HTTP; peers: scanpy and numpy',
  async run(context) {
    const { options, report } = context;
    const dataset = await context.imported(sizeOf(options, defaultSize));
    const rounds = options.repeat ?? 5;
    // One for warming up, then two per round: to draw and to filter by.
    const count = 1 + 2 * rounds;
    const names = genesToDraw(dataset.model, signatureSize * count);
    // Interleaved, so that each signature has frequent and rare genes.
    const signatures = Array.from({ length: count }, (_, at) =>
      names.filter((_, gene) => gene % count === at),
    );
    const filtered = genesToDraw(dataset.model, 20);
    const server = await openAnalysisServer(dataset);
    const peer = await openAnalysisPeer(context, dataset);
    const ours: number[] = [];
    const scored: number[] = [];
    const theirs: number[] = [];
    const filters: number[] = [];
    const peerFilters: number[] = [];
    const score = async (genes: readonly string[]) =>
      (await server.client.call('plot-signature-enrichment', { genes, score_name: 'Bench' })).milliseconds /
      1000;
    const filterByScore = async (genes: readonly string[]) =>
      (
        await server.client.call('filter-active-dataset', {
          subset_group_name: 'bench',
          signature_filter: true,
          signature: { genes, score_name: 'Bench', min_percentile: 10, max_percentile: 90 },
        })
      ).milliseconds / 1000;
    try {
      // The first one includes the means of all genes, which are cached.
      const first = await score(signatures[0]!);
      await peer?.time({ do: 'score', genes: signatures[0] });
      for (const genes of signatures.slice(1, 1 + rounds)) {
        report('  signature');
        ours.push(await score(genes));
        if (peer) theirs.push((await peer.time({ do: 'score', genes })) / 1000);
      }
      for (const genes of signatures.slice(1 + rounds)) scored.push(await filterByScore(genes));
      await server.client.call('filter-active-dataset', { subset_group_name: 'Default' });
      const filter = async (gene: string, [min, max]: readonly [number, number]) =>
        (
          await server.client.call('filter-active-dataset', {
            subset_group_name: 'bench',
            gene_filter: true,
            gene: { name: gene, presence: 'percentile', min_percentile: min, max_percentile: max },
          })
        ).milliseconds;
      for (const gene of filtered) {
        // Other percentiles first, so that the values of the gene are cached.
        await filter(gene, [5, 95]);
        filters.push(await filter(gene, [10, 90]));
        if (peer) peerFilters.push(await peer.time({ do: 'percentile', gene }));
      }
      return {
        results: [
          {
            quantity: 'signature scored, cells filtered by it',
            unit: 's',
            ours: scored,
            ...(peer && { peer: theirs }),
            target: { kind: 'ratio-at-least', limit: 10 },
          },
          { quantity: 'signature scored and drawn', unit: 's', ours, ...(peer && { peer: theirs }) },
          { quantity: 'first signature on a dataset', unit: 's', ours: [first] },
          {
            quantity: 'gene percentile filter, warm',
            unit: 'ms',
            ours: filters,
            ...(peer && { peer: peerFilters }),
            target: { kind: 'median-at-most', limit: 50 },
          },
          {
            quantity: 'peak memory',
            unit: 'MiB',
            ours: [server.peak() / mebibyte],
            ...(peer && { peer: [peer.peak() / mebibyte] }),
            target: { kind: 'each-at-most', limit: 1024 },
          },
        ],
        notes: [
          `${dataset.size.cells} cells × ${dataset.size.genes} genes; each signature has different genes`,
          'the peer only scores, without drawing; scanpy has X as CSR, numpy takes the column from CSC',
        ],
      };
    } finally {
      await server.close();
      await peer?.close();
    }
  },
};
