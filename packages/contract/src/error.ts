import { z } from 'zod';

/** Body of every error answer of `/api`; the status is the true one. */
export const apiError = z.object({
  /** Stable tag, such as `no_dataset_loaded`. */
  code: z.string(),
  message: z.string(),
  details: z.unknown().optional(),
});
export type ApiError = z.infer<typeof apiError>;
