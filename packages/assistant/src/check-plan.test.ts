import { declarations } from '@cellfolio/analyses';
import { z } from 'zod';
import { expect, test } from 'vitest';
import { genesOfPlan, planProblems, type PlanTool } from './check-plan.ts';
import type { DatasetFacts } from './dataset-facts.ts';

const facts: DatasetFacts = {
  groups: [
    { column: 'cell_type', names: ['T cell', 'B cell'] },
    { column: 'leiden', names: ['0', '1'] },
    { column: 'donor', names: ['d1', 'd2'] },
  ],
  numbers: ['age'],
  genes: new Map([
    ['cd8a', 'CD8A'],
    ['CD8A', 'CD8A'],
  ]),
};
const tools = new Map(
  [
    ...declarations.map(({ id, request }): PlanTool => ({
      name: `analyze_${id.replaceAll('-', '_')}`,
      input: z.object({ ...request.shape }),
    })),
    { name: 'draw_figure', input: z.object({ content: z.looseObject({ kind: z.string() }) }) },
  ].map((one) => [one.name, one]),
);
const planOf = (tool: string, values: Record<string, unknown>, id = 's1') => ({
  steps: [{ id, tool, arguments: values, purpose: 'It answers.' }],
  cannot: null,
});
const problems = (tool: string, values: Record<string, unknown>) =>
  planProblems(planOf(tool, values), tools, facts);
const side = (name: string, filter: object) => ({ name, filter: { subset_group_name: name, ...filter } });
const types = (...names: string[]) => ({ cell_type_filter: true, cell_type: names });

test.each<[string, Record<string, unknown>]>([
  ['analyze_markers', { groupby: 'cell_type', reference: 'T cell', split: { column: 'donor' } }],
  ['analyze_markers', { groupby: 'age', bins: { by: 'quantiles', parts: 4 } }],
  [
    'analyze_comparison',
    { a: side('A', types('T cell')), b: side('B', types('B cell')), method: 'pseudobulk', samples: 'donor' },
  ],
  ['analyze_gradient', { axis: { of: 'gene', gene: 'cd8a' }, genes: ['CD8A'] }],
  ['analyze_composition', { a: side('A', types('T cell')), b: side('B', types('B cell')), by: 'leiden' }],
  ['draw_figure', { content: { kind: 'gene-umap', gene: 'CD8A' } }],
])('%s with names of the dataset has no problem', (tool, values) => {
  expect(problems(tool, values)).toEqual([]);
});

test.each<[string, Record<string, unknown>, string, string]>([
  ['delete_dataset', {}, 'tool', 'There is no tool "delete_dataset". Tools: analyze_comparison,'],
  ['analyze_markers', {}, 'groupby', ''],
  ['analyze_markers', { groupby: 'cell_type', n_genes: 0 }, 'n_genes', 'at least one gene'],
  ['analyze_markers', { groupby: 'cell_type', invented: 1 }, '', 'Leave out "invented"'],
  ['analyze_markers', { groupby: 'type' }, 'groupby', 'There is no column "type". There are: cell_type,'],
  [
    'analyze_markers',
    { groupby: 'cell_type', reference: 'NK' },
    'reference',
    'There is no group "NK" in "cell_type". There are: T cell, B cell.',
  ],
  [
    'analyze_cell_types',
    { groupby: 'cell_type', groups: ['T cell', 'x'] },
    'groups',
    'There is no group "x"',
  ],
  [
    'analyze_gradient',
    { axis: { of: 'gene', gene: 'FOXP3' } },
    'axis.gene',
    'The dataset has no gene "FOXP3".',
  ],
  [
    'analyze_comparison',
    { a: side('A', types('NK')), b: side('B', types('B cell')) },
    'a.filter.cell_type',
    'There is no group "NK".',
  ],
  [
    'analyze_comparison',
    { a: side('A', { cell_type: ['T cell'] }), b: side('B', types('B cell')) },
    'a.filter.cell_type',
    'Set cell_type_filter to true',
  ],
  [
    'analyze_markers',
    { groupby: 'cell_type', dataset: { filename: 'other.h5ad' } },
    'dataset',
    'Leave it out',
  ],
  ['analyze_markers', { groupby: 'cell_type', cells: {} }, 'cells', 'Leave it out'],
  [
    'draw_figure',
    { content: { kind: 'gene-umap', gene: 'CD8A', dataset_filename: 'custom:x' } },
    'content.dataset_filename',
    'Leave it out',
  ],
  [
    'draw_figure',
    { content: { kind: 'gene-umap', gene: 'FOXP3' } },
    'content.gene',
    'The dataset has no gene "FOXP3".',
  ],
  ['draw_figure', { content: { kind: 'nonsense' } }, 'content', ''],
])('%s %j is refused at %s', (tool, values, field, problem) => {
  expect(problems(tool, values)).toContainEqual({
    step: 's1',
    field,
    problem: expect.stringContaining(problem),
  });
});

test('steps are numbered in their order', () => {
  const plan = planOf('analyze_markers', { groupby: 'cell_type' }, 's2');
  expect(planProblems(plan, tools, facts)).toMatchObject([{ step: 's2', field: 'id' }]);
});

test('the genes that a plan names can be looked up before it is checked', () => {
  const values = {
    a: side('A', { gene_filter: true, gene: { name: 'CD8A' } }),
    b: side('B', { signature_filter: true, signature: { genes: ['MS4A1', 'CD8A'] } }),
  };
  expect(genesOfPlan(planOf('analyze_comparison', values), tools)).toEqual(['CD8A', 'MS4A1']);
});
