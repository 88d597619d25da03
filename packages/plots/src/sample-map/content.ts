import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';
import { comparedTitle, pseudobulkFields, pseudobulkInputs } from '../pseudobulk-content.ts';

/** The samples of a pseudobulk test in the plane: those that differ lie apart. */
export const sampleMapContent = plotContent({
  kind: 'sample-map',
  name: 'Map of samples',
  schema: z.object({
    kind: z.literal('sample-map'),
    ...pseudobulkFields,
    shapes: dataName
      .optional()
      .describe(
        'A column of the model that is told by shapes, or beside the names if it has more than 4 values; absent for the first covariate of 2 to 4 values.',
      ),
  }),
  inputs: pseudobulkInputs,
  titles: (content) => ({ title: comparedTitle(content), subtitle: 'Map of samples' }),
});
