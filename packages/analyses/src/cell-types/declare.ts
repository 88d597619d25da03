import { unclear } from '@cellfolio/analysis/parameters';
import { countText, listedNames, plural, pluralWord } from '@cellfolio/model';
import { groupByTitle } from '@cellfolio/model/names';
import { z } from 'zod';
import {
  count,
  declareAnalysis,
  figure,
  genes,
  number,
  optional,
  pValue,
  text,
  withoutGroups,
} from '../declare.ts';
import { groupsOf, percent } from '../fields.ts';
import { field, type FieldNote } from '../form.ts';
import type { OfferedList } from '../lists.ts';
import { markerSet } from '../reference-lists.ts';

export const abridgedMarkers = 'abridged';
/** Maximum characters of pasted or uploaded markers: room for all types and genes of PanglaoDB. */
export const maxOwnMarkersLength = 400_000;
const maxNamesListed = 5;

/** The input of the figure: scores of types in groups. */
export interface CellTypesFigure {
  readonly groupTitle: string;
  readonly groups: readonly {
    readonly label: string;
    readonly cells: number;
    /** Null for Unclear. */
    readonly suggestion: string | null;
    /** Indices of the types, best first. */
    readonly best: readonly number[];
  }[];
  readonly types: readonly string[];
  /** Groups × types. */
  readonly scores: Float64Array;
  readonly markerSet: string;
}

const integer = z.number().int();

const request = z.object({
  ...groupsOf({
    column: 'A categorical column of obs or your own annotation, by its name or display name.',
    missing: 'Name the column to suggest cell types for.',
    groups: 'Only these groups are compared; absent for all groups, 200 at most.',
  }),
  markers: field(
    z
      .string()
      .trim()
      .min(1)
      .max(80)
      .default(abridgedMarkers)
      .describe('The set of markers: `abridged`, which comes with the product, or one that is installed.'),
    { label: 'Markers', control: 'list', source: 'markers', also: ['own_markers'] },
  ),
  own_markers: z
    .string()
    .max(maxOwnMarkersLength, 'A list of markers has 400,000 characters at most.')
    .optional()
    .describe(
      'Your own markers instead of a set: CSV with the columns cell_type and gene, and optionally weight, lineage and reference; 40,000 rows and 500 types at most. Its symbols are compared by name.',
    ),
  pval: field(
    z.number().min(0).max(1).default(0.05).meta({
      title: 'Adjusted P-Value',
      description:
        'A group is Unclear if its best type does not have an adjusted p-value below this, by the linear model or by over-representation.',
    }),
    { step: 0.01 },
  ),
  min_margin: field(
    z.number().min(0).max(1).default(0.1).meta({
      title: 'Min. Margin',
      description: 'A group is Unclear if its best score leads the next by a smaller share of itself.',
    }),
    { label: 'Min. Margin (%)', isPercent: true, step: 1 },
  ),
  min_markers: field(
    integer.min(1).max(50).default(3).meta({
      title: 'Min. Markers',
      description:
        'Types with fewer markers in the dataset are left out; a group that expresses fewer of its best type is Unclear.',
    }),
    { step: 1 },
  ),
  min_share: field(
    z.number().min(0).max(1).default(0.1).meta({
      title: 'Min. Share Expressing',
      description:
        'A marker counts as expressed if at least this share of the cells of the group expresses it.',
    }),
    { label: 'Min. Expressing (%)', isPercent: true, step: 1 },
  ),
  min_cells: field(
    integer.min(2, 'A group needs at least two cells.').max(10_000).default(10).meta({
      title: 'Min. Cells per Group',
      description: 'Groups with fewer cells are left out.',
    }),
    { step: 1 },
  ),
});

const typeEvidence = z
  .object({
    type: z.string(),
    lineage: z.string(),
    reference: z.string(),
    reference_checked: z
      .boolean()
      .optional()
      .describe('Whether the reference was looked up; absent where the markers do not say.'),
    score: z.number().describe('t of the univariate linear model, which ranks.'),
    adjusted_p: z.number(),
    ora_score: z.number().describe('Logarithm of the odds ratio among the top 5 % of genes.'),
    ora_adjusted_p: z.number(),
    expressed: integer.describe('Markers that enough cells express, and more than the groups do on average.'),
    markers: z
      .array(
        z.object({
          gene: z.string(),
          share: z.number().describe('Of the cells of the group, those that express it.'),
          mean: z.number(),
          above: z.number().describe('Mean minus the mean of the groups’ means.'),
          other_groups: integer.describe(
            'Other groups in which at least `min_share` of the cells express it.',
          ),
        }),
      )
      .describe('Those that any group expresses, the highest above the others first.'),
    missing: z.array(z.string()).describe('Markers that are not genes of the dataset.'),
  })
  .meta({ id: 'TypeEvidence' });
export type TypeEvidence = z.output<typeof typeEvidence>;

const groupSuggestion = z
  .object({
    group: z.string(),
    cells: integer,
    suggestion: z.string().nullable().describe('A type of the list; null where it is Unclear.'),
    reasons: z
      .array(z.enum(['not-significant', 'not-over-represented', 'few-markers', 'small-margin']))
      .describe('Why it is Unclear; empty where a type is suggested.'),
    margin: z.number().describe('Best score minus the next, as a share of the best.'),
    best: typeEvidence.nullable(),
    runner_up: typeEvidence.nullable(),
    conflict: typeEvidence
      .extend({
        both_cells: integer.describe('Cells that express two markers of the best type and two of this one.'),
        best_cells: integer,
        these_cells: integer,
      })
      .nullable()
      .describe('A type of another lineage that the group also resembles.'),
  })
  .meta({ id: 'GroupSuggestion' });
export type GroupSuggestion = z.output<typeof groupSuggestion>;

const result = z.object({
  group_title: z.string().describe('Display name of the column.'),
  marker_set: markerSet.describe('The markers that were used; your own list is named `own list`.'),
  markers: z
    .object({
      types: integer.describe('Types of the set.'),
      tested: integer.describe('Of these, with enough markers in the dataset.'),
      genes: integer.describe('Markers of all types.'),
      missing: integer.describe('Of these, those that are not genes of the dataset.'),
    })
    .describe('Numbers of types and markers of the set.'),
  gene_count: integer.describe('Genes in the models: those that a cell of any group expresses.'),
  suggestions: z.array(groupSuggestion).describe('One for each group.'),
});

/** Suggests cell types for groups by markers, with decoupler's linear models of the means of the groups. */
export const cellTypes = declareAnalysis({
  id: 'cell-types',
  title: 'Cell Type Annotation',
  task: 'annotate',
  question: 'Which cell type is each group, by its markers?',
  searchWords: 'annotate labels identify',
  questionPhrases: ['annotate', 'annotation', 'which cell type', 'what cell type', 'identify', 'label'],
  icon: 'tags',
  names: { running: 'Suggesting Cell Types' },
  doing: 'Looking for',
  summary: 'Suggest cell types for the groups of a column by markers',
  path: '/api/suggest-cell-types',
  fields: { table: 'types', figure: 'heatmap' },
  file: 'cell_type_annotation',
  about:
    'Each group is compared with the average of all groups. It is Unclear if the best type does not pass both tests (linear model and over-representation among the top genes), if too few of its markers are expressed, or if the next type is nearly as good. No cell is labeled until you apply the labels.',
  request,
  result,
  table: {
    group: text('Group'),
    rank: count('Rank'),
    cell_type: text('Cell type'),
    suggestion: text('Suggestion', `of the best type of a group; ${unclear} where none is suggested`),
    ulm_score: number(
      'Score (ulm)',
      't of the univariate linear model of the values by the weights of the markers, which ranks',
    ),
    ulm_pval: pValue('P-value', 'two-sided'),
    ulm_padj: pValue('Adjusted p-value', 'adjusted by Benjamini and Hochberg over the types of a group'),
    ora_score: number(
      'Log odds ratio (ora)',
      'of the markers among the top 5 % of genes, with all genes as background',
    ),
    ora_pval: pValue('P-value (ora)', 'two-sided'),
    ora_padj: pValue('Adjusted p-value (ora)', 'adjusted as the others'),
    markers: count('Markers', 'those that any group expresses'),
    expressed: count('Expressed', 'those that the group expresses, above the mean of the groups'),
    genes: genes('Genes', 'markers in the dataset'),
    lineage: text('Lineage'),
    reference: optional(text('Reference', 'where the markers have them')),
  },
  rows: { one: 'type', many: 'types', order: 'the best of each group first' },
  figure: figure<CellTypesFigure>('cell-type-heatmap', 'Heatmap'),
  cautions: {
    'suggestions-only': (numbers: { groups: number; unclear: number }) =>
      `A suggestion is only the most similar of the listed types: other types cannot be suggested, and p-values treat correlated genes as replicates. ${countText(numbers.unclear)} of ${countText(numbers.groups)} groups ${pluralWord(numbers.unclear, 'is', 'are')} Unclear. Check the markers before you label cells.`,
    'two-types': (
      { groupCount }: { groupCount: number; groups: string[]; both: number[] },
      { result: of },
    ) => {
      const descriptions = of.suggestions.flatMap(({ group, cells, best, conflict }) =>
        conflict === null || best === null
          ? []
          : [
              `${group} (${best.type} and ${conflict.type}: ${countText(conflict.both_cells)} of ${countText(cells)} cells express two markers of each)`,
            ],
      );
      return `${plural(groupCount, 'group looks', 'groups look')} like two types at once: ${listedNames(descriptions, maxNamesListed)}. If many cells express both, look for doublets; if few do, split the group.`;
    },
    'small-groups': ({ limit }: { limit: number; groups: string[]; groupCount: number }, { result: of }) => {
      const small = of.suggestions.filter(({ cells }) => cells < limit);
      const names = small.map(({ group, cells }) => `${group} (${cells})`);
      return `Fewer than ${limit} cells: ${listedNames(names, maxNamesListed)}. A few different cells would change their means: merge them, or check their genes.`;
    },
    'relative-to-other-groups': (numbers: { groups: number }) =>
      `Scores compare each group with the average of all ${countText(numbers.groups)}: if all are of one type, its markers do not stand out. Compare groups of the whole tissue.`,
    'abridged-markers': (
      numbers: { types: number; unverifiedReferences: number; withoutReference: number },
      { result: { marker_set: set } },
    ) => {
      const without =
        numbers.withoutReference > 0 ? ` and ${countText(numbers.withoutReference)} without one` : '';
      return `The markers are ${set.label}: ${countText(numbers.types)} common types of hundreds, with the references of ${countText(numbers.unverifiedReferences)} unverified${without}. Add your own markers, or ask the operator to install a published resource.`;
    },
  },
  headline: ['markers'],
  describe({ groupby, groups, markers, own_markers }, answer) {
    if (answer !== undefined) {
      return [`by ${answer.group_title}`, `a type is suggested for ${suggestedText(answer.suggestions)}`];
    }
    const some = groups === undefined ? 'the groups' : `${countText(groups.length)} groups`;
    const set = own_markers === undefined ? `markers ${markers}` : 'markers of your own list';
    return [`${set} in ${some} of ${groupByTitle(groupby)}`, ''];
  },
  nothing: (_, { suggestions }) =>
    allUnclear(
      suggestions,
      'The table has the scores of all types. Try other markers, or groups of the whole tissue.',
    ),
  notes: ({ min_markers: minMarkers }, { list }) => ({
    markers: list === undefined ? {} : markersNote(list, minMarkers ?? 0),
  }),
  impossible: withoutGroups,
  chosen: ({ groupby }, { leiden_clusters: clusters = [] }) => ({
    groupby: groupby ?? (clusters.length > 1 ? 'leiden' : undefined),
  }),
});

export type CellTypesRequest = z.output<typeof request>;
export type CellTypesResult = z.output<typeof result>;

/** Groups with their suggestions; null for Unclear. */
type Suggestions = readonly { readonly suggestion: string | null }[];

/** Number of groups with a suggested type: `8 of 12 groups`. */
export function suggestedText(suggestions: Suggestions): string {
  const suggested = suggestions.filter(({ suggestion }) => suggestion !== null).length;
  return `${countText(suggested)} of ${plural(suggestions.length, 'group')}`;
}

/** `advice` says what the table contains, and what to do instead. */
export function allUnclear(suggestions: Suggestions, advice: string) {
  if (suggestions.some(({ suggestion }) => suggestion !== null)) return undefined;
  return { title: 'All Groups Are Unclear', text: `No type is suggested for any group. ${advice}` };
}

/** How many markers of a list are in a dataset, and whether a run would be refused. */
function markersNote({ total, foundCount, largestType }: OfferedList, minMarkers: number): FieldNote {
  if (foundCount === 0) {
    return {
      problem: `None of its ${plural(total, 'marker')} is in this dataset: choose another list, or paste your own.`,
    };
  }
  return largestType < minMarkers
    ? {
        problem: `No type has ${plural(minMarkers, 'marker')} in this dataset; the most is ${countText(largestType)}. Lower Min. Markers, choose another list, or paste your own.`,
      }
    : {
        hint: `${countText(foundCount)} of ${plural(total, 'marker')} ${pluralWord(foundCount, 'is', 'are')} in this dataset.`,
      };
}

/** Limits that leave a group Unclear. */
export function unclearText({ pval, min_markers, min_share, min_margin }: CellTypesRequest): string {
  return `adjusted p of ulm or of ora not below ${pval}, fewer than ${min_markers} markers expressed (by ${percent(min_share)} of the cells, above the mean of the groups), or a lead over the next score of less than ${percent(min_margin)}`;
}
