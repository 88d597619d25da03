import { z } from 'zod';
import { caution } from './answers.ts';

/** What the values of an AnnData file's expression are said to be; `counts`: its raw counts are taken. */
export const expressionAnswer = z.enum(['log1p', 'counts', 'linear', 'log2', 'log10']);
export type ExpressionAnswer = z.infer<typeof expressionAnswer>;

/** Which way round a table of text is. */
export const genesIn = z.enum(['rows', 'columns']);
export type GenesIn = z.infer<typeof genesIn>;

/** Columns of an AnnData file that play a part; those left out are found by their names. */
export const columnChoice = z
  .object({
    cellType: z.string().min(1).max(1000),
    cluster: z.string().min(1).max(1000),
    patient: z.string().min(1).max(1000),
    embedding: z.string().min(1).max(1000).describe('Key of obsm.'),
    symbol: z.string().min(1).max(1000).describe('Column of var.'),
    genesIn: genesIn.describe('Where a table of text has its genes, if the names in it do not show it.'),
    expression: expressionAnswer.describe(
      'What the values are, where the file does not show it or its owner knows better: natural logarithms, raw counts, no logarithms, or logarithms to another base.',
    ),
  })
  .partial()
  .strict()
  .meta({ id: 'ColumnChoice' });
export type ColumnChoice = z.infer<typeof columnChoice>;

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

/** The defaults of DropletUtils::emptyDrops, and the rate of https://bioconductor.org/books/release/OSCA.advanced/droplet-processing.html. */
export const dropletDefaults = { emptyUpTo: 100, falseDiscoveryRate: 0.001, iterations: 10_000 } as const;

/** Which barcodes of a raw matrix become cells. */
const dropletChoice = z
  .object({
    keep: z
      .enum(['called', 'minimum', 'all'])
      .describe(
        'Barcodes that EmptyDrops calls cells; those with a minimum of counts; all. Unless told, called where most barcodes are empty droplets, else all.',
      ),
    falseDiscoveryRate: z
      .number()
      .min(1e-6)
      .max(0.5)
      .describe(`Of called cells; ${dropletDefaults.falseDiscoveryRate} unless told.`),
    emptyUpTo: z
      .number()
      .int()
      .min(1)
      .max(1e5)
      .describe(
        `Barcodes with at most so many counts are taken for empty; ${dropletDefaults.emptyUpTo} unless told.`,
      ),
    minimumCounts: z
      .number()
      .int()
      .min(1)
      .max(1e9)
      .describe('Fewest counts of a barcode, for minimum; the inflection of the curve unless told.'),
  })
  .partial()
  .strict()
  .meta({ id: 'DropletChoice' });
export type DropletChoice = z.infer<typeof dropletChoice>;

/** What is done with the samples of a combined file where nothing was chosen. */
export const samplesDefaults = {
  doublets: 'remove',
  integrate: 'harmony',
  batchColumn: 'sample',
  // Coarser and finer by half than the first.
  resolutions: [0.5, 2],
} as const;

const resolution = z.number().min(0.01).max(20);

/** What a researcher may choose for a file that was combined from several samples. */
export const samplesChoice = z
  .object({
    doublets: z
      .enum(['remove', 'mark', 'keep'])
      .describe('What becomes of those that Scrublet finds in each sample; keep: it does not look for any.'),
    integrate: z
      .enum(['harmony', 'none'])
      .describe('How differences between batches are taken out of the components.'),
    batchColumn: z.string().min(1).max(1000).describe('Column of obs with the batch of each cell.'),
    resolutions: z.array(resolution).max(8).describe('Of further clusterings.'),
  })
  .partial()
  .strict()
  .meta({ id: 'SamplesChoice' });
export type SamplesChoice = z.infer<typeof samplesChoice>;

/** What is done with samples: as chosen, else by default. */
export function samplesDone(chosen: SamplesChoice = {}): Required<{
  readonly [K in keyof SamplesChoice]: NonNullable<SamplesChoice[K]>;
}> {
  const { doublets, integrate, batchColumn, resolutions } = chosen;
  return {
    doublets: doublets ?? samplesDefaults.doublets,
    integrate: integrate ?? samplesDefaults.integrate,
    batchColumn: batchColumn ?? samplesDefaults.batchColumn,
    resolutions: resolutions ?? [...samplesDefaults.resolutions],
  };
}

/** What a researcher may choose of the processing of raw counts; what is left out has its default. */
export const processingChoice = z
  .object({
    droplets: dropletChoice,
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
    sampleColumn: z
      .string()
      .min(1)
      .max(1000)
      .nullable()
      .describe(
        'Column of obs whose samples have thresholds of their own; null: all cells have the same. Found by its name unless told.',
      ),
    variableGenes: z.number().int().min(50).max(20_000),
    components: z.number().int().min(2).max(100),
    neighbours: z.number().int().min(2).max(200),
    resolution: resolution.describe('Of the Leiden clustering; larger gives more clusters.'),
    minimumDistance: z.number().min(0).max(3).describe('Of the UMAP.'),
    samples: samplesChoice.describe(
      'Of a file that was combined from several samples, and of a map of some cells; of others ignored.',
    ),
  })
  .partial()
  .strict()
  .meta({ id: 'ProcessingChoice' });
export type ProcessingChoice = z.infer<typeof processingChoice>;

/** Lines of a quality control that are applied. */
const qualityThresholds = z
  .object({
    minimumCounts: z.number(),
    minimumGenes: z.number(),
    maximumMitochondrial: z
      .number()
      .optional()
      .describe('Share from 0 to 1; absent where no mitochondrial genes are known, so that none is applied.'),
  })
  .meta({ id: 'QualityThresholds' });

/** Cells that a rule removes; a cell may break several rules. */
const removedCells = z
  .object({
    all: z.number().int().describe('By whatever rule, each once.'),
    noCounts: z.number().int().describe('Without any count; in no other number.'),
    counts: z.number().int(),
    genes: z.number().int(),
    mitochondrial: z.number().int(),
    several: z.number().int().describe('By more than one rule.'),
  })
  .meta({ id: 'RemovedCells' });
export type RemovedCells = z.infer<typeof removedCells>;

/** Cells that have thresholds of their own. */
const qualityGroup = z.object({
  sample: z.string().optional().describe('Absent for all cells together, and for those without a sample.'),
  cells: z.number().int(),
  removed: removedCells,
  thresholds: qualityThresholds,
  pooled: z.boolean().describe('Fewer than 100 cells: the thresholds are those of all cells.'),
});

/** Which barcodes were called cells. */
const dropletRecord = z
  .object({
    barcodes: z.number().int(),
    emptyUpTo: z.number().int(),
    empty: z.number().int().describe('Barcodes with at most emptyUpTo counts.'),
    detected: z.boolean().describe('Most barcodes are empty droplets, as in a raw matrix.'),
    keep: z.enum(['called', 'minimum', 'all']),
    cells: z.number().int(),
    knee: z.number().optional().describe('Counts; barcodes with as many are cells without a test.'),
    inflection: z.number().optional(),
    minimumCounts: z.number().optional(),
    falseDiscoveryRate: z.number().optional(),
    iterations: z.number().int().optional(),
    concentration: z.number().optional().describe('Of the Dirichlet-multinomial of empty droplets.'),
  })
  .meta({ id: 'DropletRecord' });

const neighbourMixing = z.object({
  neighbours: z.number().int(),
  effectiveSamples: z.number(),
  expectedSamples: z.number(),
});

/** Files that became one. */
export const combinedRecord = z
  .object({
    genes: z.object({
      kept: z.enum(['shared', 'all']).describe('Genes that all files have, or that any has.'),
      matchedBy: z.enum(['ids', 'names']),
      shared: z.number().int(),
      ofAny: z.number().int(),
    }),
    files: z
      .array(
        z.object({
          sample: z.string(),
          file: z.string(),
          cells: z.number().int(),
          genes: z.number().int(),
        }),
      )
      .readonly(),
  })
  .meta({ id: 'CombinedRecord' });
export type CombinedRecord = z.infer<typeof combinedRecord>;

/** Which cells of another dataset a dataset was made of. */
export const subMapRecord = z
  .object({
    dataset_filename: z.string().describe('The dataset that they were taken from.'),
    version: z.string().describe('Its version then.'),
    name: z.string().describe('As it was called then.'),
    subset: z.string().nullable().describe('Name of the subset; null for all cells.'),
    definition: z.string().describe('Which cells they are, in words.'),
    cells: z.number().int(),
    of_cells: z.number().int(),
  })
  .meta({ id: 'SubMapRecord' });
export type SubMapRecord = z.infer<typeof subMapRecord>;

/** How several samples became one dataset, or what was made of the samples among some cells. */
const samplesRecord = combinedRecord
  .partial()
  .extend({
    doublets: z
      .object({
        action: z.enum(['removed', 'marked']),
        called: z.number().int(),
        groups: z
          .array(
            z.object({
              sample: z.string().optional(),
              cells: z.number().int(),
              threshold: z.number().optional(),
              called: z.number().int(),
              detectable: z.number().optional(),
              skipped: z.enum(['few-cells', 'few-variable-genes']).optional(),
            }),
          )
          .readonly(),
      })
      .optional()
      .describe('Scrublet within each sample; absent where doublets were not looked for.'),
    batchColumn: z.string().optional().describe('Absent where all cells were taken for one batch.'),
    integration: z
      .object({
        method: z.literal('harmony'),
        clusters: z.number().int(),
        iterations: z.number().int(),
        converged: z.boolean(),
        objectives: z.array(z.number()).readonly(),
        mixingBefore: neighbourMixing.optional(),
        typeColumn: z.string().optional(),
        keptBefore: z.number(),
        keptAfter: z.number(),
        merged: z
          .array(
            z.object({ name: z.string(), cells: z.number().int(), before: z.number(), after: z.number() }),
          )
          .readonly(),
      })
      .optional()
      .describe('Absent where batches were not integrated.'),
    clusterings: z.array(z.object({ resolution: z.number(), clusterCount: z.number().int() })).readonly(),
  })
  .meta({ id: 'SamplesRecord' });

/** What was computed from raw counts, with which settings. */

export const processingRecord = z
  .object({
    computedBy: z.string(),
    computed: z.array(z.enum(['qualityControl', 'clusters', 'embedding'])),
    cellsBefore: z.number().int(),
    cellsKept: z.number().int(),
    droplets: dropletRecord
      .optional()
      .describe('Which barcodes were taken for cells before quality control.'),
    mixing: neighbourMixing
      .extend({ column: z.string() })
      .optional()
      .describe('How many samples the nearest neighbours of a cell stand for, and would if mixed.'),
    samples: samplesRecord
      .optional()
      .describe(
        'How samples were combined; absent where it is of one file. Of a map of some cells without `genes` and `files`.',
      ),
    thresholds: qualityThresholds.optional().describe('Absent where samples have different ones.'),
    quality: z
      .object({
        deviations: z
          .number()
          .optional()
          .describe('Median absolute deviations; absent where no threshold came of them.'),
        sampleColumn: z.string().optional(),
        mitochondrialGenes: z.number().int(),
        ribosomalGenes: z.number().int(),
        haemoglobinGenes: z.number().int(),
        removed: removedCells,
        groups: z.array(qualityGroup).readonly(),
        cautions: z.array(caution).readonly(),
      })
      .optional()
      .describe('Who was taken away by which rule.'),
    variableGenes: z.number().int(),
    components: z.number().int(),
    neighbours: z.number().int(),
    resolution: z.number(),
    clusterCount: z.number().int(),
    minimumDistance: z.number(),
  })
  .meta({ id: 'ProcessingRecord' });
export type ProcessingRecord = z.infer<typeof processingRecord>;

const spread = z.object({ median: z.number(), deviation: z.number() });
const perBin = z.array(z.number().int());
const edges = z.array(z.number()).describe('Edges of the bins, one more than there are.');

/** What of a request decides which cells stay. */
const qualityChoice = processingChoice
  .pick({
    droplets: true,
    deviations: true,
    minimumCounts: true,
    minimumGenes: true,
    maximumMitochondrial: true,
    sampleColumn: true,
  })
  .extend(columnChoice.pick({ symbol: true, expression: true }).shape);
export type QualityChoice = z.infer<typeof qualityChoice>;

/** Which barcodes become cells, and the curve of their counts over their ranks. */
const dropletPlan = dropletRecord
  .extend({
    curve: z
      .array(z.object({ rank: z.number(), counts: z.number(), cells: z.number() }))
      .describe('At most 400 points, ranks rising; cells is the share of barcodes there that are kept.'),
  })
  .meta({ id: 'DropletPlan' });
export type DropletPlan = z.infer<typeof dropletPlan>;

/** Preview of the cells that a build with these settings removes. */
export const qualityPlan = z
  .object({
    choice: qualityChoice.describe('The settings that it was made with; what is not in it has its default.'),
    droplets: dropletPlan
      .optional()
      .describe(
        'Before quality control; absent where the matrix holds no empty droplets and nothing was chosen.',
      ),
    cells: z.number().int(),
    sampleColumn: z.string().optional().describe('Column of obs whose samples have thresholds of their own.'),
    sampleColumns: z.array(z.string()).describe('Columns of obs that can be chosen for that.'),
    mitochondrialGenes: z.number().int(),
    ribosomalGenes: z.number().int(),
    haemoglobinGenes: z.number().int(),
    removed: removedCells,
    edges: z.object({ counts: edges, genes: edges, mitochondrial: edges }),
    groups: z.array(
      qualityGroup.extend({
        spreads: z
          .object({ counts: spread, genes: spread, mitochondrial: spread.optional() })
          .describe('Median and median absolute deviation: of natural logarithms for counts and genes.'),
        bins: z
          .object({ counts: perBin, genes: perBin, mitochondrial: perBin })
          .optional()
          .describe('Cells in each bin; of the 24 largest samples.'),
      }),
    ),
    cautions: z.array(caution),
  })
  .meta({ id: 'QualityPlan' });
export type QualityPlan = z.infer<typeof qualityPlan>;
