import { figureRankingSource, rankedEnrichmentParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

export const rankedEnrichmentContent = {
  ...rankedEnrichmentParameters.shape,
  ranking: figureRankingSource,
  library_version: z
    .string()
    .max(100)
    .optional()
    .describe('Version of the library that was tested: with another one the figure would be another.'),
};

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
      .describe('The set that is drawn; absent for the one of the greatest normalized score.'),
  }),
  inputs: (content) => ({
    enrichment: {
      from: 'ranked-enrichment',
      parameters: content,
      term: content.term,
    },
  }),
  titles: ({ term }) => ({ title: term ?? 'Running score', subtitle: 'Running score' }),
});
