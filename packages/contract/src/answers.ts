import { caution } from '@cellfolio/model/caution';
import { z } from 'zod';

/** Body of every error answer of `/api`; the status is the true one. */
export const apiError = z
  .object({
    code: z.string().describe('Stable tag, such as `no_dataset_loaded`.'),
    message: z.string(),
    details: z.unknown().optional(),
  })
  .meta({ id: 'ApiError' });
export type ApiError = z.infer<typeof apiError>;

/** A fact: true of every such result, or how it was made. */
const resultFact = caution.extend({ title: z.string() }).meta({ id: 'ResultFact' });
export type ResultFact = z.infer<typeof resultFact>;

/** Fields of the notes of a result; spread into its answer. */
export const resultNotes = {
  warnings: z
    .array(caution)
    .describe(
      "What would change a reader's decision, the gravest first: each with its figure and what to do.",
    ),
  facts: z
    .array(resultFact)
    .describe('What is true of every such result, or how it was made; not a warning.'),
};

/** One event of `GET /api/progress/{X-Request-Id}`, the data of a server-sent event. */
export const progressEvent = z
  .object({
    stage: z.string().describe('What is being done, in words for the user.'),
    done: z.number(),
    total: z.number(),
  })
  .meta({ id: 'ProgressEvent' });
export type ProgressEvent = z.infer<typeof progressEvent>;

/** Header names of `/api`, in lower case as Node gives them. */
export const apiHeaders = {
  apiKey: 'x-api-key',
  /** One per browser tab: each tab has its own active dataset. */
  session: 'x-session-id',
  request: 'x-request-id',
  /** Id of the demo dataset, in calls of visitors without an account. */
  demo: 'x-demo-dataset',
  /** Version of the server, in each answer of `/api`. */
  version: 'cellfolio-version',
} as const;
