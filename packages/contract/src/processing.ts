import {
  type IntegrationMethod,
  integrationMethods,
  mapNumbers,
  type ProcessingNumber,
  qualityNumbers,
} from '@cellfolio/model';
import { expressionAnswer } from '@cellfolio/model/expression-scale';
import { z } from 'zod';
import { dropletDefaults } from './processing-defaults.ts';

/** Orientation of a text table. */
export const genesIn = z.enum(['rows', 'columns']);
export type GenesIn = z.infer<typeof genesIn>;

/** Columns of an AnnData file by role; omitted ones are detected by name. */
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

const dropletChoice = z
  .object({
    keep: z
      .enum(['called', 'minimum', 'all'])
      .describe(
        'Barcodes that EmptyDrops calls cells; those with a minimum of counts; or all. Default: called if most barcodes are empty droplets, else all.',
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
      .describe('Minimum counts of a barcode, for minimum; default: the inflection of the curve.'),
  })
  .partial()
  .strict()
  .meta({ id: 'DropletChoice' });
export type DropletChoice = z.infer<typeof dropletChoice>;

const methods = Object.keys(integrationMethods) as IntegrationMethod[];

/** Methods for removing batch differences from the components, in display order. */
export const integrationChoice = z.enum([...methods, 'none']);
export type IntegrationChoice = z.infer<typeof integrationChoice>;

export const integrationWords: Readonly<
  Record<IntegrationChoice, { name: string; short: string; when: string }>
> = {
  ...integrationMethods,
  none: {
    name: 'None',
    short: 'not integrated',
    when: 'Use it if samples were handled alike, or if you study their differences.',
  },
};

export function numberFields<K extends string>(numbers: Readonly<Record<K, ProcessingNumber>>) {
  return Object.fromEntries(
    Object.entries<ProcessingNumber>(numbers).map(([name, number]) => {
      const { title, hint, isShare, default: value } = number;
      const more = [
        ...(isShare ? ['A share from 0 to 1.'] : []),
        ...(value ? [`${value} unless told.`] : []),
      ];
      return [name, numberSchema(number).describe([`${title}.`, hint, ...more].join(' '))];
    }),
  ) as Record<K, z.ZodNumber>;
}

function numberSchema({ minimum, maximum, isWhole }: ProcessingNumber): z.ZodNumber {
  return (isWhole ? z.number().int() : z.number()).min(minimum).max(maximum);
}

export const samplesChoice = z
  .object({
    doublets: z
      .enum(['remove', 'mark', 'keep'])
      .describe('What becomes of those that Scrublet finds in each sample; keep: it does not look for any.'),
    doubletThreshold: share.describe(
      'Score above which a cell of any sample is a doublet; default: detected in each sample between the two modes of the scores of simulated doublets.',
    ),
    integrate: integrationChoice.describe(
      `How differences between batches are taken out of the components: ${integrationChoice.options.map((one) => `${one}: ${integrationWords[one].when}`).join(' ')}`,
    ),
    batchColumn: z.string().min(1).max(1000).describe('Column of obs with the batch of each cell.'),
    resolutions: z.array(numberSchema(mapNumbers.resolution)).max(8).describe('Of further clusterings.'),
  })
  .partial()
  .strict()
  .meta({ id: 'SamplesChoice' });
export type SamplesChoice = z.infer<typeof samplesChoice>;

export const processingChoice = z
  .object({
    droplets: dropletChoice,
    ...numberFields(qualityNumbers),
    sampleColumn: z
      .string()
      .min(1)
      .max(1000)
      .nullable()
      .describe(
        'Column of obs whose samples have thresholds of their own; null: all cells have the same. Default: found by its name.',
      ),
    ...numberFields(mapNumbers),
    samples: samplesChoice.describe(
      'Of a file that was combined from several samples all of it, as chosen or by default; of a subclustering integration and resolutions; of another file nothing but what is chosen, its samples being those of sampleColumn, and only where quality control is done.',
    ),
  })
  .partial()
  .strict()
  .meta({ id: 'ProcessingChoice' });
export type ProcessingChoice = z.infer<typeof processingChoice>;
