import { type DatasetFacts, planByRules, wordsToLookUp } from '@cellfolio/assistant';
import { expect, test } from 'vitest';
import { exampleQuestions } from './examples.ts';
import { columnFacts } from './plan-facts.ts';
import { runnableStep } from './runnable-step.ts';
import { wordsOfStep } from './step-words.ts';

const analysis = {
  cell_types: ['T cell', 'B cell', '<img src=x onerror=alert(1)>'],
  leiden_clusters: ['0', '1'],
  patient_metadata: { 'Given drug': ['untreated', 'treated'], __proto__: ['x'] },
  columns: {
    cell_types: 'ann',
    leiden_clusters: 'seurat_clusters',
    patient_metadata: [{ field: 'Given drug', column: 'treatment' }],
  },
};
const columns = columnFacts(analysis, {
  obs: [
    { name: 'total_counts', title: 'Total counts', kind: 'levels' },
    { name: 'ann', title: 'Cell type', kind: 'categories' },
  ],
});

function stepsOf(question: string) {
  const genes = new Map(
    wordsToLookUp(question).flatMap((word) => (word === 'CD8A' ? [[word, word] as const] : [])),
  );
  const facts: DatasetFacts = { ...columns, genes };
  return planByRules(question, facts).steps.map((step) => runnableStep(step, analysis.columns));
}

test('facts name columns by their names in obs, with their roles', () => {
  expect(columns.groups.map(({ column }) => column)).toEqual(['ann', 'seurat_clusters', 'treatment']);
  expect(columns).toMatchObject({ cellTypes: 'ann', clusters: 'seurat_clusters', numbers: ['total_counts'] });
});

test('steps have the names that forms know: fields of metadata in filters, roles of grouping columns', () => {
  expect(stepsOf('markers by cluster in treated T cells')).toEqual([
    {
      analysis: 'markers',
      request: { groupby: 'leiden' },
      cells: {
        name: 'treated, T cell',
        filter: {
          subset_group_name: 'treated, T cell',
          cell_type_filter: true,
          cell_type: ['T cell'],
          patient_metadata_filter: true,
          patient_metadata: { 'Given drug': ['treated'] },
        },
      },
    },
  ]);
  expect(stepsOf('markers of cluster 1')).toMatchObject([
    { analysis: 'comparison', request: { a: { filter: { patient_metadata: { Cluster: ['1'] } } } } },
  ]);
  // The form of a trajectory has columns.
  expect(stepsOf('pseudotime from T cells')).toMatchObject([{ request: { groupby: 'ann' } }]);
});

test.each([
  ['CD8A in T cells by treatment', 'Figure: Violin', ['Cells: T cell', 'Values: CD8A', 'By: Treatment']],
  ['compare treated with untreated', 'DEG Analysis', ['A: treated', 'B: untreated']],
  ['markers by cluster', 'Marker Analysis', ['Group By: Cluster']],
  ['pathways of CD8A', 'Gene Set Enrichment Analysis', ['Genes: CD8A']],
  ['GSEA of treated vs untreated', 'Ranked Enrichment (GSEA)', ['Ranking: treated against untreated']],
  ['genes along CD8A', 'Gradient Analysis', ['Axis: CD8A']],
  [
    'pseudotime from T cells',
    'Trajectory Analysis',
    ['Group By: Ann', 'Root, where pseudotime is 0: T cell'],
  ],
  ['markers of <img src=x onerror=alert(1)>', 'DEG Analysis', ['A: <img src=x onerror=alert(1)>']],
])('the parameters of “%s” are in the words of its form', (question, title, chips) => {
  const words = wordsOfStep(stepsOf(question)[0]!);
  expect(words.title).toBe(title);
  expect(words.chips.map(({ label, text }) => `${label}: ${text}`)).toEqual(chips);
});

test('examples are made of names of the dataset, and each has a plan', () => {
  const questions = exampleQuestions(columns, (name) => (name === 'CD8A' ? name : undefined));
  expect(questions[0]).toBe('CD8A in T cell by treatment');
  for (const question of questions) expect(stepsOf(question)).not.toEqual([]);
  expect(exampleQuestions({ groups: [], numbers: [] }, () => undefined)).toEqual([]);
});
