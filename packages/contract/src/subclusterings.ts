import { mapNumbers } from '@cellfolio/model';
import { z } from 'zod';
import { job, jobProblem, subclusteringRecord } from './files.ts';
import { integrationChoice, numberFields, samplesChoice } from './processing.ts';
import { samplesDefaults } from './processing-defaults.ts';
import { chosenCells } from './subsets.ts';

/** Minimum number of cells; fewer have no structure that a map could show. */
export const minSubclusteringCells = 50;

const subclusteringChoice = z
  .object(numberFields(mapNumbers))
  .partial()
  .extend({
    resolutions: samplesChoice.shape.resolutions,
    integrate: integrationChoice
      .optional()
      .describe(`Over batchColumn, which it needs unless none; ${samplesDefaults.integrate} unless told.`),
    batchColumn: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'Column of obs: differences between its values are removed from the components. Default: none.',
      ),
  })
  .strict()
  .refine(({ integrate = 'none', batchColumn }) => integrate === 'none' || batchColumn !== undefined, {
    path: ['batchColumn'],
    message: 'Choose the column whose values are the batches.',
  })
  .meta({ id: 'SubclusteringChoice' });
export type SubclusteringChoice = z.infer<typeof subclusteringChoice>;

/** `POST /api/subclusterings`: makes a dataset of the caller from cells of the open one, with its own map. */
export const subclusteringRequest = z
  .object({
    name: z.string().trim().min(1, 'Give the map a name.').max(200),
    cells: chosenCells.optional(),
    definition: z
      .string()
      .trim()
      .max(1000)
      .optional()
      .describe('Description of the cells; default: the name of their subset.'),
    choices: subclusteringChoice.default({}),
  })
  .strict()
  .meta({ id: 'SubclusteringRequest' });
export type SubclusteringRequest = z.input<typeof subclusteringRequest>;

/** `GET /api/subclusterings/{datasetFilename}`: parent of a dataset, and the datasets made from its cells. */
export const subclusteringLinks = z
  .object({
    part_of: subclusteringRecord
      .extend({
        state: z
          .enum(['same', 'replaced', 'removed'])
          .describe(
            'Whether that dataset is still there, and of the version that the cells were taken from.',
          ),
      })
      .nullable()
      .describe('The dataset that its cells were taken from; null if it was built from a file.'),
    subclusterings: z
      .array(
        z.object({
          dataset_filename: z.string(),
          name: z.string(),
          state: z.enum(['preparing', 'ready', 'failed']),
          problem: jobProblem.nullable(),
          part: subclusteringRecord,
        }),
      )
      .describe("The caller's own, the newest first."),
    jobs: z.array(job).describe('Those that take cells out of it, under way or failed within a day.'),
  })
  .meta({ id: 'SubclusteringLinks' });
export type SubclusteringLinks = z.infer<typeof subclusteringLinks>;
