import { enrichmentBackground, pathwayParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { declareFigure } from '../plot-content.ts';

const beforeMinimumOverlap = 1;

const schema = z.object({
  kind: z.literal('enrichment-bar'),
  ...pathwayParameters.shape,
  background: enrichmentBackground
    .default({ kind: 'dataset' })
    .describe('All genes of the dataset where it is absent, as older figures were drawn.'),
  minimum_overlap: pathwayParameters.shape.minimum_overlap
    .unwrap()
    .default(beforeMinimumOverlap)
    .describe(
      `Sets that share fewer genes are not shown; ${beforeMinimumOverlap} where it is absent, as older figures were drawn.`,
    ),
  library_version: z
    .string()
    .max(100)
    .optional()
    .describe('Version of the library that was tested: with another one the figure would be another.'),
});

export const enrichmentBar = declareFigure({
  kind: 'enrichment-bar',
  name: 'Bar plot',
  schema,
  inputs: (content) => ({
    enrichment: { from: 'pathway', parameters: content },
  }),
  titles: () => ({ title: 'Gene set enrichment', subtitle: 'Bar plot' }),
});
