import { z } from 'zod';

/** Where gene sets come from; `label` must be shown wherever their results are. */
export const geneSetOrigin = z
  .object({
    name: z.string(),
    source: z.enum(['publisher', 'file', 'starter']),
    label: z.string().describe('Empty, or `starter, abridged`.'),
  })
  .meta({ id: 'GeneSetOrigin' });
export type GeneSetOrigin = z.infer<typeof geneSetOrigin>;

/** `GET /api/gene-set-libraries`: what enrichment can be run against, and the cell states that can be scored. */
export const geneSetLibraries = z
  .object({
    libraries: z.array(geneSetOrigin.extend({ set_count: z.number().int() })),
    cell_states: z.array(z.string()),
  })
  .meta({ id: 'GeneSetLibraries' });
export type GeneSetLibraries = z.infer<typeof geneSetLibraries>;
