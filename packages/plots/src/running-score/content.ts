import { z } from 'zod';
import { plotContent } from '../plot-content.ts';
import { rankedEnrichmentContent } from '../ranked-enrichment-bar/content.ts';

/** The walk of a gene set down a ranking. */
export const runningScoreContent = plotContent({
  kind: 'running-score',
  name: 'Running score',
  schema: z.object({
    kind: z.literal('running-score'),
    ...rankedEnrichmentContent,
    term: z
      .string()
      .max(2000)
      .optional()
      .describe('The set that is drawn; absent for the one of the greatest normalised score.'),
  }),
  inputs: (content) => ({
    enrichment: {
      from: 'ranked-enrichment',
      parameters: content,
      version: content.library_version,
      term: content.term,
    },
  }),
  titles: ({ term }) => ({ title: term ?? 'Running score', subtitle: 'Running score' }),
});
