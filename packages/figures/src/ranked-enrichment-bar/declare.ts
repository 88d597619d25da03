import { z } from 'zod';
import { declareFigure } from '../plot-content.ts';
import { rankedEnrichmentContent } from '../ranked-enrichment/content.ts';

export const rankedEnrichmentBar = declareFigure({
  kind: 'ranked-enrichment-bar',
  name: 'Bar plot',
  schema: z.object({ kind: z.literal('ranked-enrichment-bar'), ...rankedEnrichmentContent }),
  inputs: (content) => ({
    enrichment: { from: 'ranked-enrichment', parameters: content },
  }),
  titles: () => ({ title: 'Ranked enrichment', subtitle: 'Bar plot' }),
});
