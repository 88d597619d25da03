import { z } from 'zod';

const share = z.number().min(0).max(1);

/**
 * What is used of the processing of raw counts where nothing was chosen: scanpy's tutorial values, with a filter that
 * only takes cells far outside (5 deviations, as
 * https://www.sc-best-practices.org/preprocessing_visualization/quality_control.html advises). The other thresholds of
 * cells are found from the data.
 */
export const processingDefaults = {
  deviations: 5,
  variableGenes: 2000,
  components: 50,
  neighbours: 15,
  resolution: 1,
  // Keeps a fifth more of the nearest 15 cells of mouse brain together than 0.5, and leaves groups as legible.
  minimumDistance: 0.3,
} as const;

/** What a researcher may choose of the processing of raw counts; what is left out has its default. */
export const processingChoice = z
  .object({
    deviations: z
      .number()
      .min(1)
      .max(100)
      .describe(
        `Cells this many median absolute deviations out are taken away; ${processingDefaults.deviations} unless told.`,
      ),
    minimumCounts: z
      .number()
      .int()
      .min(0)
      .max(1e9)
      .describe('Fewest counts of a cell, instead of deviations.'),
    minimumGenes: z.number().int().min(0).max(1e6).describe('Fewest detected genes of a cell.'),
    maximumMitochondrial: share.describe('Greatest share of counts from mitochondrial genes.'),
    variableGenes: z.number().int().min(50).max(20_000),
    components: z.number().int().min(2).max(100),
    neighbours: z.number().int().min(2).max(200),
    resolution: z
      .number()
      .min(0.01)
      .max(20)
      .describe('Of the Leiden clustering; larger gives more clusters.'),
    minimumDistance: z.number().min(0).max(3).describe('Of the UMAP.'),
  })
  .partial()
  .strict()
  .meta({ id: 'ProcessingChoice' });
export type ProcessingChoice = z.infer<typeof processingChoice>;

/** What was computed from raw counts, with which settings. */
export const processingRecord = z
  .object({
    computedBy: z.string(),
    computed: z.array(z.enum(['qualityControl', 'clusters', 'embedding'])),
    cellsBefore: z.number().int(),
    cellsKept: z.number().int(),
    thresholds: z
      .object({ minimumCounts: z.number(), minimumGenes: z.number(), maximumMitochondrial: z.number() })
      .optional(),
    variableGenes: z.number().int(),
    components: z.number().int(),
    neighbours: z.number().int(),
    resolution: z.number(),
    clusterCount: z.number().int(),
    minimumDistance: z.number(),
  })
  .meta({ id: 'ProcessingRecord' });
export type ProcessingRecord = z.infer<typeof processingRecord>;
