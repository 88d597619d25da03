import { comparisonParameters } from '@cellfolio/analysis/parameters';
import { cutText } from '@cellfolio/model';
import type { Context } from '../context.ts';
import { serve } from '../serve.ts';
import { deciles } from './declare.ts';

const maxTitle = 200;
/**
 * An end that deviates more from the requested percentage is labelled with its actual share; samples with few cells
 * come this near.
 */
const nearPercent = 1.5;

export const analysis = serve(deciles, {
  async run(request, context: Context) {
    const { by, share, samples, min_sample_cells, pvals_adj, logfoldchanges } = request;
    const areSampled = samples !== undefined || (await context.sampleColumn()) !== undefined;
    const method =
      request.method ?? (areSampled && context.dataset.expression.hasCounts ? 'pseudobulk' : 'wilcoxon');
    const { title, record: ends } = await context.rankedEnds({
      ...request,
      arePairs: method === 'pseudobulk' && areSampled,
    });
    const side = (end: 'Highest' | 'Lowest') => {
      const actual = 100 * ends[end === 'Highest' ? 'high' : 'low'].share;
      const percent = Math.abs(actual - share) < nearPercent ? share : Number(actual.toPrecision(2));
      return {
        name: `${end} ${percent} % of ${cutText(title, maxTitle)}`,
        filter: { subset_group_name: end },
      };
    };
    const parameters = comparisonParameters.parse({
      a: side('Highest'),
      b: side('Lowest'),
      ends: { by, share },
      method,
      samples,
      min_sample_cells,
      // Ends of one sample are a pair.
      pairing: 'by-sample',
      pvals_adj,
      logfoldchanges,
    });
    const compared = await context.compareGenes(parameters);
    const named = compared.parameters.samples;
    return {
      ...compared,
      request: { by, share, method, samples: named, min_sample_cells, pvals_adj, logfoldchanges },
      result: { ...compared.result, ends },
    };
  },
  facts: () => [],
});
