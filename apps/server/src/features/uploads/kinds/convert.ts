import { join } from 'node:path';
import type { ConvertWork, InputFile } from '../work/index.ts';
import { openInputs } from '../worker/job-inputs.ts';
import type { JobKindRules } from './job-kind.ts';
import { annDataFile, recordNewFile } from './record-file.ts';

/** Makes an AnnData file of a matrix and its two tables. */
export const convert: JobKindRules<ConvertWork> = {
  lane: 'heavy',
  limitMs: 3600_000,
  isRestartable: false,
  async open(deps, run, context) {
    const [first, second, third] = await openInputs(deps, run, context);
    if (!first || !second || !third) throw new Error(`The job ${run.job.id} does not have three files.`);
    const work = conversionOf([first.input, second.input, third.input], context.scratch);
    return {
      work,
      record: ({ notes }, unlogged) =>
        recordNewFile(deps, run, {
          ...annDataFile(run),
          notes: unlogged(notes),
          path: work.output,
          signal: context.signal,
        }),
    };
  },
};

/** Accepts a matrix and its tables in any order. */
export function conversionOf(
  files: readonly [InputFile, InputFile, InputFile],
  scratch: string,
): ConvertWork {
  const matrix = files.find(({ name }) => /\.mtx(\.gz)?$/i.test(name)) ?? files[0];
  const [one, other] = files.filter((file) => file !== matrix);
  return { kind: 'convert', matrix, tables: [one!, other!], output: join(scratch, 'converted.h5ad') };
}
