import {
  type CellTypeAnswer,
  type CellTypeRequest,
  cellTypeAnswer,
  cellTypeRequest,
  type DatasetAnalysis,
} from '@cellfolio/contract';
import { Tags } from 'lucide-react';
import { type AnalysisRuns, defineAnalysis, type NothingFound, figureOf } from '@/features/analyses/index.ts';
import { groupByTitle } from '@/features/markers/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { CellTypeFacts } from './cell-type-facts.tsx';
import { CellTypeFields } from './cell-type-fields.tsx';
import { cellTypeDefaults, type CellTypeForm, cellTypeRequestOf, isComplete } from './cell-type-form.ts';
import { markerDotPlot } from './marker-dot-plot.ts';
import { SuggestionsPanel } from './suggestion-row.tsx';

export const cellTypeAnalysis = defineAnalysis<CellTypeForm, CellTypeRequest, CellTypeAnswer>({
  id: 'cell-types',
  title: 'Cell Type Annotation',
  name: 'cell type annotation',
  noticeName: 'Cell type annotation',
  running: 'Suggesting Cell Types',
  icon: Tags,
  path: '/api/suggest-cell-types',
  request: cellTypeRequest,
  answer: cellTypeAnswer,
  csvField: 'types_csv',
  form: {
    defaults: cellTypeDefaults,
    groupByOf: ({ leiden_clusters: clusters }) => (clusters.length > 1 ? 'leiden' : undefined),
    requestOf: cellTypeRequestOf,
    isComplete,
    Fields: CellTypeFields,
  },
  runningText: startedText,
  startedText,
  asked: (request, cells) => `${markersText(request)} in ${groupsText(request)}, ${cells}`,
  columns: new Map([
    ['group', { label: 'Group', kind: 'text' }],
    ['rank', { label: 'Rank', kind: 'count' }],
    ['cell_type', { label: 'Cell type', kind: 'text' }],
    ['suggestion', { label: 'Suggestion', kind: 'text' }],
    ['ulm_score', { label: 'Score (ulm)', kind: 'number' }],
    ['ulm_pval', { label: 'P-value', kind: 'p-value' }],
    ['ulm_padj', { label: 'Adjusted p-value', kind: 'p-value' }],
    ['ora_score', { label: 'Log odds ratio (ora)', kind: 'number' }],
    ['ora_pval', { label: 'P-value (ora)', kind: 'p-value' }],
    ['ora_padj', { label: 'Adjusted p-value (ora)', kind: 'p-value' }],
    ['markers', { label: 'Markers', kind: 'count' }],
    ['expressed', { label: 'Expressed', kind: 'count' }],
    ['genes', { label: 'Genes', kind: 'genes' }],
    ['lineage', { label: 'Lineage', kind: 'text' }],
    ['reference', { label: 'Reference', kind: 'text' }],
  ]),
  files: { table: 'cell_type_annotation', figure: 'cell_type_heatmap' },
  figure: 'Heatmap',
  panelTitle: 'Suggestions',
  opensWithPanel: true,
  Figure: SuggestionsPanel,
  furtherFigures: [{ figure: 'Dot Plot', file: 'cell_type_markers_dotplot', sourceOf: markerDotPlot }],
  searchPlaceholder: 'Search types and groups',
  rowNoun: (ofGroup) => (ofGroup ? 'type' : 'row'),
  allRows: (rowCount) => `all groups (${plural(rowCount, 'row')})`,
  read: (answer) => ({
    summary: (cells) =>
      `By ${answer.group_title}, ${cells}: a type is suggested for ${suggestedWords(answer.suggestions)}`,
    figure: figureOf(answer, 'heatmap'),
    nothing: allUnclear(
      answer.suggestions,
      'The table has the scores of all types. Try other markers, or groups of the whole tissue.',
    ),
    cautions: answer.warnings.map(({ message }) => message),
    groups: answer.suggestions.map(({ group }) => ({
      name: group,
      markers: answer.markers.tested,
      few_cells: false,
    })),
    groupedBy: answer.parameters.groupby,
  }),
  Facts: CellTypeFacts,
});

export function suggestCellTypes(
  runs: Pick<AnalysisRuns, 'prepare' | 'forms'>,
  { leiden_clusters: clusters }: Pick<DatasetAnalysis, 'leiden_clusters'>,
): void {
  // name-dictionary: by the id of a module of ours
  const isChosen = (runs.forms[cellTypeAnalysis.id]?.['groupBy'] ?? '') !== '';
  runs.prepare(cellTypeAnalysis, isChosen || clusters.length < 2 ? {} : { groupBy: 'leiden' });
}

function markersText({ markers, own_markers }: CellTypeRequest): string {
  return own_markers === undefined ? `Markers ${markers ?? 'abridged'}` : 'Markers of your own list';
}

function groupsText({ groupby, groups }: CellTypeRequest): string {
  const some = groups === undefined ? 'the groups' : `${formatCount(groups.length)} groups`;
  return `${some} of ${groupByTitle(groupby)}`;
}

function startedText(request: CellTypeRequest): string {
  return `Looking for ${markersText(request).replace('Markers', 'markers')} in ${groupsText(request)}`;
}

/** Groups with their suggestions; null for Unclear. */
type Suggestions = readonly { readonly suggestion: string | null }[];

/** Number of groups with a suggested type: `8 of 12 groups`. */
export function suggestedWords(suggestions: Suggestions): string {
  const suggested = suggestions.filter(({ suggestion }) => suggestion !== null).length;
  return `${formatCount(suggested)} of ${plural(suggestions.length, 'group')}`;
}

/** `advice` says what the table contains, and what to do instead. */
export function allUnclear(suggestions: Suggestions, advice: string): NothingFound | null {
  if (suggestions.some(({ suggestion }) => suggestion !== null)) return null;
  return { title: 'All Groups Are Unclear', text: `No type is suggested for any group. ${advice}` };
}
