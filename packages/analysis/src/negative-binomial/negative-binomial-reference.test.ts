import { noteDifferences } from '@cellfolio/model/testing';
import { describe, expect, test } from 'vitest';
import { negativeBinomialTest, type NegativeBinomialTest } from './negative-binomial-test.ts';
import {
  cases,
  designOfCase,
  largestDifference,
  type NegativeBinomialCase,
  valuesOf,
} from './testing/reference.ts';

const ofDispersions = new Set(['genewise', 'trend', 'final']);

/** Dispersions below this count as equal: the likelihood is flat there. */
const flatBelow = 1e-6;

function resultOf(referenceCase: NegativeBinomialCase): NegativeBinomialTest {
  const counts = {
    geneCount: referenceCase.genes,
    sampleCount: referenceCase.samples,
    values: Float64Array.from(referenceCase.counts),
  };
  const answer = negativeBinomialTest(counts, designOfCase(referenceCase), [
    Float64Array.from(referenceCase.contrast),
  ]);
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  return answer.result;
}

function differences(
  result: NegativeBinomialTest,
  referenceCase: NegativeBinomialCase,
  kind: 'exact' | 'shipped',
) {
  const { genes, means, dispersions, contrasts } = result;
  const [contrast] = contrasts;
  const expected = referenceCase[kind];
  const raised = (values: Float64Array) => values.map((value) => Math.max(value, flatBelow));
  const columns = {
    genewise: [raised(dispersions.genewise), raised(valuesOf(expected.genewise, genes))],
    trend: [dispersions.expected, valuesOf(expected.trend, genes)],
    final: [dispersions.final, valuesOf(expected.final, genes)],
    baseMean: [means, valuesOf(expected.baseMean, genes)],
    log2FoldChange: [contrast!.effects, valuesOf(expected.log2FoldChange, genes), 0.01],
    lfcSE: [contrast!.errors, valuesOf(expected.lfcSE, genes)],
    stat: [contrast!.statistics, valuesOf(expected.stat, genes), 0.01],
    pvalue: [contrast!.pValues, valuesOf(expected.pvalue, genes)],
    padj: [contrast!.adjusted, valuesOf(expected.padj, genes)],
  } as const;
  return Object.entries(columns).map(([name, [own, theirs, floor]]) => {
    if (kind === 'exact') {
      noteDifferences(
        ofDispersions.has(name) ? 'negative-binomial-dispersions' : 'negative-binomial',
        own,
        theirs,
        floor,
      );
    }
    return { name, difference: largestDifference(own, theirs, floor) };
  });
}

describe.each(cases)('$name', (referenceCase) => {
  const result = resultOf(referenceCase);
  const rowsOf = (places: Int32Array) => Array.from(places, (place) => result.genes[place]!);

  test('has the numbers of PyDESeq2 where its optimisers run on to the optimum', () => {
    expect(differences(result, referenceCase, 'exact').filter(({ difference }) => difference > 1e-7)).toEqual(
      [],
    );
    expect(largestDifference(result.sizeFactors, Float64Array.from(referenceCase.sizeFactors))).toBeLessThan(
      1e-9,
    );
    expect(result.dispersions.trend.kind).toBe(referenceCase.trendKind);
    expect(result.dispersions.priorVariance / referenceCase.priorVariance).toBeCloseTo(1, 8);
  });

  test('has its outliers, replaced or left out', () => {
    expect(rowsOf(result.replaced)).toEqual(referenceCase.replaced);
    expect(rowsOf(result.outliers)).toEqual(referenceCase.outliers);
    // For a gene with a single count, which is replaced, the fit diverges: both stop it, each in its way.
    const hasCounts = (_: number, place: number) => result.means[place]! > 0;
    const distances = result.distances.filter(hasCounts);
    const expected = valuesOf(referenceCase.cooks, result.genes).filter(hasCounts);
    expect(largestDifference(distances, expected, 1e-3)).toBeLessThan(1e-6);
  });
});

/**
 * Cases in which PyDESeq2's optimiser stops near every optimum. In the others it stops far from some, and the trend and
 * prior then change all genes.
 */
const settled = cases.filter(({ exact, shipped }) =>
  exact.genewise.every((value, gene) => {
    const own = shipped.genewise[gene]!;
    return value === null || Math.abs(own - value) < 1e-4 * value;
  }),
);

test.each(settled)('$name: has the numbers of PyDESeq2 as shipped, to its tolerance', (referenceCase) => {
  const limits = { pvalue: 1e-2, padj: 1e-2, log2FoldChange: 1e-3, stat: 1e-3 };
  const deviations = differences(resultOf(referenceCase), referenceCase, 'shipped');
  const limitOf = (name: string) => (name in limits ? limits[name as keyof typeof limits] : 1e-4);
  expect(deviations.filter(({ name, difference }) => difference > limitOf(name))).toEqual([]);
});

test('PyDESeq2 as shipped settles in most cases', () => {
  expect(settled.length).toBeGreaterThanOrEqual(6);
});
