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
  readonly kept: readonly number[];
  readonly exact: Columns;
  readonly shipped: Columns;
}

const { cases } = readReference<{ cases: readonly QuasiLikelihoodCase[] }>(
  new URL('quasi-likelihood-reference.json', import.meta.url),
);

function columnsOf(given: QuasiLikelihoodCase) {
  const contrast = Float64Array.from(given.contrast);
  const answer = quasiLikelihoodTest(matrixOf(given.counts, given.genes), designOfCase(given), [contrast]);
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  const { genes, means, dispersions, quasi, totalDegrees, contrasts } = answer.result;
  expect(Array.from(genes)).toEqual(given.kept);
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

function differences(found: ReturnType<typeof columnsOf>, expected: Columns) {
  return Object.entries(found).map(([name, [own, least]]) => {
    const wanted = numbersOf(expected[name as keyof Columns]);
    return { name, difference: largestDifference(own, wanted, least) };
  });
}

test.each(cases)('$name: has the numbers of edgeR with its fits run on to the optimum', (given) => {
  const found = columnsOf(given);
  for (const [name, [own, least]] of Object.entries(found)) {
    noteDifferences('quasi-likelihood', own, numbersOf(given.exact[name as keyof Columns]), least);
  }
  expect(differences(found, given.exact).filter(({ difference }) => difference > 1e-6)).toEqual([]);
});

/** At the smallest dispersion of the grid, edgeR uses the first terms of a series for the deviance. */
const isExpanded = ({ exact }: QuasiLikelihoodCase) =>
  numbersOf(exact.dispersions).some((dispersion) => dispersion < 1e-4);

test.each(cases.filter((given) => !isExpanded(given)))(
  '$name: has the numbers of edgeR as shipped, to its tolerance',
  (given) => {
    const limits = { logFC: 3e-3 };
    const limitOf = (name: string) => (name in limits ? limits[name as keyof typeof limits] : 1e-5);
    const found = differences(columnsOf(given), given.shipped);
    expect(found.filter(({ name, difference }) => difference > limitOf(name))).toEqual([]);
  },
);

test('edgeR as shipped expands the deviance where counts differ by chance alone or less', () => {
  expect(cases.filter(isExpanded).map(({ name }) => name)).toEqual([
    'counts that differ by chance alone',
    'counts that differ less than by chance',
  ]);
});
