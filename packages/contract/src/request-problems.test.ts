import { expect, test } from 'vitest';
import type { z } from 'zod';
import {
  filterRequest,
  plotIsolatedCellTypesRequest,
  plotSignatureRequest,
  renderFigureRequest,
} from './index.ts';
import { markerAnalysisRequest } from './marker-analysis.ts';
import { requestProblem } from './request-problems.ts';

function problemsOf(schema: z.ZodType, value: unknown): string[] {
  const result = schema.safeParse(value, { error: requestProblem });
  return (result.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const named = { subset_group_name: 'mine' };
const source = (content: object) => ({ source: { dataset_filename: 'a.h5ad', content } });

test.each<[z.ZodType, unknown, string[]]>([
  [filterRequest, null, [': This is required: give an object.']],
  [filterRequest, [], [': Give an object, not a list.']],
  [filterRequest, {}, ['subset_group_name: This is required: give a text.']],
  [filterRequest, { subset_group_name: ' ' }, ['subset_group_name: This must not be empty.']],
  [
    filterRequest,
    { subset_group_name: 'x'.repeat(201) },
    ['subset_group_name: Give at most 200 characters.'],
  ],
  [filterRequest, { ...named, gene_filter: 'yes' }, ['gene_filter: Give true or false, not a text.']],
  [filterRequest, { ...named, cell_type: [7] }, ['cell_type.0: Give a text, not a number.']],
  [filterRequest, { ...named, gene: { name: 7 } }, ['gene.name: Give the name of one gene.']],
  [
    filterRequest,
    { ...named, gene: { name: 'A', presence: 'some' } },
    ['gene.presence: Give "positive", "negative" or "percentile".'],
  ],
  [plotSignatureRequest, { genes: [] }, ['genes: Name at least one gene.']],
  [plotIsolatedCellTypesRequest, { cell_types: [] }, ['cell_types: Choose at least one cell type.']],
  [markerAnalysisRequest, { groupby: '' }, ['groupby: Name the column to group the cells by.']],
  [markerAnalysisRequest, {}, ['groupby: Name the column to group the cells by.']],
  [
    markerAnalysisRequest,
    { groupby: 'a', method: 'anova', n_genes: 1.5, pvals_adj: 2 },
    [
      'n_genes: Give a whole number, not a number with a fraction.',
      'pvals_adj: Give at most 1.',
      'method: Give one of "wilcoxon", "t-test".',
    ],
  ],
  [
    renderFigureRequest,
    { ...source({ kind: 'gene-umap', gene: 'A' }), format: 'pdf' },
    ['format: Give one of "png", "png-300dpi", "svg".'],
  ],
  [
    renderFigureRequest,
    source({ kind: 'cluster-umap', leiden_clusters: [] }),
    ['source.content.leiden_clusters: Give at least 1 entry.'],
  ],
])('a request is refused in words that say what to send: %#', (schema, value, problems) => {
  expect(problemsOf(schema, value)).toEqual(problems);
});

test('a figure of an unknown kind is told the kinds there are', () => {
  const [problem] = problemsOf(renderFigureRequest, source({ kind: 'pie' }));
  expect(problem).toMatch(/^source\.content\.kind: Give one of "default-umap", .*"enrichment-bar-plot"\.$/);
});
