import { markers } from '@cellfolio/analyses';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import {
  analysisCall,
  filterRequest,
  plotIsolatedCellTypesRequest,
  plotSignatureRequest,
  renderFigureRequest,
} from './index.ts';
import { requestProblem } from './request-problems.ts';

function problemsOf(schema: z.ZodType, value: unknown): string[] {
  const result = schema.safeParse(value, { error: requestProblem });
  return (result.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const markersRequest = analysisCall(markers).request;
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
  [markersRequest, { groupby: '' }, ['groupby: Name the column to group the cells by.']],
  [markersRequest, {}, ['groupby: Name the column to group the cells by.']],
  [
    markersRequest,
    { groupby: 'a', method: 'anova', n_genes: 1.5, pvals_adj: 2 },
    [
      'n_genes: Give a whole number, not a number with a fraction.',
      'pvals_adj: Give at most 1.',
      'method: Give one of "wilcoxon", "t-test".',
    ],
  ],
  [
    renderFigureRequest,
    { ...source({ kind: 'gene-umap', gene: 'A' }), format: 'gif' },
    ['format: Give one of "png", "png-300dpi", "svg", "pdf", "json".'],
  ],
  ...(
    [
      [{ width: 119, height: 120 }, 'view.width: A view has at least 120 CSS pixels a side.'],
      [{ width: 120, height: 4097 }, 'view.height: A view has at most 4096 CSS pixels a side.'],
      [{ width: 120.5, height: 120 }, 'view.width: Give a whole number, not a number with a fraction.'],
      [{ width: 120, height: 120, ratio: 0.5 }, 'view.ratio: A view has 1 to 4 device pixels a CSS pixel.'],
      [{ width: 120, height: 120, ratio: 4.1 }, 'view.ratio: A view has 1 to 4 device pixels a CSS pixel.'],
      [
        { width: 4096, height: 2000 },
        'view: A view has at most 8 million device pixels: width × height × ratio × ratio.',
      ],
      [
        { width: 1000, height: 1000, ratio: 3 },
        'view: A view has at most 8 million device pixels: width × height × ratio × ratio.',
      ],
    ] as const
  ).map(([view, problem]): [z.ZodType, unknown, string[]] => [
    renderFigureRequest,
    { ...source({ kind: 'gene-umap', gene: 'A' }), view },
    [problem],
  ]),
  [
    renderFigureRequest,
    { ...source({ kind: 'gene-umap', gene: 'A' }), format: 'json', view: { width: 120, height: 120 } },
    ['view: Only a figure of the format "png" or "svg" has a view.'],
  ],
  ...[
    [1, 1],
    [2, 1],
    [-1e308, 1e308],
  ].map((range): [z.ZodType, unknown, string[]] => [
    renderFigureRequest,
    { ...source({ kind: 'gene-umap', gene: 'A' }), range },
    ['range: A range rises from its first number to its second.'],
  ]),
  [
    renderFigureRequest,
    { ...source({ kind: 'category-umap' }), range: [0, 1] },
    ['range: This kind of figure has no range of values.'],
  ],
  [
    renderFigureRequest,
    source({ kind: 'highlight-umap', of: 'cluster', leiden_clusters: [] }),
    ['source.content.leiden_clusters: Give at least 1 entry.'],
  ],
])('a request is refused in words that say what to send: %#', (schema, value, problems) => {
  expect(problemsOf(schema, value)).toEqual(problems);
});

test('a refusal of an unknown kind of figure lists the kinds there are', () => {
  const [problem] = problemsOf(renderFigureRequest, source({ kind: 'pie' }));
  expect(problem).toMatch(
    /^source\.content\.kind: Give one of "category-umap", .*"enrichment-bar", .*"volcano", .*"\.$/,
  );
});
