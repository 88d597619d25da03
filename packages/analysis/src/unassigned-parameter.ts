import { z } from 'zod';

/** Treatment of groups whose name says that their cells have none. */
export const unassigned = z
  .enum(['groups', 'left-out'])
  .default('groups')
  .describe(
    'Groups called `nan`, `NA`, `None`, `Unknown`, `Unassigned`, `Doublet`, `Ambiguous`, `Low quality` and the like, in upper or lower case: compared like other groups, or left out with their cells.',
  );
