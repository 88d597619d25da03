import type { Attack } from '../attacker.ts';
import type { Attacker } from '../attacker.ts';

const concurrency = 24;

export const analyst: Attack = {
  name: 'analyst',
  title: `one analyst with ${concurrency} concurrent heavy calls: markers, enrichment, scores, renderings at 300 dpi, previews`,
  async prepare(attacker) {
    await attacker.send('GET', `/api/dataset_analysis/${encodeURIComponent(attacker.data.dataset)}`);
  },
  run: (attacker, signal) =>
    attacker.inParallel(concurrency, signal, (lane, round) => {
      const [path, body] = heavyCall(attacker, lane % 5, lane * 10_000 + round);
      return attacker.send('POST', `/api/${path}`, { body, signal });
    }),
};

/** A different call each time, to bypass caches. */
function heavyCall({ data }: Attacker, kind: number, nth: number): readonly [path: string, body: object] {
  const gene = (i: number): string => data.genes[i % data.genes.length]!;
  const some = (count: number): string[] => Array.from({ length: count }, (_, i) => gene(nth * 31 + i * 7));
  switch (kind) {
    case 0:
      // Each minimum number of cells is a different test.
      return [
        'perform-marker-analysis',
        { groupby: 'leiden', n_genes: 1000, tie_correct: nth % 2 === 0, min_cells: 2 + (nth % 9000) },
      ];
    case 1:
      return ['perform-pathway-analysis', { pathway_genes: some(2000) }];
    case 2:
      return ['plot-signature-enrichment', { genes: some(200), score_name: `s${nth}`, violin_plot: true }];
    case 3:
      return [
        'render-figure',
        {
          source: { dataset_filename: data.dataset, content: { kind: 'gene-violin', gene: gene(nth) } },
          format: 'png-300dpi',
        },
      ];
    default:
      return [
        'preview-filter',
        {
          subset_group_name: `p${nth}`,
          gene_filter: true,
          gene: { name: gene(nth), presence: 'percentile', min_percentile: nth % 90, max_percentile: 99 },
          signature_filter: true,
          signature: { genes: some(100), min_percentile: 10, max_percentile: 90 },
        },
      ];
  }
}
