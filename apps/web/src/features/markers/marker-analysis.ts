import { unusualTestText } from '@cellfolio/analyses';
import type { FigureContent, MarkerAnalysisAnswer, MarkerAnalysisRequest } from '@cellfolio/contract';
import {
  cellTestWords,
  groupByTitle,
  markerAnalysisAnswer,
  markerAnalysisRequest,
} from '@cellfolio/contract';
import { binsWords } from '@cellfolio/figures/content';
import { ChartScatter } from 'lucide-react';
import type { NothingFound } from '@/features/analyses/index.ts';
import { defineAnalysis, figureOf } from '@/features/analyses/index.ts';
import { textAt, textsOf } from '@/features/tables/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import type { MarkerForm } from './marker-form.tsx';
import { suggestedGroupBy } from './group-choices.ts';
import { hasGroups, hasValidNumbers, markerDefaults, MarkerFields, markerRequest } from './marker-form.tsx';

export const markerAnalysis = defineAnalysis<MarkerForm, MarkerAnalysisRequest, MarkerAnalysisAnswer>({
  id: 'marker',
  title: 'Marker Analysis',
  name: 'marker analysis',
  alwaysRetried: true,
  noticeName: 'Marker analysis',
  running: 'Running Marker Analysis',
  icon: ChartScatter,
  path: '/api/perform-marker-analysis',
  request: markerAnalysisRequest,
  answer: markerAnalysisAnswer,
  csvField: 'marker_csv',
  form: {
    defaults: markerDefaults,
    groupByOf: suggestedGroupBy,
    requestOf: markerRequest,
    isComplete: (form, dataset) => hasGroups(form, dataset) && hasValidNumbers(form),
    Fields: MarkerFields,
  },
  runningText: ({ groupby, selection, split }) =>
    `${selection ? 'Comparing the selection with the rest' : `Comparing the groups of ${groupByTitle(groupby)}`}${withinWords(split)}`,
  requestLine: ({ n_genes = 10, pvals_adj = 0.05, logfoldchanges = 0.25, ...by }, cells) =>
    `By ${groupsText(by)}, ${cells}: at most ${n_genes} genes a group, adjusted p < ${pvals_adj}, log2 fold change > ${logfoldchanges}${unusualTestText(by)}`,
  columns: new Map([
    ['group', { label: 'Group', kind: 'text' }],
    ['names', { label: 'Gene', kind: 'text' }],
    ['scores', { label: 'Score', kind: 'number' }],
    ['logfoldchanges', { label: 'Log2 fold change', kind: 'number' }],
    ['pvals', { label: 'P-value', kind: 'p-value' }],
    ['pvals_adj', { label: 'Adjusted p-value', kind: 'p-value' }],
    ['pct_nz_group', { label: 'Expressing in group', kind: 'share' }],
    ['pct_nz_reference', { label: 'Expressing in others', kind: 'share' }],
  ]),
  files: { table: 'marker_genes', figure: 'marker_dotplot' },
  figure: 'Dot Plot',
  searchPlaceholder: 'Search genes and groups',
  rowNoun: (ofGroup) => (ofGroup ? 'gene' : 'row'),
  allRows: (rowCount) => `all groups (${plural(rowCount, 'row')})`,
  read: (answer) => ({
    summary: (cells) => {
      const { n_genes, pvals_adj, logfoldchanges, pseudocount, min_cells } = answer.parameters;
      return `By ${answer.group_title}, ${cells}: ${cellTestWords(answer.parameters)}; at most ${n_genes} genes a group, adjusted p < ${pvals_adj}, log2 fold change > ${logfoldchanges} (pseudocount ${pseudocount}), groups of ${min_cells} cells or more`;
    },
    figure: figureOf(answer, 'dotplot'),
    nothing: noMarkers(answer),
    cautions: answer.warnings.map(({ message }) => message),
    groups: answer.groups,
    groupedBy: answer.parameters.groupby,
    ...(answer.parameters.split && { splitBy: answer.parameters.split.column }),
  }),
  figureOfRows: (source, { columns }, rows) => {
    const [groups, names] = [textsOf(columns, 'group'), textsOf(columns, 'names')];
    if (source.content.kind !== 'dot-plot' || !groups || !names || rows.length === 0) return null;
    const genesOf = new Map<string, string[]>();
    for (const row of Array.from(rows)) {
      const group = textAt(groups, row);
      const genes = genesOf.get(group) ?? [];
      genes.push(textAt(names, row));
      genesOf.set(group, genes);
    }
    const markers = Array.from(genesOf, ([group, genes]) => ({ group, genes }));
    const content: FigureContent = { ...source.content, markers };
    return { ...source, content };
  },
});

function groupsText({ groupby, bins, split }: Pick<MarkerAnalysisRequest, 'groupby' | 'bins' | 'split'>) {
  return `${groupByTitle(groupby)}${bins ? ` (${binsWords(bins)})` : ''}${withinWords(split)}`;
}

function withinWords(split: MarkerAnalysisRequest['split']): string {
  if (split === undefined) return '';
  const cut = split.bins ? ` (${binsWords(split.bins)})` : '';
  return ` within each category of ${groupByTitle(split.column)}${cut}`;
}

function noMarkers({ groups, passing: counts, parameters }: MarkerAnalysisAnswer): NothingFound | null {
  if (groups.some(({ markers }) => markers > 0)) return null;
  const title = 'No Markers Found';
  const p = `an adjusted p-value below ${parameters.pvals_adj}`;
  const change = `a log2 fold change above ${parameters.logfoldchanges}`;
  if (counts === undefined) {
    return {
      title,
      text: `No gene has both ${p} and ${change}. Raise Adjusted P-Value or lower Log Fold Change.`,
    };
  }
  const tests = `${plural(counts.tested, 'comparison')} of a gene and a group`;
  if (counts.pvals_adj === 0) {
    const other = counts.logfoldchanges === 0 ? '' : `, whatever its log2 fold change`;
    return {
      title,
      text: `None of ${tests} has ${p}${other}. Raise Adjusted P-Value, or compare larger groups or another column.`,
    };
  }
  if (counts.logfoldchanges === 0) {
    return { title, text: `None of ${tests} has ${change}. Lower Log Fold Change.` };
  }
  return {
    title,
    text: `Of ${tests}, ${formatCount(counts.pvals_adj)} have ${p} and ${formatCount(counts.logfoldchanges)} have ${change}, but none has both. Raise Adjusted P-Value or lower Log Fold Change.`,
  };
}
