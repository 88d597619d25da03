import type { GeneModel } from '@cellfolio/analysis';
import type { CoExpressionParameters } from '@cellfolio/analysis/parameters';
import {
  type ResultCaution as Caution,
  countCautions,
  countText,
  percentText,
  listedNames,
  valueCautions,
  plural,
  pluralWord,
} from '@cellfolio/model';
import type { SampleColumn } from '../../runtime/sample-column.ts';
import type { GraphSource } from '../cell-graph/index.ts';
import type { Selection } from '../selection/index.ts';
import type { FoundModules, ModuleCheck, NullCheck, TestedGenes } from './module-tasks.ts';
import { columnTitle } from '@cellfolio/contract';

export type TakenParameters = CoExpressionParameters & { model: GeneModel };

export interface CoExpression {
  parameters: TakenParameters;
  graphSource: GraphSource;
  /** Cells of the graph. */
  cells: { analysed: number; without: number };
  tested: TestedGenes;
  nullCheck: NullCheck | undefined;
  foundModules: FoundModules;
  /** Checks of the modules, in their order; undefined when a module cannot be scored. */
  checks: readonly (ModuleCheck | undefined)[];
  samples: SampleColumn | undefined;
  cautions: readonly Caution[];
}

type Findings = Omit<CoExpression, 'cautions'> & { selection: Pick<Selection, 'manifest'> };

/** With fewer cells, a few other cells would change the modules. */
const fewCells = 300;
/** Spearman correlation with the cells' totals above which a module follows sequencing depth. */
const drivenByDepth = 0.5;
/** Share of the variance of a module's score between samples above which the module follows samples. */
const drivenBySamples = 0.3;
/** Share of ribosomal or mitochondrial genes above which a module is labelled as one of these. */
const shareOfKind = 0.3;
/** Share of p-values below 0.05, of values that are shuffled, which chance alone hardly gives. */
const tooOftenBelow = 0.08;
const maxNamesListed = 5;

/** Limits of modules of genes that apply, each with its figures. */
export function coExpressionCautions(findings: Findings): Caution[] {
  const { manifest } = findings.selection;
  return [
    ...(findings.parameters.model === 'danb'
      ? countCautions(manifest)
      : valueCautions(manifest, 'correlations are of the values as they are')),
    ...followingDepth(findings),
    ...followingSamples(findings),
    ...ofKind(findings),
    ...fewAnalysed(findings),
    sameData(findings),
    ...nullNotHeld(findings),
    ...notPaired(findings),
    ...withoutCounts(findings),
    ...withoutComponents(findings),
  ];
}

function modulesWith(
  { foundModules, checks }: Findings,
  value: (check: NonNullable<Findings['checks'][number]>) => number,
  limit: number,
) {
  return foundModules.modules.flatMap(({ name }, at) => {
    const check = checks[at];
    const own = check === undefined ? NaN : value(check);
    return Math.abs(own) >= limit ? [{ name, value: own }] : [];
  });
}

function followingDepth(findings: Findings): Caution[] {
  const driven = modulesWith(findings, ({ depth }) => depth, drivenByDepth);
  if (driven.length === 0) return [];
  const names = driven.map(({ name, value }) => `${name} (${value.toFixed(2).replace('-', '−')})`);
  const total = findings.parameters.model === 'danb' ? 'total counts' : 'summed expression';
  return [
    {
      code: 'module-follows-depth',
      message: `Modules that follow the ${total} of the cells (Spearman): ${listedNames(names, maxNamesListed)}. They probably show sequencing depth or cell size: do not interpret them as gene programmes.`,
      numbers: { modules: driven.length, largest: Math.max(...driven.map(({ value }) => Math.abs(value))) },
    },
  ];
}

function followingSamples(findings: Findings): Caution[] {
  const driven = modulesWith(findings, ({ samples }) => samples, drivenBySamples);
  if (driven.length === 0 || findings.samples === undefined) return [];
  const names = driven.map(({ name, value }) => `${name} (${percentText(value)})`);
  return [
    {
      code: 'module-follows-samples',
      message: `Modules that follow the samples of ${columnTitle(findings.samples.column)} (eta squared): ${listedNames(names, maxNamesListed)}. They probably show samples or batches: analyse one sample separately.`,
      numbers: {
        column: findings.samples.column,
        modules: driven.length,
        largestShare: Math.max(...driven.map(({ value }) => value)),
      },
    },
  ];
}

function ofKind({ foundModules: { modules } }: Findings): Caution[] {
  const kinds = [
    { of: 'mitochondrial', what: 'mitochondrial genes', why: 'damaged or stressed cells have more of them' },
    { of: 'ribosomal', what: 'genes of the ribosome', why: 'these vary with depth and growth in most cells' },
  ] as const;
  return kinds.flatMap(({ of, what, why }) => {
    const some = modules.filter((module) => module[of] >= shareOfKind);
    if (some.length === 0) return [];
    const names = some.map((module) => `${module.name} (${percentText(module[of])})`);
    return [
      {
        code: `${of}-module`,
        message: `Modules of many ${what}: ${listedNames(names, maxNamesListed)}. These are rarely gene programmes: ${why}. Ignore them.`,
        numbers: { modules: some.length, largestShare: Math.max(...some.map((module) => module[of])) },
      },
    ];
  });
}

function fewAnalysed({ cells: { analysed } }: Findings): Caution[] {
  if (analysed >= fewCells) return [];
  return [
    {
      code: 'few-cells',
      message: `${countText(analysed)} cells are few for modules: a few others could change them. Use more cells, or confirm them in others.`,
      numbers: { cells: analysed },
    },
  ];
}

function sameData({ tested, cells }: Findings): Caution {
  return {
    code: 'graph-of-same-data',
    message: `The graph of nearest cells is computed from principal components (X_pca) of the same expression, so genes with large loadings have local autocorrelation by construction, and each of ${countText(cells.analysed)} cells counts as a replicate. Use the p-values to rank the ${countText(tested.tested)} genes, not as evidence that a module is found in other samples.`,
    numbers: { tested: tested.tested, cells: cells.analysed },
  };
}

function nullNotHeld({ nullCheck }: Findings): Caution[] {
  if (nullCheck === undefined || nullCheck.below < tooOftenBelow) return [];
  const { genes, shuffles, below } = nullCheck;
  return [
    {
      code: 'p-values-too-small',
      message: `With values shuffled over the cells ${shuffles} times, ${percentText(below)} of the p-values of ${countText(genes)} genes are below 0.05, where 5 % should be: they are too small, mostly for genes that few cells express. Raise Min. Cells.`,
      numbers: { genes, shuffles, below },
    },
  ];
}

function notPaired({ tested: { significant, rows }, parameters, cells }: Findings): Caution[] {
  if (significant <= rows.length) return [];
  const isFull = rows.length < parameters.max_genes;
  const advice = isFull
    ? `Choose fewer than ${countText(cells.analysed)} cells`
    : 'Raise the maximum of genes';
  return [
    {
      code: 'genes-not-paired',
      message: `Of ${countText(significant)} genes with local autocorrelation only the ${countText(rows.length)} with the highest Z were correlated; the others are in no module. ${advice} to include more.`,
      numbers: { passing: significant, paired: rows.length },
    },
  ];
}

function withoutCounts({ parameters: { model }, tested: { tested } }: Findings): Caution[] {
  if (model === 'danb') return [];
  return [
    {
      code: 'model-of-expression',
      message: `The ${countText(tested)} genes were tested by a normal model of expression, not of raw counts: p-values of genes that few cells express are too small. Prefer genes of many cells.`,
      numbers: { tested },
    },
  ];
}

function withoutComponents({ cells: { without } }: Findings): Caution[] {
  if (without === 0) return [];
  const subject = plural(without, 'active cell has', 'active cells have');
  return [
    {
      code: 'cells-without-components',
      message: `${subject} no principal components, as cells that quality control removed, and ${pluralWord(without, 'is', 'are')} left out: process the dataset again to include them.`,
      numbers: { without },
    },
  ];
}
