import { z } from 'zod';
import { columnChoice } from './column-choice.ts';
import { fileReport } from './file-report.ts';
import { job, jobProblem } from './jobs.ts';
import { processingChoice, processingRecord } from './processing.ts';

/** What is known of one of the caller's uploads beyond its row in `user_files`. */
export const ownFile = z
  .object({
    file_id: z.uuid(),
    report: fileReport.nullable().describe('Null until the file was inspected.'),
    problem: jobProblem.nullable().describe('Why the file could not be read.'),
    dataset: z
      .object({
        state: z.enum(['queued', 'building', 'ready', 'failed']),
        job_id: z.uuid().nullable(),
        cells: z.number().int().nullable(),
        genes: z.number().int().nullable(),
        columns: columnChoice.describe('As its owner chose them.'),
        processing: processingChoice.describe('As its owner chose them.'),
        processed: processingRecord.nullable().describe('What was computed, once it is ready.'),
        problem: jobProblem.nullable(),
      })
      .nullable()
      .describe('The dataset made of an .h5ad; null where none was asked for.'),
  })
  .meta({ id: 'OwnFile' });
export type OwnFile = z.infer<typeof ownFile>;

/** `GET /api/own-files`: the caller's files and the jobs on them, newest first. */
export const ownFiles = z
  .object({
    files: z.array(ownFile),
    jobs: z.array(job).describe('Those under way and the latest fifty that ended.'),
    quota_bytes: z.number().int().describe('What the plan has room for.'),
    most_files: z.number().int().describe('How many files there is room for.'),
  })
  .meta({ id: 'OwnFiles' });
export type OwnFiles = z.infer<typeof ownFiles>;
