import { caution } from '@cellfolio/model/caution';
import { dropletRecord, qualityGroup, removedCells, spreads } from '@cellfolio/model/processing-record';
import { z } from 'zod';
import { columnChoice, processingChoice } from './processing.ts';

const perBin = z.array(z.number().int());
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
        spreads,
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
