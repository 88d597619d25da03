import { deviationScale } from '@cellfolio/model';
import { z } from 'zod';
import { caution } from './answers.ts';
import { columnChoice, processingChoice } from './processing.ts';

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

/** Cells removed per rule; a cell may break several rules. */
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

const qualityGroup = z.object({
  sample: z.string().optional().describe('Absent for all cells together, and for those without a sample.'),
  cells: z.number().int(),
  removed: removedCells,
  thresholds: qualityThresholds,
  pooled: z.boolean().describe('Fewer than 100 cells: the thresholds are those of all cells.'),
});

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

const integrationEffect = {
  mixingBefore: neighbourMixing.optional(),
  typeColumn: z.string().optional(),
  keptBefore: z.number(),
  keptAfter: z.number(),
  merged: z
    .array(z.object({ name: z.string(), cells: z.number().int(), before: z.number(), after: z.number() }))
    .readonly(),
};

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

export const subclusteringRecord = z
  .object({
    dataset_filename: z.string().describe('The dataset that they were taken from.'),
    version: z.string().describe('Its version then.'),
    name: z.string().describe('As it was called then.'),
    subset: z.string().nullable().describe('Name of the subset; null for all cells.'),
    definition: z.string().describe('Which cells they are, in words.'),
    cells: z.number().int(),
    of_cells: z.number().int(),
    warnings: z
      .array(z.object({ dataset: z.string(), code: z.string(), message: z.string() }))
      .optional()
      .describe(
        'What that dataset, and those that it was itself a part of, warned of that holds for these cells too; absent of parts that were made before this was kept.',
      ),
  })
  .meta({ id: 'SubclusteringRecord' });
export type SubclusteringRecord = z.infer<typeof subclusteringRecord>;

const neighbourRecall = z
  .object({ cells: z.number().int(), share: z.number() })
  .optional()
  .describe(
    'Of an approximate search: of a sample of so many cells the share of their neighbours that it found.',
  );

const perBin = z.array(z.number().int());

const samplesRecord = combinedRecord
  .partial()
  .extend({
    doublets: z
      .object({
        action: z.enum(['removed', 'marked']),
        called: z.number().int(),
        threshold: z
          .number()
          .optional()
          .describe('That was chosen for all samples; absent where each has one that was found.'),
        groups: z
          .array(
            z.object({
              sample: z.string().optional(),
              cells: z.number().int(),
              threshold: z.number().optional(),
              called: z.number().int(),
              detectable: z
                .number()
                .optional()
                .describe('Share of the simulated doublets whose scores are above the threshold.'),
              histogram: z
                .object({ observed: perBin.readonly(), simulated: perBin.readonly() })
                .optional()
                .describe(
                  'Scores of the cells and of simulated doublets: how many are in each of 200 bins of equal width from 0 to 1; of the 24 largest samples.',
                ),
              neighbourRecall,
              skipped: z.enum(['few-cells', 'few-variable-genes']).optional(),
            }),
          )
          .readonly(),
      })
      .optional()
      .describe('Scrublet within each sample; absent where doublets were not looked for.'),
    batchColumn: z.string().optional().describe('Absent where all cells were taken for one batch.'),
    integration: z
      .discriminatedUnion('method', [
        z.object({
          method: z.literal('harmony'),
          clusters: z.number().int(),
          iterations: z.number().int(),
          converged: z.boolean(),
          objectives: z.array(z.number()).readonly(),
          ...integrationEffect,
        }),
        z.object({
          method: z.literal('mnn'),
          neighbours: z
            .number()
            .int()
            .describe('Among which two cells of different batches are a pair, and whose mean a pair moves.'),
          order: z
            .array(z.string())
            .readonly()
            .describe('Batches: the first was left where it is, the last was merged first.'),
          paired: z.number().describe('Share of the cells of all batches but the first that were in a pair.'),
          ...integrationEffect,
        }),
      ])
      .optional()
      .describe('Absent where batches were not integrated.'),
    clusterings: z.array(z.object({ resolution: z.number(), clusterCount: z.number().int() })).readonly(),
  })
  .meta({ id: 'SamplesRecord' });

export const processingRecord = z
  .object({
    computedBy: z.string(),
    methods: z
      .object({ variableGenes: z.string(), clusters: z.string(), seeds: z.string() })
      .optional()
      .describe(
        'Flavour of variable genes, variant of Leiden and seeds, in words; absent where an earlier version computed it.',
      ),
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
        'How samples were combined; absent where it is of one file. Of a subclustering without `genes` and `files`.',
      ),
    thresholds: qualityThresholds.optional().describe('Absent where samples have different ones.'),
    quality: z
      .object({
        deviations: z
          .number()
          .optional()
          .describe(
            `Median absolute deviations (times ${deviationScale}); absent where no threshold came of them.`,
          ),
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
    varianceShares: z
      .array(z.number())
      .readonly()
      .optional()
      .describe(
        'Of each component the share of the variance of the variable genes; absent of older records.',
      ),
    neighbours: z.number().int(),
    neighbourRecall,
    resolution: z.number(),
    clusterCount: z.number().int(),
    minimumDistance: z.number(),
  })
  .meta({ id: 'ProcessingRecord' });
export type ProcessingRecord = z.infer<typeof processingRecord>;

const spread = z.object({ median: z.number(), deviation: z.number() });
const edges = z.array(z.number()).describe('Edges of the bins, one more than there are.');

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
