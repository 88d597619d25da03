import { z } from 'zod';
import { filterRequest } from './subsets.ts';

export const maxKeptAnalyses = 20;
/** Maximum length of the JSON of a request: gene lists can be long. */
export const maxKeptCharacters = 300_000;

const keptName = z
  .string()
  .trim()
  .min(1, 'Give the analysis a name.')
  .max(100, 'A name of an analysis has at most 100 characters.')
  .refine((name) => !/\p{Cc}/u.test(name), 'A name of an analysis is one line of text.');

/** The input of an analysis: enough to run it again. */
const keptAnalysisInput = z.object({
  id: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'Give 32 hexadecimal digits.')
    .describe('128 random bits, chosen by the caller.'),
  analysis: z.string().min(1).max(100).describe('The name of its kind, as the page has it.'),
  ran_at: z.number().int().min(0).describe('Milliseconds since 1970.'),
  version: z.string().max(200).describe('Of the dataset.'),
  subset: z
    .object({ id: z.string().max(100).nullable(), name: z.string().max(200), filter: filterRequest })
    .nullable()
    .describe('The subset that was active; null for all cells.'),
  cells: z.number().int().min(0).nullable().describe('Null where unknown.'),
  // name-dictionary: by the fields of a request of ours
  request: z
    .record(z.string(), z.unknown())
    .refine(
      (request) => JSON.stringify(request).length <= maxKeptCharacters,
      'A request has at most 300,000 characters as JSON.',
    )
    .describe('The body of its call.'),
});

/** `POST /api/datasets/{dataset}/kept-analyses`. */
export const newKeptAnalysis = keptAnalysisInput
  .extend({
    name: keptName.nullable().default(null).describe('Null for the answer of an earlier, identical request.'),
  })
  .strict()
  .meta({ id: 'NewKeptAnalysis' });
export type NewKeptAnalysis = z.input<typeof newKeptAnalysis>;

export const keptAnalysis = keptAnalysisInput
  .extend({
    name: z.string().nullable().describe('Given by the user; null for none.'),
    subset: z.object({ id: z.string().nullable(), name: z.string(), filter: z.unknown() }).nullable(),
  })
  .meta({ id: 'KeptAnalysis' });
export type KeptAnalysis = z.infer<typeof keptAnalysis>;

/** `GET /api/datasets/{dataset}/kept-analyses`. */
export const keptAnalysisList = z
  .object({ analyses: z.array(keptAnalysis).describe('The newest first.') })
  .meta({ id: 'KeptAnalysisList' });

/** `PATCH /api/kept-analyses/{id}`. */
export const keptAnalysisName = z
  .object({ name: keptName.nullable().describe('Null for none.') })
  .strict()
  .meta({ id: 'KeptAnalysisName' });
