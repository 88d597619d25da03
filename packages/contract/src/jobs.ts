import { z } from 'zod';
import { columnChoice } from './column-choice.ts';
import { processingChoice } from './processing.ts';

/** Why a job ended without a result. */
export const jobProblem = z
  .object({ code: z.string(), message: z.string().describe('What is wrong and what to do, for its owner.') })
  .meta({ id: 'JobProblem' });
export type JobProblem = z.infer<typeof jobProblem>;

/** Work that goes on after the call that asked for it. */
export const job = z
  .object({
    id: z.uuid(),
    kind: z
      .enum(['inspect', 'convert', 'build'])
      .describe(
        'Looking at an upload, making an AnnData file of three, making a dataset of an AnnData file.',
      ),
    file_ids: z.array(z.uuid()).describe('Files that it works on.'),
    name: z.string().describe('What its owner calls the thing that is made or looked at.'),
    state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
    stage: z.string().nullable().describe('What is being done, in words.'),
    progress: z.number().min(0).max(1),
    log: z.array(z.object({ at: z.iso.datetime({ offset: true }), text: z.string() })),
    attempts: z.number().int(),
    problem: jobProblem.nullable(),
    result_file_id: z.uuid().nullable().describe('File that a conversion made.'),
    created_at: z.iso.datetime({ offset: true }),
    started_at: z.iso.datetime({ offset: true }).nullable(),
    finished_at: z.iso.datetime({ offset: true }).nullable(),
  })
  .meta({ id: 'Job' });
export type Job = z.infer<typeof job>;

/** `POST /api/convert`: one matrix and its two tables, in any order. */
export const convertRequest = z
  .object({
    file_ids: z.array(z.uuid()).length(3, 'Choose exactly one matrix file and two metadata files.'),
    file_name: z.string().trim().min(1).max(200).optional().describe('Name of the file that is made.'),
  })
  .strict()
  .meta({ id: 'ConvertRequest' });
export type ConvertRequest = z.infer<typeof convertRequest>;

/** `POST /api/files/{fileId}/build`: makes the dataset of an .h5ad anew. */
export const buildRequest = z
  .object({ columns: columnChoice.optional(), processing: processingChoice.optional() })
  .strict()
  .meta({ id: 'BuildRequest' });
export type BuildRequest = z.infer<typeof buildRequest>;

export const jobAnswer = z.object({ job }).meta({ id: 'JobAnswer' });
export type JobAnswer = z.infer<typeof jobAnswer>;
