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
