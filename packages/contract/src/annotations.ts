import { datasetId, maxTermIdLength, termIdPattern } from '@cellfolio/model/names';
import { z } from 'zod';
import { filterRequest } from './subsets.ts';

export const maxAnnotations = 20;
export const maxAnnotationGroups = 1000;

const plainText = (maxLength: number, what: string) =>
  z
    .string()
    .trim()
    .min(1, `Give ${what} a name.`)
    .max(maxLength, `A name of ${what} has at most ${maxLength} characters.`)
    .refine((name) => !/\p{Cc}/u.test(name), `A name of ${what} is one line of text.`);

export const annotationName = plainText(100, 'an annotation');
const groupName = plainText(200, 'a group');
const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'Give a color such as #3c69f0.')
  .transform((text) => text.toLowerCase());
const revision = z.int().min(1);

export const annotationRevision = z
  .object({ id: z.uuid(), revision, name: z.string().max(100) })
  .meta({ id: 'AnnotationRevision' });
export type AnnotationRevision = z.infer<typeof annotationRevision>;

/** Annotations whose names occur as text or field name in `contents`, such as the content of a figure. */
export function annotationsIn<T extends { readonly name: string }>(
  annotations: readonly T[],
  ...contents: readonly unknown[]
): readonly T[] {
  if (annotations.length === 0) return [];
  const texts = textsIn(contents);
  return annotations.filter(({ name }) => texts.has(name));
}

function textsIn(value: unknown, texts = new Set<string>()): ReadonlySet<string> {
  if (typeof value === 'string') {
    if (value.length <= 100) texts.add(value);
  } else if (Array.isArray(value)) for (const one of value) textsIn(one, texts);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      texts.add(name);
      textsIn(one, texts);
    }
  }
  return texts;
}

const cells = z.number().int();

export const groupTerm = z.object({
  id: z.string().regex(termIdPattern, 'Give an id such as CL:0000084.').max(maxTermIdLength),
  label: z.string().trim().min(1).max(500),
});
export type GroupTerm = z.infer<typeof groupTerm>;

export const annotation = annotationRevision
  .extend({
    version: z
      .string()
      .describe('Of the dataset that its cells are of; of another one it has to be carried over.'),
    groups: z.array(
      z.object({
        name: z.string(),
        colour: z.string(),
        cells,
        term: groupTerm
          .optional()
          .describe('Term that the group is, of the Cell Ontology unless its column had another one.'),
      }),
    ),
    unlabelled: cells.describe('Cells in no group.'),
    history: z
      .array(
        z.object({
          revision,
          at: z.string().describe('ISO 8601.'),
          words: z.string().describe('What was done.'),
          cells: cells.describe('Cells whose label it changed.'),
        }),
      )
      .describe('What is kept, the latest first; those after the current revision were undone.'),
  })
  .meta({ id: 'Annotation' });
export type Annotation = z.infer<typeof annotation>;

export const numberColumn = annotationRevision
  .extend({
    version: z.string().describe('Of the dataset that its cells are of.'),
    words: z.string().describe('What the numbers are.'),
    cells: cells.describe('Cells with a number.'),
    missing: cells.describe('Cells without one.'),
  })
  .meta({ id: 'NumberColumn' });
export type NumberColumn = z.infer<typeof numberColumn>;

/** `GET /api/datasets/{id}/annotations`. */
export const annotationList = z
  .object({
    version: z.string().describe('Of the dataset.'),
    annotations: z.array(annotation),
    numbers: z.array(numberColumn).describe('Numbers that were kept as columns.'),
  })
  .meta({ id: 'AnnotationList' });
export type AnnotationList = z.infer<typeof annotationList>;

/** `POST /api/datasets/{id}/annotations`: a new annotation, from the groups of a column or without any. */
export const newAnnotation = z
  .object({
    name: annotationName,
    from: z.string().max(500).optional().describe('A column of obs, or an annotation; absent for none.'),
  })
  .meta({ id: 'NewAnnotation' });
export type NewAnnotation = z.input<typeof newAnnotation>;

const group = z.string().max(500);

const annotationChange = z
  .discriminatedUnion('change', [
    z.object({ change: z.literal('rename'), group, name: groupName }),
    z.object({
      change: z.literal('merge'),
      groups: z.array(group).min(2).max(maxAnnotationGroups),
      name: groupName,
    }),
    z.object({ change: z.literal('colour'), group, colour }),
    z
      .object({ change: z.literal('term'), group, term: groupTerm.nullable() })
      .describe('Says which term of the Cell Ontology a group is; null takes it away.'),
    z.object({
      change: z.literal('order'),
      groups: z.array(group).max(maxAnnotationGroups).describe('All of them.'),
    }),
    z.object({ change: z.literal('remove'), group }).describe('Its cells have no label then.'),
    z
      .object({
        change: z.literal('label'),
        cells: filterRequest.describe('Which cells: of a selection on the map, or of any other filter.'),
        within: group.optional().describe('Only those of this group, which is split by it.'),
        group: groupName
          .nullable()
          .describe('A group that is there, or a new one; null takes the label away.'),
      })
      .describe('Puts cells into a group.'),
    z
      .object({
        change: z.literal('assign'),
        column: z.string().max(500).describe('A categorical column of obs, or an own annotation.'),
        part: datasetId
          .optional()
          .describe('The subclustering of the dataset that has the column; absent for the dataset itself.'),
        groups: z
          .array(
            z.object({
              of: group.describe('A group of the column.'),
              group: groupName,
              term: groupTerm
                .optional()
                .describe('Term of the group, if it has none; absent for that of a group of the same name.'),
            }),
          )
          .min(1, 'Choose at least one group.')
          .max(maxAnnotationGroups),
        cells: filterRequest.optional().describe('Only these cells; absent for all.'),
      })
      .describe('Puts the cells of whole groups of a column into existing or new groups.'),
  ])
  .meta({ id: 'AnnotationChange' });
export type AnnotationChange = z.input<typeof annotationChange>;

/** `POST /api/annotations/{id}/changes`. */
export const annotationChangeRequest = z
  .object({
    revision: revision.describe('That the change is made to; a later one refuses it with 409.'),
    change: annotationChange,
  })
  .meta({ id: 'AnnotationChangeRequest' });

/** `POST /api/annotations/{id}/revision`: goes back, or forward again, to a revision of its history. */
export const annotationMove = z
  .object({ revision: revision.describe('The current one.'), to: revision })
  .meta({ id: 'AnnotationMove' });

/** `PATCH /api/annotations/{id}`. */
export const annotationRename = z.object({ name: annotationName }).meta({ id: 'AnnotationRename' });

/** `POST /api/datasets/{id}/annotations/import`: a CSV or TSV with one line per cell. */
export const annotationImport = z.object({
  name: annotationName,
  column: z.string().max(500).optional().describe('Name of the column of labels; default: the second.'),
});

const barcodeMatch = z
  .object({
    given: cells.describe('Barcodes with a label that were looked for.'),
    matched: cells.describe('Of these, those that are cells of the dataset.'),
    by_suffix: cells.describe('Of the matched, those that are equal but for an ending such as -1.'),
    ambiguous: cells.describe('Not matched because several cells or lines are equal but for the ending.'),
    unknown: cells.describe('Not matched because no cell is called so.'),
    repeated: cells.describe('Lines about a cell that already had a label; the first counts.'),
    examples: z.array(z.string()).describe('A few of those that were not matched.'),
    unlabelled: cells.describe('Cells of the dataset that have no label.'),
  })
  .meta({ id: 'BarcodeMatch' });
export type BarcodeMatch = z.infer<typeof barcodeMatch>;

export const matchedAnnotation = z
  .object({ annotation, match: barcodeMatch })
  .meta({ id: 'MatchedAnnotation' });
export type MatchedAnnotation = z.infer<typeof matchedAnnotation>;
