import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';

export const maxCategoryDisplays = 100;
export const maxDisplayedCategories = 1000;

const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'Give a color such as #3c69f0.')
  .transform((text) => text.toLowerCase());
const label = z
  .string()
  .trim()
  .min(1, 'Give a name, or leave it out to keep the name in the dataset.')
  .max(200, 'A display name has at most 200 characters.');
const revision = z.int().min(0).describe('0 where the column was never changed; each change is one more.');

export const displayRevision = z
  .object({ column: dataName.describe('Of obs.'), revision: z.int().min(1) })
  .meta({ id: 'DisplayRevision' });

/** `GET /api/datasets/{id}/category-displays`: columns whose categories have a user's order, colours or names. */
export const categoryDisplayList = z
  .object({
    displays: z.array(
      displayRevision.extend({
        categories: z
          .array(z.object({ name: z.string(), colour: z.string().optional(), label: z.string().optional() }))
          .describe('In their order; without a color or a label, a category keeps that of the dataset.'),
      }),
    ),
  })
  .meta({ id: 'CategoryDisplayList' });
type CategoryDisplayList = z.infer<typeof categoryDisplayList>;
export type CategoryDisplay = CategoryDisplayList['displays'][number];

/** `GET /api/datasets/{id}/category-displays/{column}`: the categories of a column as figures show them. */
export const columnCategories = z
  .object({
    column: z.string(),
    title: z.string().describe('As people read it.'),
    revision,
    own: z
      .boolean()
      .describe('Whether order, colors and names are the user’s; else they are those of the dataset.'),
    categories: z.array(
      z.object({
        name: z.string().describe('As the dataset has it.'),
        label: z.string().describe('As figures show it: its name unless one chooses another.'),
        cells: z.int(),
        colour: z.string(),
        dataset_colour: z.string().describe('What it has unless one chooses another.'),
        place: z.int().describe('In the order of the dataset, from 0 on.'),
      }),
    ),
  })
  .meta({ id: 'ColumnCategories' });
export type ColumnCategories = z.infer<typeof columnCategories>;

/** `PUT /api/datasets/{id}/category-displays/{column}`. */
export const categoryDisplayRequest = z
  .object({
    revision: revision.describe('That the change is made to; another one by now refuses it with 409.'),
    categories: z
      .array(z.object({ name: dataName, colour: colour.optional(), label: label.optional() }))
      .min(1, 'Name the categories in their order.')
      .max(maxDisplayedCategories)
      .describe('All of the column, in their new order.'),
  })
  .meta({ id: 'CategoryDisplayRequest' });

/** `DELETE /api/datasets/{id}/category-displays/{column}`. */
export const categoryDisplayReset = z.object({ revision: z.coerce.number().pipe(revision) });
