import type { CellModelAnswer, CellModelRequest } from '@cellfolio/contract';
import { cellModelAnswer, cellModelRequest } from '@cellfolio/contract';
import { BrainCircuit } from 'lucide-react';
import { defineAnalysis, figureOf } from '@/features/analyses/index.ts';
import { allUnclear, suggestedWords } from '@/features/cell-types/index.ts';
import { groupByTitle } from '@/features/markers/index.ts';
import { plural } from '@/lib/format.ts';
import { ModelFacts } from './model-facts.tsx';
import { ModelFields } from './model-fields.tsx';
import { isComplete, modelDefaults, type ModelForm, modelRequestOf } from './model-form.ts';
import { ModelPanel } from './model-panel.tsx';

export const cellModelAnalysis = defineAnalysis<ModelForm, CellModelRequest, CellModelAnswer>({
  id: 'cell-model',
  title: 'Cell Type Annotation by a Model',
  name: 'cell type annotation by a model',
  noticeName: 'Cell type annotation by a model',
  running: 'Classifying the Cells',
  icon: BrainCircuit,
  path: '/api/classify-cells',
  request: cellModelRequest,
  answer: cellModelAnswer,
  csvField: 'types_csv',
  form: { defaults: modelDefaults, requestOf: modelRequestOf, isComplete, Fields: ModelFields },
  runningText: startedText,
  startedText,
  asked: ({ model, groupby }, cells) =>
    `By ${model}, votes of the groups of ${groupByTitle(groupby)}, ${cells}`,
  columns: new Map([
    ['group', { label: 'Group', kind: 'text' }],
    ['rank', { label: 'Rank', kind: 'count' }],
    ['cell_type', { label: 'Cell type', kind: 'text' }],
    ['suggestion', { label: 'Suggestion', kind: 'text' }],
    ['cells', { label: 'Cells', kind: 'count' }],
    ['share', { label: 'Share of the group', kind: 'share' }],
    ['probability', { label: 'Mean probability', kind: 'number' }],
  ]),
  files: { table: 'cell_model_annotation', figure: 'cell_model_genes_dotplot' },
  figure: 'Dot Plot',
  panelTitle: 'Suggestions',
  opensWithPanel: true,
  Figure: ModelPanel,
  searchPlaceholder: 'Search types and groups',
  rowNoun: (ofGroup) => (ofGroup ? 'type' : 'row'),
  allRows: (rowCount) => `all groups (${plural(rowCount, 'row')})`,
  read: (answer) => ({
    summary: (cells) =>
      `${answer.model.name}, ${cells}: a type is suggested for ${suggestedWords(answer.suggestions)} of ${answer.group_title}`,
    figure: figureOf(answer, 'dotplot'),
    nothing: allUnclear(
      answer.suggestions,
      'The table has the votes for all types. Try another model, or finer groups.',
    ),
    cautions: answer.warnings.map(({ message }) => message),
    groups: [],
    groupedBy: answer.parameters.groupby,
  }),
  Facts: ModelFacts,
});

function startedText({ model, groupby }: CellModelRequest): string {
  return `Classifying the cells by ${model}, with votes of the groups of ${groupByTitle(groupby)}`;
}
