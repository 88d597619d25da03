import { binsWords, cellTestWords, type Grouping, markerParameters } from '@cellfolio/analysis/parameters';
import { countText, listedNames, plural } from '@cellfolio/model';
import { groupByTitle } from '@cellfolio/model/names';
import { z } from 'zod';
import { declareAnalysis, figure, number, pValue, share, text, withoutGroups } from '../declare.ts';
import { cellTest, suggestedGroupBy, unassigned, unusualTestText } from '../fields.ts';
import { field } from '../form.ts';

const maxNamesListed = 5;

/** The input of the figure: the expression of markers in all groups. */
export interface MarkersFigure {
  readonly title: string;
  readonly groupTitle: string;
  readonly groups: readonly { readonly label: string; readonly cells: number }[];
  /** Adjacent ones of one group share a bracket. */
  readonly genes: readonly { readonly symbol: string; readonly group: string }[];
  /** Groups × genes. */
  readonly mean: Float64Array;
  /** Groups × genes: share of the cells that express the gene. */
  readonly fraction: Float64Array;
  /** Groups of fewer cells are marked. */
  readonly fewCells: number;
  /** Where it does not have all groups: how many there are, and which it has. */
  readonly ofGroups?: { readonly count: number; readonly which: string };
}

/** A group by its name in the dataset, and as users display it. */
export interface MarkerGroup {
  /** With the category of a split, `T cell · treated`. */
  readonly name: string;
  readonly label: string;
  readonly of: { readonly group: string; readonly part: string | undefined };
}

/** Markers of which figures draw all or some. */
export interface DrawnMarkers {
  readonly groupTitle: string;
  /** The grouping within a title. */
  readonly groupWords: string;
  /** The tested groups in the order of the table; `genes` are places among those below, best first. */
  readonly markers: readonly (MarkerGroup & {
    readonly cells: number;
    readonly genes: Int32Array;
    /** Means of the genes in the group, and shares of its cells; absent where it is among `groups`. */
    readonly own?: { readonly means: Float64Array; readonly fractions: Float64Array };
  })[];
  /** All groups of the column, or of too many some. */
  readonly groups: readonly (MarkerGroup & { readonly cells: number })[];
  /** All groups of `groupby` in its order, and their number with those of a split. */
  readonly names: readonly string[];
  readonly groupCount: number;
  /** The categories of a split. */
  readonly parts: readonly string[];
  /** The column of the groups, none for a selection, and that of a split, as the dataset names them. */
  readonly columns: { readonly groups: string | undefined; readonly split: string | undefined };
  /** The group that each other one is compared with, as users display it; absent for all other cells. */
  readonly reference?: string | undefined;
  /** The markers of any group, each once. */
  readonly symbols: readonly string[];
  /** Genes × groups. */
  readonly means: Float64Array;
  readonly fractions: Float64Array;
}

const { shape } = markerParameters;
const integer = z.number().int();

const request = z.object({
  groupby: field(shape.groupby, {
    label: 'Group By',
    control: 'binned-groups',
    also: ['bins'],
    empties: ['reference'],
  }),
  bins: shape.bins,
  reference: field(shape.reference, {
    label: 'Compare With',
    control: 'group',
    of: 'groupby',
    empty: 'All other cells',
    hint: 'Each other group is compared with the cells of this one alone, such as the controls of a screen.',
  }),
  split: field(shape.split, {
    label: 'Split By',
    control: 'split',
    of: 'groupby',
    empty: 'Not split',
    hint: 'Each group is compared with the other cells of its category: T cell · treated with all other treated cells.',
  }),
  selection: field(shape.selection, { control: 'none' }),
  n_genes: field(shape.n_genes, { step: 1 }),
  pvals_adj: field(shape.pvals_adj, { step: 0.01 }),
  logfoldchanges: field(shape.logfoldchanges, { step: 0.05 }),
  min_cells: field(shape.min_cells, { step: 1 }),
  unlabelled: field(shape.unlabelled, {
    label: 'Leave out cells without a label. Otherwise they are part of the reference, as in scanpy.',
    control: 'check',
  }),
  method: field(shape.method, { control: 'none' }),
  ...cellTest,
  unassigned: unassigned('groupby'),
});
type Sent = z.output<typeof request>;

const result = z.object({
  group_title: z.string().describe('Display name of the column.'),
  groups: z
    .array(
      z.object({
        name: z.string(),
        cells: integer,
        markers: integer.describe('Rows of the table.'),
        reference_cells: integer.describe('The cells that the group was compared with.'),
        few_cells: z.boolean().describe('Fewer than ten.'),
        of: z
          .object({ group: z.string(), category: z.string() })
          .optional()
          .describe('The group of `groupby` and the category of `split` that it is; absent without a split.'),
      }),
    )
    .describe('The groups that were compared.'),
  passing: z
    .object({
      tested: integer.describe('All pairs.'),
      pvals_adj: integer.describe('Of these, with an adjusted p-value below the limit.'),
      logfoldchanges: integer.describe('Of these, with a log2 fold change above the limit.'),
      both: integer.describe('Of these, with both: markers, also those beyond `n_genes`.'),
    })
    .describe('Pairs of a gene and a group: which of the limits leaves few or none.'),
  cell_count: integer.describe('Active cells with a value in the column.'),
  unlabelled_count: integer.describe(
    'Active cells without one: in the reference of every group unless `unlabelled` is `left-out`.',
  ),
  gene_count: integer.describe('Genes that were tested.'),
});

/** Finds the markers of groups of cells, as scanpy's `rank_genes_groups`. */
export const markers = declareAnalysis({
  id: 'markers',
  keptAs: 'marker',
  title: 'Marker Analysis',
  task: 'annotate',
  question: 'Which genes mark each group of cells?',
  searchWords: 'marker genes compare each group rest',
  questionPhrases: ['marker', 'mark'],
  icon: 'scatter',
  summary: 'Find the marker genes of the groups of a column',
  path: '/api/perform-marker-analysis',
  fields: { table: 'marker', figure: 'dotplot' },
  file: 'marker_genes',
  alwaysRetried: true,
  request,
  result,
  // scanpy's names.
  table: {
    group: text('Group'),
    names: text('Gene'),
    scores: number('Score'),
    logfoldchanges: number('Log2 fold change'),
    pvals: pValue('P-value'),
    pvals_adj: pValue('Adjusted p-value'),
    pct_nz_group: share('Expressing in group'),
    pct_nz_reference: share('Expressing in others'),
  },
  rows: { one: 'marker', many: 'markers', order: 'the best of each group first' },
  figure: figure<DrawnMarkers>('dot-plot', 'Dot Plot', { file: 'marker_dotplot', isOptional: true }),
  cautions: {
    'small-groups': (
      { limit }: { limit: number; groups: string[]; cells: number[]; groupCount: number },
      { result: { groups } },
    ) => {
      const names = groups
        .filter((group) => group.few_cells)
        .map(({ name, cells }) => `${name} (${countText(cells)})`);
      return `Fewer than ${limit} cells, marked with *: ${listedNames(names, maxNamesListed)}. Their p-values are not reliable: merge these groups, or leave them out.`;
    },
    'selection-tested-on-own-data': ({ selected }: { selected: number; rest: number }) =>
      `The ${countText(selected)} cells were selected on a map made from the expression that is tested: any region of a map has markers, and p-values are too small. Judge by effect, and confirm in other cells.`,
    'flat-side': ({
      flat,
      tested,
      significant,
      limit,
    }: {
      flat: number;
      tested: number;
      significant: number;
      limit: number;
    }) =>
      `In ${countText(flat)} of ${countText(tested)} t-tests one side alone has no variance, as all its values are equal: the test takes that for certainty, and ${countText(significant)} of these have an adjusted p below ${limit}. Use Wilcoxon, or larger groups.`,
    'groups-without-markers': (
      { groupCount }: { groups: string[]; groupCount: number },
      { request, result: { groups } },
    ) => {
      const names = groups.filter((group) => group.markers === 0).map(({ name }) => name);
      return `No gene passes the limits for ${plural(groupCount, 'group')}: ${listedNames(names, maxNamesListed)}. They may not differ from ${referenceName(request)}: merge them, or lower the limits.`;
    },
  },
  headline: [],
  preview: () => 'No gene passes the filters.',
  started: ({ groupby, reference, selection, split }) =>
    `${selection ? 'Comparing the selection with the rest' : `Comparing the groups of ${groupByTitle(groupby)}${withText(reference)}`}${splitText(split)}`,
  describe(sent, answer) {
    const { n_genes, pvals_adj, logfoldchanges, pseudocount, min_cells } = sent;
    const limits = `at most ${n_genes} genes per group, adjusted p < ${pvals_adj}, log2 fold change > ${logfoldchanges}`;
    if (answer === undefined) return [groupsText(sent), `${limits}${unusualTestText(sent)}`];
    return [
      `By ${answer.group_title}${againstText(sent)}`,
      `${cellTestWords(sent)}; ${limits} (pseudocount ${pseudocount}), groups of ${min_cells} cells or more`,
    ];
  },
  nothing: (parameters, answer) =>
    answer.groups.some((group) => group.markers > 0)
      ? undefined
      : { title: 'No Markers Found', text: noMarkersText(parameters, answer.passing) },
  titles: ({ reference }) =>
    reference === undefined ? {} : { pct_nz_reference: `Expressing in ${reference}` },
  notes: ({ bins, reference }) => ({
    // Bins of numbers have no names before they are cut.
    reference: bins === undefined ? {} : { isAbsent: true },
    // Cells without a label are in no comparison with a group.
    unlabelled: reference === undefined || bins !== undefined ? {} : { isAbsent: true },
  }),
  impossible: (columns) => (columns.numbers > 0 ? undefined : withoutGroups(columns)),
  chosen: ({ groupby }, dataset) => ({ groupby: groupby ?? suggestedGroupBy(dataset) }),
});

export type MarkersRequest = Sent;
export type MarkersResult = z.output<typeof result>;

function groupsText(sent: Pick<Sent, 'groupby' | 'bins' | 'split' | 'reference'>): string {
  const { groupby, bins, split } = sent;
  return `By ${groupByTitle(groupby)}${bins ? ` (${binsWords(bins)})` : ''}${againstText(sent)}${splitText(split)}`;
}

/** The cells that groups are compared with, in the middle of a sentence. */
export function referenceName({ reference }: Pick<Sent, 'reference'>): string {
  return reference ?? 'the others';
}

function againstText({ reference }: Pick<Sent, 'reference'>): string {
  return reference === undefined ? '' : `, each against ${reference}`;
}

function withText(reference: string | undefined): string {
  return reference === undefined ? '' : ` with ${reference}`;
}

function splitText(split: Grouping | undefined): string {
  if (split === undefined) return '';
  const bins = split.bins ? ` (${binsWords(split.bins)})` : '';
  return ` within each category of ${groupByTitle(split.column)}${bins}`;
}

function noMarkersText(
  { pvals_adj: maxP, logfoldchanges: minChange }: Sent,
  { tested, pvals_adj: significant, logfoldchanges: changed }: MarkersResult['passing'],
): string {
  const p = `an adjusted p-value below ${maxP}`;
  const change = `a log2 fold change above ${minChange}`;
  const tests = `${plural(tested, 'comparison')} of a gene and a group`;
  if (significant === 0) {
    const other = changed === 0 ? '' : `, whatever its log2 fold change`;
    return `None of ${tests} has ${p}${other}. Raise Adjusted P-Value, or compare larger groups or another column.`;
  }
  if (changed === 0) return `None of ${tests} has ${change}. Lower Log Fold Change.`;
  return `Of ${tests}, ${countText(significant)} have ${p} and ${countText(changed)} have ${change}, but none has both. Raise Adjusted P-Value or lower Log Fold Change.`;
}
