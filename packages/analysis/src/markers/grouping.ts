import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';

export const defaultParts = 4;
const maxParts = 20;

export const bins = z.discriminatedUnion('by', [
  z.object({
    by: z.literal('quantiles'),
    parts: z
      .int()
      .min(2)
      .max(maxParts)
      .describe('Equal numbers of cells in each, as far as tied values allow.'),
  }),
  z.object({
    by: z.literal('edges'),
    edges: z
      .array(z.number())
      .min(1)
      .max(maxParts - 1)
      .refine(
        (edges) => edges.every((edge, i) => i === 0 || edge > edges[i - 1]!),
        'Edges rise from the first to the last.',
      )
      .describe('Each is the first value of the group above it.'),
  }),
]);
export type Bins = z.output<typeof bins>;

export const grouping = z
  .object({
    column: dataName.describe('A column of obs.'),
    bins: bins.optional().describe('Of a column of numbers; its quartiles if absent.'),
  })
  .meta({ id: 'Grouping' });
export type Grouping = z.output<typeof grouping>;

/** How numbers are binned, as `quartiles`; absent bins are those. */
export function binsWords(bins: Bins | undefined): string {
  if (bins?.by === 'edges') return 'ranges';
  const parts = bins?.parts ?? defaultParts;
  return parts === defaultParts ? 'quartiles' : `${parts} quantiles`;
}
