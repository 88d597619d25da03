import { z } from 'zod';

export { labelColumnOf, maxTermIdLength, splitValues, termIdPattern } from './ontology-terms.ts';
export { columnTitle, embeddingTitle, groupByTitle, partTitles, pointsDown } from './column-title.ts';

/**
 * A name chosen by the data: a cell type, a cluster, a metadata value. Not trimmed and possibly empty, since such names
 * are legal; only its length is bounded.
 */
export const dataName = z.string().max(500);

/** Symbol or id of a gene; no import accepts longer ones. */
export const geneName = z.string().trim().min(1).max(500);

/** Maximum length of a dataset id; an upload's is `custom:` and the id of its file. */
export const datasetIdLength = 200;
export const datasetId = z.string().min(1).max(datasetIdLength);

/**
 * Maximum characters of a selection of cells. A million cells take at most 170,000: no selection is longer than one bit
 * per cell.
 */
const maxPlacesLength = 400_000;

/** Cells selected on the map of a dataset: their places in map order, which is fixed for a version. */
export const selectedCells = z
  .object({
    version: z.string().min(1).max(100).describe('Version of the dataset that the cells were selected on.'),
    places: z
      .string()
      .max(maxPlacesLength)
      .regex(/^[\w-]*$/, 'Give the places of the cells as base64url.')
      .describe(
        'Places of the cells in map order: runs of cells as variable-length integers, or a bit for each cell, as base64url.',
      ),
  })
  .meta({ id: 'SelectedCells' });
export type SelectedCells = z.infer<typeof selectedCells>;

/**
 * Cell count by name. Not a `z.record`, which silently drops a category called `__proto__`. Our own code makes the
 * response, so its values need no copy.
 */
export const countsByName = z
  .custom<Record<string, number>>(isCounts, 'Give an object of whole numbers.')
  .meta({ type: 'object', additionalProperties: { type: 'integer', minimum: 0 } });

/** Cell counts of each value of a named list, in its order; not a `z.record` for the same reason. */
export const countListsByName = z
  .custom<Record<string, number[]>>(
    (value) => isObjectOf(value, (counts) => Array.isArray(counts) && counts.every(Number.isSafeInteger)),
    'Give an object of lists of whole numbers.',
  )
  .meta({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'integer', minimum: 0 } },
  });

/** Names by name, such as the values of a metadata field; not a `z.record` for the same reason. */
export const namesByName = z
  .custom<Record<string, string[]>>(
    (value) => isObjectOf(value, isNames),
    'Give an object of lists of texts.',
  )
  .meta({ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } });

/** Like `namesByName`, but a single name may replace a list of one. */
export const nameOrNamesByName = z
  .custom<Record<string, string | string[]>>(
    (value) => isObjectOf(value, (names) => typeof names === 'string' || isNames(names)),
    'Give an object of texts or lists of texts.',
  )
  .meta({
    type: 'object',
    additionalProperties: {
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    },
  });

/** One text per name, such as the columns of a sample and its values; not a `z.record` for the same reason. */
export const textsByName = z
  .custom<Record<string, string>>(
    (value) => isObjectOf(value, (text) => typeof text === 'string'),
    'Give an object of texts.',
  )
  .meta({ type: 'object', additionalProperties: { type: 'string' } });

/** Values to keep of each metadata field: `namesByName` with texts of bounded length. */
export const chosenNamesByName = namesByName.superRefine((fields, context) => {
  for (const [field, names] of Object.entries(fields)) {
    const { error } = z.array(dataName).max(5000).safeParse(names);
    for (const { path, message } of error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: [field, ...path], message });
    }
  }
});

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

export function isObjectOf(value: unknown, isRight: (own: unknown) => boolean): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(isRight)
  );
}

function isCounts(value: unknown): boolean {
  return isObjectOf(value, Number.isSafeInteger);
}
