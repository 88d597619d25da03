import { z } from 'zod';

/** One event of `GET /api/progress/{X-Request-Id}`, the data of a server-sent event. */
export const progressEvent = z
  .object({
    stage: z.string().describe('What is being done, in words for the user.'),
    done: z.number(),
    total: z.number(),
  })
  .meta({ id: 'ProgressEvent' });
export type ProgressEvent = z.infer<typeof progressEvent>;
