import { z } from 'zod';
import { caution } from './caution.ts';
import { deviationScale } from './deviation-scale.ts';
import { type MapNumber, mapNumbers } from './processing-numbers.ts';

/** A cell exactly on a threshold stays. */
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
export type QualityThresholds = z.infer<typeof qualityThresholds>;

const spread = z.object({ median: z.number(), deviation: z.number() });
export type Spread = z.infer<typeof spread>;

/** Basis of the thresholds: `mitochondrial` is of shares, and absent without mitochondrial counts. */
export const spreads = z
  .object({ counts: spread, genes: spread, mitochondrial: spread.optional() })
  .describe('Median and median absolute deviation: of natural logarithms for counts and genes.');
export type Spreads = z.infer<typeof spreads>;

/** Cells removed per rule; a cell may break several rules. */
export const removedCells = z
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

export const qualityGroup = z.object({
  sample: z.string().optional().describe('Absent for all cells together, and for those without a sample.'),
  cells: z.number().int(),
  removed: removedCells,
  thresholds: qualityThresholds,
  pooled: z.boolean().describe('Fewer than 100 cells: the thresholds are those of all cells.'),
});

export const dropletRecord = z
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
export type DropletRecord = z.infer<typeof dropletRecord>;

/** Effective number of samples among the neighbours of a cell: 1 if all are from one. */
const neighbourMixing = z.object({
  neighbours: z.number().int(),
  effectiveSamples: z.number(),
  /** The same, if the samples were mixed. */
  expectedSamples: z.number(),
});
export type NeighbourMixing = z.infer<typeof neighbourMixing>;

/** Cohesion of a group of cells: mean share of the nearest cells that are in the group as well. */
const keptGroup = z.object({
  name: z.string(),
  cells: z.number().int(),
  before: z.number(),
  after: z.number(),
});
export type KeptGroup = z.infer<typeof keptGroup>;

const harmonyRun = z.object({
  method: z.literal('harmony'),
  clusters: z.number().int(),
  iterations: z.number().int(),
  converged: z.boolean(),
  /** At the start, then after each iteration. */
  objectives: z.array(z.number()).readonly(),
});

const mnnRun = z.object({
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
});
export type IntegrationRun = z.infer<typeof harmonyRun> | z.infer<typeof mnnRun>;

const integrationEffect = {
  /** Mixing of samples before integration; `mixing` of the whole record is that after it. */
  mixingBefore: neighbourMixing.optional(),
  /** Column of given types to keep apart; absent if clusters of each batch were used. */
  typeColumn: z.string().optional(),
  /** Mean share, over all cells, of a cell's neighbours that have its type or cluster. */
  keptBefore: z.number(),
  keptAfter: z.number(),
  /** Types or clusters that merged with others, the worst first. */
  merged: z.array(keptGroup).readonly(),
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

const recall = z.object({ cells: z.number().int(), share: z.number() });
export type NeighbourRecall = z.infer<typeof recall>;

const neighbourRecall = recall
  .optional()
  .describe(
    'Of an approximate search: of a sample of so many cells the share of their neighbors that it found.',
  );

const perBin = z.array(z.number().int());

/** Doublets among the cells of a sample that passed quality control; absent `sample`: those without one, or all. */
const doubletGroup = z.object({
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
});
export type DoubletGroup = z.infer<typeof doubletGroup>;

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
        groups: z.array(doubletGroup).readonly(),
      })
      .optional()
      .describe('Scrublet within each sample; absent if doublets were not detected.'),
    batchColumn: z.string().optional().describe('Absent where all cells were taken for one batch.'),
    integration: z
      .discriminatedUnion('method', [harmonyRun.extend(integrationEffect), mnnRun.extend(integrationEffect)])
      .optional()
      .describe('Absent where batches were not integrated.'),
    /** Columns `leiden_RESOLUTION` of obs. */
    clusterings: z.array(z.object({ resolution: z.number(), clusterCount: z.number().int() })).readonly(),
  })
  .meta({ id: 'SamplesRecord' });
export type SamplesRecord = z.infer<typeof samplesRecord>;

const qualityRecord = z.object({
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
});
export type QualityRecord = z.infer<typeof qualityRecord>;

const mapNumberFields = Object.fromEntries(
  Object.entries(mapNumbers).map(([name, number]) => [
    name,
    'isWhole' in number ? z.number().int() : z.number(),
  ]),
) as Record<MapNumber, z.ZodNumber>;

/** Everything computed from the raw counts of a dataset, with its settings; stored with it and sent as it is. */
export const processingRecord = z
  .object({
    computedBy: z.string(),
    methods: z
      .object({ variableGenes: z.string(), clusters: z.string(), seeds: z.string() })
      .optional()
      .describe(
        'Flavor of variable genes, variant of Leiden and seeds, in words; absent where an earlier version computed it.',
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
      .describe('How many samples the nearest neighbors of a cell stand for, and would if mixed.'),
    samples: samplesRecord
      .optional()
      .describe(
        'How samples were combined; absent where it is of one file. Of a subclustering without `genes` and `files`.',
      ),
    thresholds: qualityThresholds.optional().describe('Absent where samples have different ones.'),
    quality: qualityRecord.optional().describe('Who was taken away by which rule.'),
    ...mapNumberFields,
    varianceShares: z
      .array(z.number())
      .readonly()
      .optional()
      .describe('Share of the variance of the variable genes, by component; absent in older records.'),
    neighbourRecall,
    clusterCount: z.number().int(),
  })
  .meta({ id: 'ProcessingRecord' });
export type ProcessingRecord = z.infer<typeof processingRecord>;
