import { z } from 'zod';

/** Something legal but worth knowing about a result, in words for its user. */
export const analysisWarning = z
  .object({ code: z.string(), message: z.string() })
  .meta({ id: 'AnalysisWarning' });
export type AnalysisWarning = z.infer<typeof analysisWarning>;
