import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import {
  designOfCase,
  largestDifference,
  type NegativeBinomialCase,
} from '../negative-binomial/testing/reference.ts';
import { readReference } from '../markers/testing/reference.ts';
import { matrixOf, numbersOf, type Numbers } from '../pseudobulk/testing/reference.ts';
import { quasiLikelihoodTest } from './quasi-likelihood-test.ts';

type Columns = Readonly<Record<keyof ReturnType<typeof columnsOf>, Numbers | number>>;

interface QuasiLikelihoodCase extends Pick<
  NegativeBinomialCase,
  'name' | 'genes' | 'samples' | 'counts' | 'design' | 'coefficients' | 'contrast'
> {
  kept: readonly number[];
  exact: Columns;
  shipped: Columns;
}

const { cases } = readReference<{ cases: readonly QuasiLikelihoodCase[] }>(
  new URL('quasi-likelihood-reference.json', import.meta.url),
);

function columnsOf(referenceCase: QuasiLikelihoodCase) {
  const contrast = Float64Array.from(referenceCase.contrast);
  const answer = quasiLikelihoodTest(
    matrixOf(referenceCase.counts, referenceCase.genes),
    designOfCase(referenceCase),
    [contrast],
  );
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  const { genes, means, dispersions, quasi, totalDegrees, contrasts } = answer.result;
  expect(Array.from(genes)).toEqual(referenceCase.kept);
  const { effects, f, pValues, adjusted } = contrasts[0]!;
  const { genewise, degrees, priors, moderated, priorDegrees } = quasi;
  return {
    means: [means],
    dispersions: [dispersions],
    quasi: [genewise],
    degrees: [degrees],
    priorDegrees: [Float64Array.of(priorDegrees)],
    priors: [priors],
    variances: [moderated],
    totalDegrees: [totalDegrees],
    // Near zero by the distance from it.
    logFC: [effects, 0.01],
    F: [f, 0.01],
    PValue: [pValues],
    FDR: [adjusted],
  } as const;
}

function differences(actual: ReturnType<typeof columnsOf>, expected: Columns) {
  return Object.entries(actual).map(([name, [own, floor]]) => {
    const theirs = numbersOf(expected[name as keyof Columns]);
    return { name, difference: largestDifference(own, theirs, floor) };
  });
}

test.each(cases)('$name: has the numbers of edgeR with its fits run on to the optimum', (referenceCase) => {
  const columns = columnsOf(referenceCase);
  for (const [name, [own, floor]] of Object.entries(columns)) {
    noteDifferences('quasi-likelihood', own, numbersOf(referenceCase.exact[name as keyof Columns]), floor);
  }
  expect(differences(columns, referenceCase.exact).filter(({ difference }) => difference > 1e-6)).toEqual([]);
});

/** At the smallest dispersion of the grid, edgeR uses the first terms of a series for the deviance. */
const isExpanded = ({ exact }: QuasiLikelihoodCase) =>
  numbersOf(exact.dispersions).some((dispersion) => dispersion < 1e-4);

test.each(cases.filter((referenceCase) => !isExpanded(referenceCase)))(
  '$name: has the numbers of edgeR as shipped, to its tolerance',
  (referenceCase) => {
    const limits = { logFC: 3e-3 };
    const limitOf = (name: string) => (name in limits ? limits[name as keyof typeof limits] : 1e-5);
    const deviations = differences(columnsOf(referenceCase), referenceCase.shipped);
    expect(deviations.filter(({ name, difference }) => difference > limitOf(name))).toEqual([]);
  },
);

test('edgeR as shipped expands the deviance where counts differ by chance alone or less', () => {
  expect(cases.filter(isExpanded).map(({ name }) => name)).toEqual([
    'counts that differ by chance alone',
    'counts that differ less than by chance',
  ]);
});
