// `npm run agreement`: how far our numbers are from those of the libraries that they are compared with, as a table. The
// tests that compare them note their differences; with `--write` the table goes to docs/agreement.md.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const analysis = 'packages/analysis/src';
const plots = 'packages/figures/src';
const processing = 'packages/process/src';
const ofAnalysis = (name) => `fixtures/analysis/${name}`;
const ofPlots = (name) => `packages/figures/reference/${name}`;

/** `by` is what the test holds: absolute or relative differences. */
const compared = [
  {
    of: 'markers',
    what: 'markers: scores, p-values, fold changes, shares, with both pseudocounts',
    reference: 'scanpy `tl.rank_genes_groups`, `tie_correct` true and false',
    tolerance: '1e-6',
    by: 'relative',
    test: `${analysis}/markers/rank-genes.test.ts`,
    script: ofAnalysis('markers_reference.py'),
  },
  {
    of: 'comparisons',
    what: 'comparisons of two sets of cells, the same',
    reference: 'scanpy `tl.rank_genes_groups(reference=…)`, sklearn `roc_auc_score`',
    tolerance: '1e-9',
    by: 'relative',
    test: `${analysis}/comparisons/compare-sides.test.ts`,
    script: ofAnalysis('comparisons_reference.py'),
  },
  {
    of: 'pseudobulk',
    what: 'pseudobulk: factors, voom weights, fits, moderated tests, compositions',
    reference: 'edgeR `calcNormFactors`, limma `voom`, `lmFit`, `eBayes`, `topTable`',
    tolerance: '1e-6',
    by: 'relative',
    test: `${analysis}/pseudobulk`,
    script: ofAnalysis('pseudobulk-reference.R'),
  },
  {
    of: 'blocks',
    what: 'samples of a block: their correlation, and tests with it',
    reference: 'limma `duplicateCorrelation`, `voom(block=…)`, `lmFit(block=…)`',
    tolerance: '1e-6',
    by: 'relative',
    test: `${analysis}/pseudobulk/block-correlation.test.ts`,
    script: ofAnalysis('block-correlation-reference.R'),
  },
  {
    of: 'ends',
    what: 'ends of a ranking: cells taken, sums of samples, paired tests',
    reference: 'ranks of R and pandas, edgeR, limma',
    tolerance: '1e-6',
    by: 'relative',
    test: `${analysis}/deciles`,
    script: ofAnalysis('deciles-reference.R'),
  },
  {
    of: 'quasi-likelihood',
    what: 'quasi-likelihood F tests of sums: dispersions, priors, fold changes, F, p-values, adjusted',
    reference: 'edgeR `estimateDisp`, `glmQLFit`, `glmQLFTest`, fits to the optimum',
    tolerance: '1e-6',
    by: 'relative',
    test: `${analysis}/quasi-likelihood/quasi-likelihood-reference.test.ts`,
    script: ofAnalysis('quasi-likelihood-reference.R'),
  },
  {
    of: 'negative-binomial',
    what: 'negative binomial tests of sums: means, fold changes and errors, p-values, adjusted',
    reference: 'PyDESeq2, its optimisers run on to the zero of their gradient',
    tolerance: '1e-7',
    by: 'relative',
    test: `${analysis}/negative-binomial/negative-binomial-reference.test.ts`,
    script: ofAnalysis('negative_binomial_reference.py'),
  },
  {
    of: 'negative-binomial-dispersions',
    what: 'their dispersions: of each gene, expected, final',
    reference: 'PyDESeq2, the same',
    tolerance: '1e-6',
    by: 'relative',
    test: `${analysis}/negative-binomial/negative-binomial-reference.test.ts`,
    script: ofAnalysis('negative_binomial_reference.py'),
  },
  {
    of: 'ranked-enrichment',
    what: 'ranked enrichment: scores, normalised, p-values, FDR, FWER, with the same permutations',
    reference: 'gseapy `prerank`',
    tolerance: '1e-12',
    by: 'absolute',
    test: `${analysis}/ranked-enrichment/ranked-enrichment.test.ts`,
    script: ofAnalysis('ranked_enrichment_reference.py'),
  },
  {
    of: 'ligand-receptor',
    what: 'ligand-receptor: means, shares, scores, p-values with the same permutations, ranks',
    reference: 'LIANA `rank_aggregate`',
    tolerance: '1e-6',
    by: 'relative',
    test: `${analysis}/ligand-receptor/ligand-receptor-reference.test.ts`,
    script: ofAnalysis('ligand_receptor_reference.py'),
  },
  {
    of: 'trajectory',
    what: 'trajectory: eigenvalues (float32), connectivities of groups, correlations of genes and their adjusted p-values',
    reference: 'scanpy `tl.diffmap`, `tl.paga`, scipy `spearmanr`',
    tolerance: '1e-6',
    by: 'absolute',
    test: `${analysis}/trajectory/trajectory-reference.test.ts`,
    script: ofAnalysis('trajectory_reference.py'),
  },
  {
    of: 'pseudotime',
    what: 'pseudotime (of eigenvectors in float32)',
    reference: 'scanpy `tl.dpt`',
    tolerance: '1e-4',
    by: 'absolute',
    test: `${analysis}/trajectory/trajectory-reference.test.ts`,
    script: ofAnalysis('trajectory_reference.py'),
  },
  {
    of: 'enrichment',
    what: 'enrichment: p-values, adjusted, odds ratios, combined scores',
    reference: 'gseapy `enrich`',
    tolerance: '1e-6',
    by: 'relative',
    test: `${analysis}/enrichment/over-representation.test.ts`,
    script: ofAnalysis('enrichment_reference.py'),
  },
  {
    of: 'enrichment-tails',
    what: 'logarithms of hypergeometric tails',
    reference: 'whole numbers of Python, exact',
    tolerance: '1e-9',
    by: 'absolute',
    test: `${analysis}/enrichment/over-representation.test.ts`,
    script: ofAnalysis('enrichment_reference.py'),
  },
  {
    of: 'perturbations',
    what: 'perturbation screens: energy distances, correlations, inflation',
    reference: 'scperturb `edist`, numpy, scipy',
    tolerance: '1e-6',
    by: 'absolute',
    test: `${analysis}/perturbations/perturbations.test.ts`,
    script: ofAnalysis('perturbations_reference.py'),
  },
  {
    of: 'co-expression',
    what: 'co-expression: weights, local autocorrelations, correlations, heights',
    reference: 'hotspotsc, scipy `linkage`',
    tolerance: '1e-6',
    by: 'relative',
    test: `${analysis}/co-expression/co-expression-reference.test.ts`,
    script: ofAnalysis('co_expression_reference.py'),
  },
  {
    of: 'co-expression-null',
    what: 'co-expression: skewness of Z by chance, p-values with it',
    reference: 'numpy on whole matrices, scipy `pearson3`',
    tolerance: '1e-6',
    by: 'relative',
    test: `${analysis}/co-expression/autocorrelation-null.test.ts`,
    script: ofAnalysis('co_expression_null_reference.py'),
  },
  {
    of: 'scores',
    what: 'scores of signatures and cell states',
    reference: 'scanpy `tl.score_genes`',
    tolerance: '1e-6',
    by: 'absolute',
    test: `${analysis}/scores/signature-scores.test.ts`,
    script: ofAnalysis('scores_reference.py'),
  },
  {
    of: 'adjusted',
    what: 'adjusted p-values',
    reference: 'gseapy, scipy `false_discovery_control`',
    tolerance: '1e-12',
    by: 'relative',
    test: `${analysis}/statistics/benjamini-hochberg.test.ts`,
    script: ofAnalysis('enrichment_reference.py'),
  },
  {
    of: 't-tests',
    what: 'tests of samples',
    reference: 'scipy `ttest_ind`, `ttest_rel`',
    tolerance: '1e-6',
    by: 'relative',
    test: `${analysis}/statistics/t-tests.test.ts`,
    script: ofAnalysis('sample_tests_reference.py'),
  },
  {
    of: 'distributions',
    what: 'digamma, trigamma and its inverse, tails of F, quantiles of Student',
    reference: 'scipy `special`, `stats`',
    tolerance: '1e-6',
    by: 'relative',
    test: `${analysis}/statistics/distributions.test.ts`,
    script: ofAnalysis('distributions_reference.py'),
  },
  {
    of: 'tails',
    what: 'tails of the normal and of Student',
    reference: 'scipy `norm.sf`, `t.sf`',
    tolerance: '1e-7',
    by: 'relative',
    test: `${analysis}/statistics/tails.test.ts`,
    script: ofAnalysis('markers_reference.py'),
  },
  {
    of: 'gradient',
    what: 'genes along an axis: correlations, combined in samples; splines',
    reference: 'scipy `spearmanr`, `combine_pvalues`; statsmodels `OLS` on patsy `cr`',
    tolerance: '1e-6',
    by: 'relative',
    test: `${analysis}/gradient/gradient-reference.test.ts`,
    script: ofAnalysis('gradient_reference.py'),
  },
  {
    of: 'replicated-curves',
    what: 'curves along an axis with samples as replicates: variation, F, p-values',
    reference: 'limma `squeezeVar` on scores of least squares in R',
    tolerance: '1e-6',
    by: 'relative',
    test: `${analysis}/gradient/replicated-curves.test.ts`,
    script: ofAnalysis('replicated-curves-reference.R'),
  },
  {
    of: 'dot-plot',
    what: 'dot plot: means and shares (a spec keeps five digits)',
    reference: 'scanpy `pl.dotplot`',
    tolerance: '1e-4',
    by: 'absolute',
    test: `${plots}/group-figures.test.ts`,
    script: ofPlots('group_figures_reference.py'),
  },
  {
    of: 'matrix-plot',
    what: 'matrix plot: scaled means (five digits)',
    reference: "scanpy `pl.matrixplot(standard_scale='var')`",
    tolerance: '1e-5',
    by: 'absolute',
    test: `${plots}/group-figures.test.ts`,
    script: ofPlots('group_figures_reference.py'),
  },
  {
    of: 'stacked-violin',
    what: 'stacked violin: medians',
    reference: 'numpy `median`',
    tolerance: '1e-6',
    by: 'absolute',
    test: `${plots}/group-figures.test.ts`,
    script: ofPlots('group_figures_reference.py'),
  },
  {
    of: 'violin',
    what: 'violin: density, its peak being 1 (binned)',
    reference: 'scipy `gaussian_kde`',
    tolerance: '0.01',
    by: 'absolute',
    test: `${plots}/drawing/distributions/density.test.ts`,
    script: ofPlots('violin_reference.py'),
  },
  {
    of: 'quartiles',
    what: 'violin: quartiles',
    reference: 'numpy `percentile`',
    tolerance: '1e-6',
    by: 'absolute',
    test: `${plots}/drawing/distributions/density.test.ts`,
    script: ofPlots('violin_reference.py'),
  },
  {
    of: 'dendrogram',
    what: 'dendrogram: heights',
    reference: 'scipy `linkage`, scanpy `tl.dendrogram`',
    tolerance: '1e-9',
    by: 'absolute',
    test: `${plots}/drawing/gene-matrix/group-tree.test.ts`,
    script: ofPlots('dendrogram_reference.py'),
  },
  {
    of: 'embedding-density',
    what: 'embedding density',
    reference: 'scanpy `tl.embedding_density`',
    tolerance: '1e-6',
    by: 'absolute',
    test: `${plots}/embedding-density/cell-density.test.ts`,
    script: ofPlots('embedding_density_reference.py'),
  },
  {
    of: 'correlations',
    what: 'scatter: Pearson and Spearman correlations',
    reference: 'scipy `pearsonr`, `spearmanr`',
    tolerance: '1e-9',
    by: 'absolute',
    test: `${plots}/group-figures.test.ts`,
    script: ofPlots('group_figures_reference.py'),
  },
  {
    of: 'gene-finder',
    what: 'a gene in all datasets: means and shares',
    reference: 'scanpy `pl.dotplot`',
    tolerance: '1e-6',
    by: 'absolute',
    test: 'apps/server/src/features/gene-finder/gene-finder.test.ts',
    script: 'fixtures/gene-finder/dot_plot_reference.py',
  },
  {
    of: 'cell-types',
    what: 'cell types: scores, adjusted p-values, Fisher’s exact test',
    reference: 'decoupler `mt.ulm`, `mt.ora`, scipy `fisher_exact`',
    tolerance: '1e-6',
    by: 'relative',
    test: `${analysis}/cell-types/cell-types-reference.test.ts`,
    script: ofAnalysis('cell_types_reference.py'),
  },
  {
    of: 'cell-models',
    what: 'cell types by a model: probabilities of each cell',
    reference: 'CellTypist `annotate`',
    tolerance: '1e-6',
    by: 'absolute',
    test: `${analysis}/cell-types/cell-models-reference.test.ts`,
    script: ofAnalysis('cell_models_reference.py'),
  },
  {
    of: 'quality',
    what: 'quality: shares of genes in percent',
    reference: 'scanpy `pp.calculate_qc_metrics`',
    tolerance: '1e-6',
    by: 'absolute',
    test: `${processing}/quality/cell-measures.test.ts`,
    script: 'fixtures/process/references.py',
  },
  {
    of: 'dispersions',
    what: 'normalised dispersions of genes',
    reference: 'scanpy `pp.highly_variable_genes`',
    tolerance: '1e-6',
    by: 'absolute',
    test: `${processing}/variable-genes.test.ts`,
    script: 'fixtures/process/references.py',
  },
  {
    of: 'components',
    what: 'principal components',
    reference: 'scanpy `pp.pca`',
    tolerance: '1e-6',
    by: 'relative',
    test: `${processing}/counts-to-components.test.ts`,
    script: 'fixtures/process/references.py',
  },
  {
    of: 'graph',
    what: 'weights of the neighbour graph',
    reference: 'umap-learn `fuzzy_simplicial_set`',
    tolerance: '5e-5',
    by: 'absolute',
    test: `${processing}/neighbour-graph.test.ts`,
    script: 'fixtures/process/references.py',
  },
  {
    of: 'doublets',
    what: 'doublets: scores of cells and simulated doublets, shares above thresholds, with the same parents',
    reference: 'scanpy `pp.scrublet`',
    tolerance: '1e-6',
    by: 'absolute',
    test: `${processing}/doublets/find-doublets.test.ts`,
    script: 'fixtures/process/samples_reference.py',
  },
  {
    of: 'doublet-thresholds',
    what: 'thresholds between two modes',
    reference: 'scikit-image `threshold_minimum`',
    tolerance: '1e-9',
    by: 'absolute',
    test: `${processing}/doublets/minimum-threshold.test.ts`,
    script: 'fixtures/process/samples_reference.py',
  },
  {
    of: 'batch-genes',
    what: 'genes that are variable within batches: taken or not',
    reference: 'scanpy `pp.highly_variable_genes(batch_key=…)`',
    tolerance: '0',
    by: 'absolute',
    test: `${processing}/variable-genes.test.ts`,
    script: 'fixtures/process/samples_reference.py',
  },
  {
    of: 'harmony-correction',
    what: 'integration: corrected components, given the same clusters (the reference adds in single precision)',
    reference: 'harmonypy `run_harmony`',
    tolerance: '1e-5',
    by: 'absolute',
    test: `${processing}/integration/harmony-reference.test.ts`,
    script: 'fixtures/process/samples_reference.py',
  },
  {
    of: 'harmony',
    what: 'integration: corrected components, from the same centroids',
    reference: 'harmonypy `run_harmony`',
    tolerance: '1e-3',
    by: 'absolute',
    test: `${processing}/integration/harmony-reference.test.ts`,
    script: 'fixtures/process/samples_reference.py',
  },
  {
    of: 'mnn',
    what: 'integration: components corrected by mutual nearest neighbours',
    reference: 'scranpy `correct_mnn`, exact search',
    tolerance: '1e-6',
    by: 'absolute',
    test: `${processing}/integration/mutual-neighbours.test.ts`,
    script: 'fixtures/process/mnn_reference.py',
  },
];

const folder = mkdtempSync(join(tmpdir(), 'agreement-'));
const file = join(folder, 'differences.jsonl');
const tests = [...new Set(compared.map(({ test }) => test))];
const { status } = spawnSync('npx', ['vitest', 'run', ...tests], {
  env: { ...process.env, CELLFOLIO_AGREEMENT: file },
  // The table alone is the output.
  stdio: ['ignore', process.stderr, process.stderr],
});
const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
rmSync(folder, { recursive: true });
if (status !== 0) {
  console.error('Some tests failed, so there is no table.');
  process.exit(1);
}

const differences = new Map();
for (const { of, numbers, absolute, relative } of lines.map((line) => JSON.parse(line))) {
  const one = differences.get(of) ?? { numbers: 0, absolute: 0, relative: 0 };
  differences.set(of, {
    numbers: one.numbers + numbers,
    absolute: Math.max(one.absolute, absolute),
    relative: Math.max(one.relative, relative),
  });
}
const missing = compared.filter(({ of }) => !differences.has(of)).map(({ of }) => of);
if (missing.length > 0) {
  console.error(`No test noted differences of ${missing.join(', ')}.`);
  process.exit(1);
}

const digits = (value) => (value === 0 ? '0' : value.toExponential(1));
const rows = compared.map(({ of, what, reference, tolerance, by, script }) => {
  const { numbers, absolute, relative } = differences.get(of);
  return [
    what,
    reference,
    numbers.toLocaleString('en'),
    digits(absolute),
    digits(relative),
    `${tolerance} ${by}`,
    `\`${script}\``,
  ];
});
const heads = ['what', 'reference', 'numbers', 'largest absolute', 'largest relative', 'tolerance', 'script'];
const table = [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
console.log(table);
if (process.argv.includes('--write')) {
  const page = 'docs/agreement.md';
  const text = readFileSync(page, 'utf8');
  const start = text.indexOf('| what');
  writeFileSync(page, `${text.slice(0, start)}${table}\n`);
  spawnSync('npx', ['oxfmt', page], { stdio: 'ignore' });
}
