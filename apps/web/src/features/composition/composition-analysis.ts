import type { CompositionAnswer, CompositionRequest } from '@cellfolio/contract';
import { columnTitle, compositionAnswer, compositionRequest } from '@cellfolio/contract';
import { ChartPie } from 'lucide-react';
import { defineAnalysis, figureOf } from '@/features/analyses/index.ts';
import { plural } from '@/lib/format.ts';
import { CompositionFacts } from './composition-facts.tsx';
import { CompositionFields } from './composition-fields.tsx';
import {
  compositionDefaults,
  type CompositionForm,
  compositionRequestOf,
  isComplete,
  transformOf,
} from './composition-form.ts';

export const compositionAnalysis = defineAnalysis<CompositionForm, CompositionRequest, CompositionAnswer>({
  id: 'composition',
  title: 'Composition Analysis',
  name: 'composition analysis',
  noticeName: 'Composition analysis',
  running: 'Running Composition Analysis',
  icon: ChartPie,
  path: '/api/perform-composition-analysis',
  request: compositionRequest,
  answer: compositionAnswer,
  csvField: 'composition_csv',
  form: {
    defaults: compositionDefaults,
    requestOf: compositionRequestOf,
    isComplete,
    Fields: CompositionFields,
  },
  runningText: sidesText,
  startedText: sidesText,
  asked: (request, cells) =>
    `${sidesText(request)}, ${cells}: ${transformOf({ transform: request.transform ?? '' }).label}`,
  columns: new Map([
    ['category', { label: 'Category', kind: 'text' }],
    ['share_a', { label: 'Share in A', kind: 'share' }],
    ['share_b', { label: 'Share in B', kind: 'share' }],
    ['log_odds', { label: 'Log odds ratio', kind: 'number' }],
    ['asin_difference', { label: 'Arcsine difference', kind: 'number' }],
    ['ci_low', { label: '95 % from', kind: 'number' }],
    ['ci_high', { label: '95 % to', kind: 'number' }],
    ['ratio', { label: 'Ratio of shares', kind: 'number' }],
    ['scores', { label: 'Moderated t', kind: 'number' }],
    ['pvals', { label: 'P-value', kind: 'p-value' }],
    ['pvals_adj', { label: 'Adjusted p-value', kind: 'p-value' }],
    ['cells_a', { label: 'Cells of A', kind: 'count' }],
    ['cells_b', { label: 'Cells of B', kind: 'count' }],
  ]),
  files: { table: 'composition', figure: 'composition_dots' },
  figure: 'Composition Plot',
  searchPlaceholder: 'Search categories',
  rowNoun: () => 'category',
  allRows: (rowCount) => `all categories (${plural(rowCount, 'row')})`,
  read: (answer) => ({
    summary: (cells) =>
      `${answer.a.name} against ${answer.b.name}, shares of ${columnTitle(answer.by)}, ${cells}: ${answer.test}; differing: adjusted p < ${answer.parameters.pvals_adj}`,
    figure: figureOf(answer, 'composition'),
    // The table has all categories, whether they differ or not.
    nothing: null,
    cautions: answer.warnings.map(({ message }) => message),
    groups: [],
  }),
  Facts: CompositionFacts,
});

function sidesText({ a, b, by }: CompositionRequest): string {
  const of = by === undefined ? '' : `, shares of ${columnTitle(by)}`;
  return `Comparing the composition of ${a.name} with ${b?.name ?? 'all other active cells'}${of}`;
}
