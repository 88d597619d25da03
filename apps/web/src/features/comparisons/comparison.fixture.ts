import type { ComparisonAnswer } from '@cellfolio/contract';

const ofType = (name: string) => ({
  name,
  filter: {
    subset_group_name: name,
    gene_filter: false,
    signature_filter: false,
    cell_type_filter: true,
    patient_metadata_filter: false,
    cells_filter: false,
    cell_type: [name],
  },
});

const parameters = {
  a: ofType('B cell'),
  b: ofType('T cell'),
  method: 'wilcoxon',
  tie_correct: true,
  sparse_genes: 'exact',
  depth: 'as-measured',
  pseudocount: 1,
  min_sample_cells: 10,
  covariates: [],
  pairing: 'auto',
  trend: false,
  robust: false,
  min_cells: 3,
  pvals_adj: 0.05,
  unassigned: 'groups',
  logfoldchanges: 1,
} as const satisfies ComparisonAnswer['parameters'];

export function comparisonOfTypes(overrides: Partial<ComparisonAnswer> = {}): ComparisonAnswer {
  return {
    deg_csv: [
      '# Data: d (d), version 1; all cells',
      'names,scores,logfoldchanges,pvals,pvals_adj,pct_nz_a,pct_nz_b,mean_a,mean_b,auc',
      'CD79A,9,3,1e-20,1e-19,0.9,0.1,2,0.1,0.95',
      'CD3D,-8,-2.5,1e-15,1e-14,0.1,0.9,0.1,2,0.06',
      'ACTB,4,0.5,0.001,0.002,1,1,3,2.9,0.6',
      'SCALED,0,,1,1,0.5,0.5,-1,0,0.5',
      '',
    ].join('\n'),
    volcano_image: 'iVBORw0KGgo=',
    volcano_width: 1200,
    volcano_height: 1200,
    volcano_print: { width: 2160, height: 2160 },
    figure: {},
    source: {
      dataset_filename: 'd',
      content: { kind: 'volcano', ...parameters },
    },
    parameters,
    test: 'Wilcoxon rank-sum test of cells',
    a: { name: 'B cell', cells: 400 },
    b: { name: 'T cell', cells: 300 },
    samples: { column: 'donor', reason: 'the column of patients', a: 3, b: 3, both: 2 },
    groups: [{ name: '', cells_a: 400, cells_b: 300, higher: 1, lower: 1, few_cells: false }],
    pseudobulk: null,
    pseudobulk_offered: false,
    within_offered: null,
    gene_count: 4,
    warnings: [{ code: 'few-samples', message: 'Few samples.' }],
    facts: [{ code: 'multiple-testing', title: 'Tests', message: '4 tests were made.' }],
    ...overrides,
  };
}

export function comparisonOfSamples(overrides: Partial<ComparisonAnswer> = {}): ComparisonAnswer {
  const cells = comparisonOfTypes();
  const samples = ['P1', 'P2', 'P3', 'P4', 'P5', 'P6'].map((name, at) => ({
    name,
    side: at < 3 ? ('a' as const) : ('b' as const),
    cells: 100,
    library_size: 1e6,
    factor: 1,
    values: [],
    x: at,
    y: 0,
  }));
  const parameters = { ...cells.parameters, method: 'pseudobulk' as const };
  return {
    ...cells,
    deg_csv: [
      '# Data: d (d), version 1; all cells',
      'names,logfoldchanges,ci_low,ci_high,mean_log_cpm,scores,pvals,pvals_adj',
      'CD79A,3,2,4,9,9,1e-9,2e-9',
      'ACTB,0.5,-0.1,1.1,12,1.5,0.2,0.2',
      'RARE,,,,,,,',
      '',
    ].join('\n'),
    parameters,
    source: { dataset_filename: 'd', content: { kind: 'volcano', ...parameters } },
    test: 'limma-voom of pseudobulk sums, ~ side, 3 + 3 samples, 4 residual degrees of freedom',
    groups: [{ name: '', cells_a: 300, cells_b: 300, higher: 1, lower: 0, few_cells: false }],
    gene_count: 3,
    warnings: [],
    pseudobulk: {
      refused: [],
      parts: [
        {
          name: '',
          formula: '~ side',
          columns: ['side'],
          column_kinds: ['categories'],
          coefficients: ['(Intercept)', 'sideA'],
          tested: [0, 1],
          paired: false,
          samples_of_both: 0,
          samples,
          left_out: [
            { name: 'P8', side: 'b', cells: 20, reason: 'no-counts' },
            { name: 'P7', side: 'a', cells: 4, reason: 'few-cells' },
          ],
          residual_df: 4,
          prior_df: 3.25,
          prior_variance: 0.8,
          dispersions: null,
          correlation: null,
          genes_tested: 2,
          genes_not_tested: 1,
          axes: [0.5, 0.2],
          spread: { measure: 'deviation', points: [[1, 1]], curve: [[1, 1]], genes: 2 },
          p_values: [1, ...new Array<number>(19).fill(0)],
        },
      ],
    },
    ...overrides,
  };
}
