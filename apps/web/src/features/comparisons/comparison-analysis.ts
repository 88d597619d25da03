import type { ComparisonAnswer, ComparisonRequest, FigureContent } from '@cellfolio/contract';
import { columnTitle, comparisonAnswer, comparisonRequest, isOfSums } from '@cellfolio/contract';
import { maxListedGenes, maxNamedGenes } from '@cellfolio/figures/content';
import { GitCompareArrows } from 'lucide-react';
import {
  type AnalysisModule,
  type AnalysisRuns,
  testFields,
  defineAnalysis,
  type NothingFound,
  figureOf,
} from '@/features/analyses/index.ts';
import type { ChosenSet } from '@/features/cell-sets/index.ts';
import { textAt, textsOf } from '@/features/tables/index.ts';
import { plural } from '@/lib/format.ts';
import { ComparisonFacts } from './comparison-facts.tsx';
import { ComparisonFields } from './comparison-fields.tsx';
import {
  comparisonDefaults,
  type ComparisonForm,
  comparisonRequestOf,
  isComplete,
} from './comparison-form.ts';
import { DiagnosticsPanel } from './diagnostics-panel.tsx';
import { comparisonFollowUps } from './follow-ups.ts';
import { GenePlotsPanel } from './gene-plots-panel.tsx';
import { genePlots, type GenePlotKind } from './gene-plots.ts';

export const comparedGenes = {
  csvField: 'deg_csv',
  columns: new Map([
    ['group', { label: 'Group', kind: 'text' }],
    ['names', { label: 'Gene', kind: 'text' }],
    ['scores', { label: 'Score', kind: 'number' }],
    ['logfoldchanges', { label: 'Log2 fold change', kind: 'number' }],
    ['ci_low', { label: '95 % from', kind: 'number' }],
    ['ci_high', { label: '95 % to', kind: 'number' }],
    ['mean_log_cpm', { label: 'Mean log2 CPM', kind: 'number' }],
    ['mean_count', { label: 'Mean count', kind: 'number' }],
    ['dispersion', { label: 'Dispersion', kind: 'number' }],
    ['pvals', { label: 'P-value', kind: 'p-value' }],
    ['pvals_adj', { label: 'Adjusted p-value', kind: 'p-value' }],
    ['pct_nz_a', { label: 'Expressing in A', kind: 'share' }],
    ['pct_nz_b', { label: 'Expressing in B', kind: 'share' }],
    ['mean_a', { label: 'Mean in A', kind: 'number' }],
    ['mean_b', { label: 'Mean in B', kind: 'number' }],
    ['auc', { label: 'AUC', kind: 'number' }],
    ['not_tested', { label: 'Not tested', kind: 'text' }],
  ]),
  figure: 'Volcano Plot',
  plots: genePlots,
  searchPlaceholder: 'Search genes',
  rowNoun: (ofGroup) => (ofGroup ? 'gene' : 'row'),
  allRows: (rowCount) => `all genes (${plural(rowCount, 'row')})`,
  read: (answer) => ({
    summary: (cells) => {
      const { within, pvals_adj, logfoldchanges, pseudocount } = answer.parameters;
      const groups = within === undefined ? '' : ` within each group of ${columnTitle(within)}`;
      return `${answer.a.name} against ${answer.b.name}${groups}, ${cells}: ${answer.test}; differing: adjusted p < ${pvals_adj}, log2 fold change ≥ ${logfoldchanges} in either direction${answer.pseudobulk === null ? ` (pseudocount ${pseudocount})` : ''}`;
    },
    figure: figureOf(answer, 'volcano'),
    nothing: noneDiffer(answer),
    cautions: answer.warnings.map(({ message }) => message),
    groups:
      answer.parameters.within === undefined
        ? []
        : answer.groups.map(({ name, few_cells }) => ({ name, markers: answer.gene_count, few_cells })),
    ...(answer.parameters.within !== undefined && { groupedBy: answer.parameters.within }),
    directions: {
      higher: 'A',
      lower: 'B',
      adjustedP: answer.parameters.pvals_adj,
      foldChange: answer.parameters.logfoldchanges,
    },
  }),
  Figure: GenePlotsPanel,
  diagnostics: { has: ({ pseudobulk }) => pseudobulk !== null, Panel: DiagnosticsPanel },
  followUps: comparisonFollowUps,
  figureOfGenes: {
    name: 'Dot Plot',
    about: 'Mean expression and share of expressing cells, by what was compared.',
    max: maxListedGenes,
    source: (source, genes, group) => {
      const {
        kind: _kind,
        thresholds: _thresholds,
        part: _part,
        ...compared
      } = source.content as PointsContent;
      const part = compared.within === undefined || group === '' ? {} : { part: group };
      return { ...source, content: { ...compared, kind: 'compared-dots', genes: [...genes], ...part } };
    },
  },
  figureOfRows: (source, { columns }, rows) => {
    const [groups, names] = [textsOf(columns, 'group'), textsOf(columns, 'names')];
    if (!isOfGenes(source.content) || !names || rows.length === 0) return null;
    const part = groups === undefined ? undefined : textAt(groups, rows[0]!);
    const genes: string[] = [];
    for (let at = 0; at < rows.length && genes.length < maxNamedGenes; at++) {
      const row = rows[at]!;
      if (groups === undefined || groups.codes[row] === groups.codes[rows[0]!])
        genes.push(textAt(names, row));
    }
    const content: FigureContent = { ...source.content, ...(part !== undefined && { part }), genes };
    return { ...source, content };
  },
  figureAsSet: (source, { kind, thresholds, part }) => {
    const plot = genePlots.find((one) => one.kind === kind);
    if (!isOfGenes(source.content) || plot === undefined) return source;
    if (plot.kind === source.content.kind && thresholds === undefined && part === undefined) return source;
    const content: FigureContent = {
      ...source.content,
      kind: plot.kind,
      ...(part !== undefined && { part }),
      ...(thresholds && {
        thresholds: { pvals_adj: thresholds.adjustedP, logfoldchanges: thresholds.foldChange },
      }),
    };
    return { ...source, content };
  },
} satisfies Partial<AnalysisModule<ComparisonForm, ComparisonRequest, ComparisonAnswer>>;

export const comparisonAnalysis = defineAnalysis<ComparisonForm, ComparisonRequest, ComparisonAnswer>({
  ...comparedGenes,
  id: 'comparison',
  title: 'DEG Analysis',
  name: 'DEG analysis',
  noticeName: 'DEG analysis',
  running: 'Running DEG Analysis',
  icon: GitCompareArrows,
  path: '/api/perform-deg-analysis',
  request: comparisonRequest,
  answer: comparisonAnswer,
  form: {
    defaults: comparisonDefaults,
    requestOf: comparisonRequestOf,
    isComplete,
    Fields: ComparisonFields,
  },
  runningText: sidesText,
  startedText: sidesText,
  requestLine: (request, cells) =>
    `${sidesText(request)}, ${cells}: ${methodText(request)}${testFields(request)}${designText(request)}`,
  files: { table: 'deg_analysis', figure: 'deg_volcano' },
  Facts: ComparisonFacts,
});

/** Opens the form with both sides set, for the user to run; without `b`, A is compared with all other active cells. */
export function prepareComparison(runs: Pick<AnalysisRuns, 'prepare'>, a: ChosenSet, b?: ChosenSet): void {
  runs.prepare(comparisonAnalysis, {
    a: JSON.stringify(a),
    b: b === undefined ? '' : JSON.stringify(b),
    within: '',
    together: '',
  });
}

type PointsContent = FigureContent & { kind: GenePlotKind };

function isOfGenes(content: FigureContent): content is PointsContent {
  return genePlots.some(({ kind }) => kind === content.kind);
}

function sidesText({ a, b, within }: ComparisonRequest): string {
  const groups = within === undefined ? '' : ` within each group of ${columnTitle(within)}`;
  return `Comparing ${a.name} with ${b?.name ?? 'all other active cells'}${groups}`;
}

function methodText({ method }: ComparisonRequest): string {
  if (method === 'pseudobulk') return 'pseudobulk of samples';
  if (method === 'quasi-likelihood') return 'quasi-likelihood F test of samples';
  if (method === 'negative-binomial') return 'negative binomial test of samples';
  return method === 't-test' ? 'Welch’s t-test' : 'Wilcoxon rank-sum test';
}

function designText(request: ComparisonRequest) {
  const { method, samples, covariates, interaction, random_effect: random, pairing, trend, robust } = request;
  if (method === undefined || !isOfSums(method)) return '';
  const parts = [
    samples !== undefined && `samples of ${columnTitle(samples)}`,
    covariates?.length && `allowing for ${covariates.map((column) => columnTitle(column)).join(', ')}`,
    interaction !== undefined && `interaction with ${columnTitle(interaction)}`,
    random !== undefined && `random effect of ${columnTitle(random)}`,
    pairing === 'by-sample' && 'in pairs',
    pairing === 'none' && 'without pairs',
    trend && 'with a trend',
    robust && 'robust',
  ];
  return parts
    .filter((part) => typeof part === 'string')
    .map((part) => `, ${part}`)
    .join('');
}

function noneDiffer(answer: ComparisonAnswer): NothingFound | null {
  const { groups, gene_count: genes, parameters, pseudobulk } = answer;
  if (groups.some(({ higher, lower }) => higher + lower > 0)) return null;
  const { pvals_adj: p, logfoldchanges: change } = parameters;
  return {
    title: 'No Differing Genes',
    text: `None of ${testedText(pseudobulk?.parts.map((part) => part.genes_tested) ?? groups.map(() => genes))} has both an adjusted p-value below ${p} and a log2 fold change of ${change} or more in either direction. The table has all of them.`,
  };
}

/** `byGroup`: number of genes that were tested in each group. */
function testedText(byGroup: readonly number[]): string {
  if (byGroup.length === 1) return plural(byGroup[0]!, 'tested gene');
  const tests = byGroup.reduce((sum, genes) => sum + genes, 0);
  return `${plural(tests, 'test')} of a gene in a group`;
}
