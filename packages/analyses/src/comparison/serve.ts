import { comparisonParameters } from '@cellfolio/analysis/parameters';
import type { Context } from '../context.ts';
import { serve } from '../serve.ts';
import { comparison } from './declare.ts';

export const analysis = serve(comparison, {
  async run(request, context: Context) {
    const compared = await context.compareGenes(comparisonParameters.parse(request));
    return { ...compared, request: compared.parameters };
  },
  facts: () => [],
});
