import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';

const interval = z
  .tuple([z.number(), z.number()])
  .refine(
    ([low, high]) => low < high && Number.isFinite(high - low),
    'A window rises from its first number to its second on both axes.',
  );

const axis = z.number().int().min(0).max(999);

export const mapShown = z
  .object({
    hidden: z
      .array(dataName)
      .max(5000, 'At most 5,000 categories can be hidden.')
      .optional()
      .describe('Categories, as the column has them, whose cells are not drawn and not in the legend.'),
    hide_missing: z.boolean().optional().describe('The same for cells without a category.'),
    hide_rest: z
      .boolean()
      .optional()
      .describe('The same for groups that the legend sums up, of more than 200.'),
    hide_others: z
      .boolean()
      .optional()
      .describe('The same for all cells that are not highlighted, in a figure that highlights some.'),
    window: z
      .object({ x: interval, y: interval })
      .optional()
      .describe('The part of the map that is drawn, in the coordinates of the embedding.'),
    log: z
      .boolean()
      .optional()
      .describe('Colors by log(1 + x): a gene or a column of numbers, none of them negative.'),
    split: dataName
      .optional()
      .describe(
        'A column of obs: one map for each of its categories, all with one scale; at most 12, the largest.',
      ),
    embedding: z.string().max(500).optional().describe('Key in obsm; that of all figures if absent.'),
    axes: z
      .tuple([axis, axis])
      .refine(([x, y]) => x !== y, 'A map has two different axes.')
      .optional()
      .describe('Axes of the embedding, the first is 0; `[0, 1]` if absent.'),
  })
  .meta({ id: 'MapShown' });

export type MapShown = z.output<typeof mapShown>;

export type MapWindow = NonNullable<MapShown['window']>;

export function hidesSome(shown: MapShown): boolean {
  const { hidden = [], hide_missing: missing, hide_rest: rest, hide_others: others } = shown;
  return hidden.length > 0 || [missing, rest, others].includes(true);
}
