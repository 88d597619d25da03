import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import { countText } from '@cellfolio/model';
import { listedNames } from '../../../runtime/listed-names.ts';
import { sumsOnSides } from './cautions.ts';
import type { SampleSum } from './designed-part.ts';
import type { TestedPart, TestedParts } from './pseudobulk-comparisons.ts';

/** How one part was tested, in words. */
export function sumTestWords(part: TestedPart): string {
  const { a, b } = sumsOnSides(part);
  const { formula } = part.design;
  return `limma-voom of pseudobulk sums, ${formula}, ${a} + ${b} samples, ${degreesWords(part)}`;
}

/** How all parts were tested, in words. */
export function sumTestsWords(tested: readonly TestedPart[]): string {
  if (tested.length === 1) return sumTestWords(tested[0]!);
  const formulas = [...new Set(tested.map(({ design }) => design.formula))];
  return `limma-voom of pseudobulk sums, ${formulas.join(' or ')}, in ${countText(tested.length)} groups`;
}

function degreesWords({ checks: { residualDegrees } }: TestedPart): string {
  return `${countText(residualDegrees)} residual ${residualDegrees === 1 ? 'degree' : 'degrees'} of freedom`;
}

/** Lines at the head of the file: what was summed, and how it was tested. */
export function sumHeadLines(
  { tested, refused }: TestedParts,
  { min_sample_cells: least, interaction, trend, robust }: ComparisonParameters,
): string[] {
  const effect =
    interaction === undefined
      ? 'moderated log2 fold changes of counts per million, positive is higher in A'
      : `how far the log2 fold change of A over B changes with ${interaction}`;
  return [
    `Test: raw counts summed by sample and side; genes filtered as edgeR's filterByExpr, libraries normalised by TMM, values weighted by limma's voom, moderated t-tests of eBayes${trend ? ' with a trend' : ''}${robust ? ', robust' : ''}; p-values adjusted by Benjamini and Hochberg over the genes that were tested${tested[0]!.part.name === '' ? '' : ' in a group'}`,
    `Fold changes: ${effect}; ci_low and ci_high are limits of 95 %, mean_log_cpm the mean log2 counts per million, scores the moderated t`,
    ...tested.map((one) => {
      const { part, checks, unpaired, fewCells } = one;
      const { a, b } = sumsOnSides(one);
      const left = [...fewCells, ...unpaired].map(sampleWords);
      const names = listedNames(one.sums.map(sampleWords), 200);
      return `${part.name === '' ? 'Design' : part.name}: ${one.design.formula}, ${a} samples in A and ${b} in B, ${degreesWords(one)}, ${priorWords(one)}, ${countText(checks.tested)} genes tested; samples: ${names}${left.length > 0 ? `; left out: ${listedNames(left, 200)}` : ''}`;
    }),
    ...refused.map(({ name, reason }) => `${name}: not tested. ${reason}`),
    `Samples of fewer than ${least} cells on a side were left out on that side`,
  ];
}

function sampleWords({ sample, side, cells }: SampleSum): string {
  return `${sample} of ${side === 'a' ? 'A' : 'B'} (${countText(cells)})`;
}

function priorWords({ checks: { priorDegrees: prior } }: TestedPart): string {
  return `${prior === Infinity ? 'infinitely many' : prior.toFixed(1)} prior`;
}
