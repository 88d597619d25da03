import { z } from 'zod';
import { maxNameLength } from '@cellfolio/model';
import { textsByName } from '@cellfolio/model/names';
import { samplesChoice } from './processing.ts';
import { maxSamples, refuseRows, refuseTitles, SamplesTableRefused } from './samples-table.ts';

const value = z.string().trim().max(maxNameLength);

/** `POST /api/combine`: combines files of the caller into one, each as a sample. */
export const combineRequest = z
  .object({
    file_name: z.string().trim().min(1, 'Give the new file a name.').max(200),
    samples: z
      .array(
        z
          .object({
            file_id: z.uuid(),
            sample: value.min(1, 'Give each sample a name.').describe('No other has the same.'),
            values: textsByName
              .default({})
              .describe('Columns of obs to be, such as condition, and the value of the sample in each.'),
          })
          .strict(),
      )
      .min(2, 'Choose at least two files.')
      .max(maxSamples),
    genes: z
      .enum(['shared', 'all'])
      .default('shared')
      .describe('Those that all files have, or those that any has.'),
    choices: samplesChoice.default({}),
  })
  .strict()
  .superRefine(({ samples, choices }, context) => {
    const columns = [...new Set(samples.flatMap(({ values }) => Object.keys(values)))];
    try {
      refuseTitles(['sample', 'file', ...columns]);
      refuseRows(
        samples.map(({ sample, values }) => ({ sample, values: new Map(Object.entries(values)) })),
        (at) => `sample ${at + 1}`,
      );
    } catch (error) {
      if (!(error instanceof SamplesTableRefused)) throw error;
      context.addIssue({
        code: 'custom',
        message: `The table of samples: ${error.message}.`,
        path: ['samples'],
      });
    }
    const problem = batchProblem(choices.batchColumn, samples);
    if (problem !== undefined)
      context.addIssue({ code: 'custom', message: problem, path: ['choices', 'batchColumn'] });
  })
  .meta({ id: 'CombineRequest' });
export type CombineRequest = z.input<typeof combineRequest>;
export type CombineOrder = z.output<typeof combineRequest>;

export function batchProblem(
  column: string | undefined,
  samples: readonly { readonly values?: Readonly<Record<string, string>> | undefined }[],
): string | undefined {
  if (column === undefined || column === 'sample') return undefined;
  const values = new Set(samples.map((one) => new Map(Object.entries(one.values ?? {})).get(column) ?? ''));
  if (values.has('')) return `Each sample needs a value of '${column}' for it to tell batches apart.`;
  return values.size < 2
    ? `'${column}' is the same for all samples, so it does not separate batches.`
    : undefined;
}
