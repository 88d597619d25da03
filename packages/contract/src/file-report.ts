import { z } from 'zod';
import { caution } from './caution.ts';
import { processingChoice } from './processing.ts';
import { qualityPlan } from './quality-plan.ts';

/** What the values of an AnnData file's expression are said to be; `counts`: its raw counts are taken. */
export const expressionAnswer = z.enum(['log1p', 'counts', 'linear', 'log2', 'log10']);
export type ExpressionAnswer = z.infer<typeof expressionAnswer>;

/** Columns of an AnnData file that play a part; those left out are found by their names. */
export const columnChoice = z
  .object({
    cellType: z.string().min(1).max(1000),
    cluster: z.string().min(1).max(1000),
    patient: z.string().min(1).max(1000),
    embedding: z.string().min(1).max(1000).describe('Key of obsm.'),
    symbol: z.string().min(1).max(1000).describe('Column of var.'),
    expression: expressionAnswer.describe(
      'What the values are, where the file does not show it or its owner knows better: natural logarithms, raw counts, no logarithms, or logarithms to another base.',
    ),
  })
  .partial()
  .strict()
  .meta({ id: 'ColumnChoice' });
export type ColumnChoice = z.infer<typeof columnChoice>;

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
