import { z } from 'zod';

/** One event of `GET /api/progress/{X-Request-Id}`, the data of a server-sent event. */
export const progressEvent = z.object({
  /** What is being done, in words for the user. */
  stage: z.string(),
  done: z.number(),
  total: z.number(),
});
export type ProgressEvent = z.infer<typeof progressEvent>;
