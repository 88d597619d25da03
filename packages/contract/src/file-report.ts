import { z } from 'zod';
import { caution } from './caution.ts';
import { columnChoice } from './column-choice.ts';
import { processingChoice } from './processing.ts';
import { qualityPlan } from './quality-plan.ts';

const notes = z.array(z.string()).describe('What a user should know, in sentences.');

const valueScale = z.enum(['counts', 'log1p', 'log2', 'log10', 'linear', 'scaled', 'unknown']);

/** What an uploaded file is, as the inspection found it. */
export const fileReport = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('h5ad'),
      cells: z.number().int(),
      genes: z.number().int(),
      expression: z.string().describe('Which values X holds and what will be done to them, in a sentence.'),
      scale: z
        .object({
          read: valueScale.describe('What the values in the file are.'),
          stored: valueScale.describe('What the values of its dataset are.'),
          basis: z.enum(['range', 'whole-multiples', 'counts', 'totals', 'record', 'answer']),
          why: z.string().describe('The evidence in a sentence, with its figures.'),
        })
        .optional()
        .describe('Absent of reports made before it was looked at.'),
      otherFeatures: z
        .array(z.object({ type: z.string(), count: z.number().int(), examples: z.array(z.string()) }))
        .default([])
        .describe('Features that are no genes, such as antibodies or peaks; they stay in the file.'),
      hasCounts: z.boolean().describe('Raw counts were found, so that what is missing can be computed.'),
      roles: z.array(
        z.object({
          role: z.enum(['cellType', 'cluster', 'patient', 'embedding', 'symbol']),
          chosen: z.string().optional(),
          why: z.string(),
          alternatives: z.array(z.string()),
        }),
      ),
      metadata: z.array(z.string()).describe('Shown names of the metadata fields.'),
      willCompute: z.array(z.enum(['qualityControl', 'clusters', 'embedding'])),
      waitsFor: z
        .array(z.enum(['expression', 'qualityControl']))
        .default([])
        .describe(
          'What its owner is to answer (what its values are) or to look at (which cells would go) before a dataset is made of it; none is made by itself until then.',
        ),
      quality: qualityPlan
        .optional()
        .describe(
          'Which cells would be taken away; absent where none would be looked at, or that takes too much.',
        ),
      choices: z
        .object({ columns: columnChoice, processing: processingChoice })
        .optional()
        .describe('What the inspection was asked to take as chosen.'),
      plans: z
        .array(z.string())
        .default([])
        .describe('What a build is going to do, in sentences; nothing that is true after it.'),
      notes,
      warnings: z.array(caution),
    }),
    z.object({
      kind: z.literal('matrix'),
      rows: z.number().int(),
      columns: z.number().int(),
      entries: z.number().int(),
      notes,
    }),
    z.object({
      kind: z.enum(['barcodes', 'features', 'unknown']),
      lines: z.number().int().describe('Titles included.'),
      titles: z.boolean().optional().describe('Whether the first line may hold titles.'),
      columns: z.number().int(),
      first: z.array(z.string()).describe('The first names, as they are.'),
      obstacles: z
        .array(z.string())
        .optional()
        .describe('Why nothing can be converted with it as it is, in sentences.'),
      notes,
    }),
  ])
  .meta({ id: 'FileReport' });
export type FileReport = z.infer<typeof fileReport>;
