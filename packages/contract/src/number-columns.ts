import { z } from 'zod';
import { annotationName } from './annotations.ts';
import { figureSource } from './figures.ts';

/** The maps of results that have one number for each cell, in whatever colours. */
const numberMaps = ['pseudotime-umap', 'gradient-umap', 'score-umap'] as const;

/** Whether the numbers that a figure colours its cells by can be kept as a column. */
export function hasCellNumbers({ kind }: { readonly kind: string }): boolean {
  return numberMaps.some((one) => one === kind);
}

/** `POST /api/datasets/{id}/number-columns`: keeps the numbers of a result as a column of one's own. */
export const newNumberColumn = z
  .object({
    name: annotationName,
    source: figureSource
      .refine(({ content }) => hasCellNumbers(content), {
        path: ['content', 'kind'],
        message: `Only a figure of the kinds ${numberMaps.join(', ')} has a number for each cell.`,
      })
      .describe('Of the map of a result.'),
  })
  .meta({ id: 'NewNumberColumn' });
