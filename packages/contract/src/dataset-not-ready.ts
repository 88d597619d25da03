import { z } from 'zod';
import { jobProblem } from './jobs.ts';

/** Details of the refusal `dataset_not_ready`: how far the dataset of an upload is. */
export const datasetNotReady = z
  .object({
    state: z.enum(['queued', 'building', 'failed']),
    job_id: z
      .uuid()
      .nullable()
      .describe('Job to be watched at `/api/jobs/{jobId}`; null where there is none.'),
    problem: jobProblem.nullable().describe('Why there will be none, unless its owner does something.'),
  })
  .meta({ id: 'DatasetNotReady' });
export type DatasetNotReady = z.infer<typeof datasetNotReady>;
