import { openAnalysisServer } from '../analysis/analysis-contenders.ts';
import { type BenchCase, sizeOf } from '../bench-context.ts';
import { mebibyte } from '../measure/process-memory.ts';
import type { Result } from '../measure/result.ts';

const sizes = [25_000, 50_000, 100_000, 200_000];

/** Markers at growing sizes: the time for a million cells × genes that are not zero must stay the same. */
export const analysisScalingCase: BenchCase = {
  name: 'analysis-scaling',
  title: 'Wilcoxon markers at 25,000 to 200,000 cells, and the memory of a server that did everything',
  async run(context) {
    const { options, report } = context;
    const results: Result[] = [];
    const notes: string[] = [];
    for (const cells of sizes) {
      report(`  ${cells} cells`);
      const dataset = await context.imported({ ...sizeOf(options, { cells, genes: 20_000 }), cells });
      const server = await openAnalysisServer(dataset);
      const run = async (groupby: string, method: string) =>
        (await server.client.call('perform-marker-analysis', { groupby, method })).milliseconds / 1000;
      try {
        await run('leiden', 'wilcoxon');
        const seconds = await run('cell_type', 'wilcoxon');
        await run('cell_type', 't-test');
        const genes = Array.from({ length: 200 }, (_, gene) => `GENE${50 * gene + 1}`);
        await server.client.call('plot-signature-enrichment', { genes, violin_plot: true });
        await server.client.call('perform-pathway-analysis', { pathway_genes: genes });
        const millions = (cells * dataset.size.genes * dataset.size.density) / 1e6;
        results.push({ quantity: `${cells} cells: Wilcoxon`, unit: 's', ours: [seconds] });
        results.push({
          quantity: `${cells} cells: a million non-zeros`,
          unit: 'ms',
          ours: [(seconds * 1000) / millions],
        });
        results.push({
          quantity: `${cells} cells: peak memory after all analyses`,
          unit: 'MiB',
          ours: [server.peak() / mebibyte],
          ...(cells === 100_000 && { target: { kind: 'each-at-most', limit: 1024 } as const }),
        });
      } finally {
        await server.close();
      }
    }
    notes.push(
      'all analyses: both tests, a signature with violins, enrichment, one after the other in one server',
    );
    return { results, notes };
  },
};
