import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import { countText, listedNames, pluralWord } from '@cellfolio/model';
import { type SampleSum, sumsOnSides } from '../../sample-design/index.ts';
import type { TestedPart, TestedParts } from './pseudobulk-comparisons.ts';

export function sumTestWords(part: TestedPart): string {
  const { a, b } = sumsOnSides(part);
  const { formula } = part.design;
  return `${testNameOf(part)}, ${formula}, ${a} + ${b} samples, ${degreesWords(part)}`;
}

export function sumTestsWords(tested: readonly TestedPart[]): string {
  if (tested.length === 1) return sumTestWords(tested[0]!);
  const formulas = [...new Set(tested.map(({ design }) => design.formula))];
  return `${testNameOf(tested[0]!)}, ${formulas.join(' or ')}, in ${countText(tested.length)} groups`;
}

const testNames = {
  variances: 'limma-voom of pseudobulk sums',
  'quasi-dispersions': 'quasi-likelihood F test of pseudobulk sums',
  dispersions: 'negative binomial Wald test of pseudobulk sums',
} as const;

function testNameOf({ checks: { shrinkage } }: TestedPart): string {
  return testNames[shrinkage.of];
}

function degreesWords({ checks: { residualDegrees } }: TestedPart): string {
  return `${countText(residualDegrees)} residual ${pluralWord(residualDegrees, 'degree')} of freedom`;
}

export function sumHeadLines({ tested, refused }: TestedParts, parameters: ComparisonParameters): string[] {
  const { min_sample_cells: minCells } = parameters;
  return [
    ...methodLines(parameters, tested[0]!.part.name === '' ? '' : ' in a group'),
    ...tested.map((one) => {
      const { part, checks, unpaired, fewCells, empty } = one;
      const { a, b } = sumsOnSides(one);
      const left = [...empty, ...fewCells, ...unpaired].map(sampleWords);
      const names = listedNames(one.sums.map(sampleWords), 200);
      return `${part.name === '' ? 'Design' : part.name}: ${one.design.formula}, ${a} samples in A and ${b} in B, ${degreesWords(one)}, ${shrinkageWords(checks)}${correlationWords(checks)}, ${countText(checks.tested)} genes tested; samples: ${names}${left.length > 0 ? `; left out: ${listedNames(left, 200)}` : ''}`;
    }),
    ...refused.map(({ name, reason }) => `${name}: not tested. ${reason}`),
    `Samples of fewer than ${minCells} cells on a side were left out on that side`,
  ];
}

function methodLines(
  { method, interaction, random_effect: random, trend, robust }: ComparisonParameters,
  where: string,
): readonly [string, string] {
  const effect = (plain: string) =>
    interaction === undefined
      ? `${plain}, positive is higher in A`
      : `how far the log2 fold change of A over B changes with ${interaction}`;
  const adjusted = `p-values adjusted by Benjamini and Hochberg over the genes that were tested${where}`;
  if (method === 'negative-binomial') {
    return [
      `Test: raw counts summed by sample and side; size factors by the median of ratios, dispersions drawn towards their curve, Wald tests, outliers by Cook's distance and independent filtering, as DESeq2 has them; ${adjusted} and not filtered out`,
      `Fold changes: ${effect('maximum likelihood log2 fold changes, not shrunken')}; ci_low and ci_high are limits of 95 %, mean_count the mean count divided by size factors, scores the Wald statistic`,
    ];
  }
  if (method === 'quasi-likelihood') {
    return [
      `Test: raw counts summed by sample and side; genes filtered as edgeR's filterByExpr, libraries normalized by TMM, negative binomial dispersions by a trend over the mean (estimateDisp), quasi-likelihood dispersions drawn towards their trend (glmQLFit) and F tests (glmQLFTest), as edgeR has them; ${adjusted}`,
      `Fold changes: ${effect('log2 fold changes of counts that are raised by 0.125 in a library of mean size')}; ci_low and ci_high are Wald's limits of 95 %, mean_log_cpm the log2 of the average counts per million, scores the root of F with the sign of the fold change`,
    ];
  }
  return [
    `Test: raw counts summed by sample and side; genes filtered as edgeR's filterByExpr, libraries normalized by TMM, values weighted by limma's voom,${random === undefined ? '' : ` samples of one value of ${random} correlated (duplicateCorrelation),`} moderated t-tests of eBayes${trend ? ' with a trend' : ''}${robust ? ', robust' : ''}; ${adjusted}`,
    `Fold changes: ${effect('moderated log2 fold changes of counts per million')}; ci_low and ci_high are limits of 95 %, mean_log_cpm the mean log2 counts per million, scores the moderated t`,
  ];
}

function sampleWords({ sample, side, cells }: SampleSum): string {
  return `${sample} of ${side === 'a' ? 'A' : 'B'} (${countText(cells)})`;
}

function correlationWords({ correlation }: TestedPart['checks']): string {
  return correlation === undefined ? '' : `, correlation of samples of one unit ${correlation.toFixed(3)}`;
}

function shrinkageWords({ shrinkage }: TestedPart['checks']): string {
  if (shrinkage.of !== 'dispersions') {
    const { priorDegrees: prior } = shrinkage;
    return `${prior === Infinity ? 'infinitely many' : prior.toFixed(1)} prior degrees of freedom`;
  }
  const [a0, a1] = shrinkage.coefficients.map((value) => value.toPrecision(3));
  return `dispersions about ${a0}${shrinkage.trend === 'mean' ? '' : ` + ${a1} / mean`}`;
}
