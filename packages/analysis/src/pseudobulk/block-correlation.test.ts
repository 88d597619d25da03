import { expect, test } from 'vitest';
import { readReference } from '../markers/testing/reference.ts';
import { BlockWhitening, consensusCorrelation } from './block-correlation.ts';
import { designOf } from './design-of.ts';
import type { SampleColumn, SampleFactor } from './design.ts';
import { librarySizes } from './gene-sample-matrix.ts';
import { linearFit } from './linear-fit.ts';
import { moderatedTests } from './moderated-tests.ts';
import { matrixOf, mismatches, type Numbers, sampleColumn } from './testing/reference.ts';
import { voom } from './voom.ts';

interface ReferenceCase {
  name: string;
  genes: number;
  counts: readonly number[];
  block: readonly number[];
  condition: readonly string[];
  batch: readonly number[] | null | Record<string, never>;
  unweighted: number;
  correlation: number;
  again: number;
  sigma: Numbers;
  logFC: Numbers;
  t: Numbers;
  'P.Value': Numbers;
  'df.prior': number | string;
}

const { cases } = readReference<{ cases: readonly ReferenceCase[] }>(
  new URL('./block-correlation-reference.json', import.meta.url),
);

function designOfCase({ condition, batch }: ReferenceCase) {
  const covariates: SampleColumn[] = Array.isArray(batch) ? [sampleColumn('batch', batch.map(String))] : [];
  const tested = sampleColumn('side', condition) as SampleFactor;
  const answer = designOf({ tested, level: 'treated', reference: 'control', covariates });
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  return answer.design;
}

test.each(cases)('$name: the correlation and the tests are those of limma', (referenceCase) => {
  const design = designOfCase(referenceCase);
  const counts = matrixOf(referenceCase.counts, referenceCase.genes);
  const sizes = librarySizes(counts);
  const first = voom(counts, sizes, design);
  const correlation = consensusCorrelation(first.logCpm, design, referenceCase.block, first.weights);
  const second = voom(counts, sizes, design, new BlockWhitening(referenceCase.block, correlation));
  const again = consensusCorrelation(second.logCpm, design, referenceCase.block, second.weights);
  const contrasts = [Float64Array.from(design.columns, (_, at) => Number(at === 1))];
  const blocks = new BlockWhitening(referenceCase.block, again);
  const fit = linearFit(second.logCpm, design, { weights: second.weights, contrasts, blocks });
  const tests = moderatedTests(fit);
  const [tested] = tests.contrasts;
  expect(
    mismatches(
      {
        unweighted: [
          Float64Array.of(consensusCorrelation(first.logCpm, design, referenceCase.block)),
          [referenceCase.unweighted],
          1e-3,
        ],
        correlation: [Float64Array.of(correlation), [referenceCase.correlation], 1e-3],
        'correlation again': [Float64Array.of(again), [referenceCase.again], 1e-3],
        sigma: [fit.sigma, referenceCase.sigma],
        logFC: [tested!.effects, referenceCase.logFC, 1e-3],
        t: [tested!.t, referenceCase.t, 1e-3],
        'P.Value': [tested!.pValues, referenceCase['P.Value']],
        'df.prior': [Float64Array.of(tests.priorDegrees), referenceCase['df.prior']],
      },
      'blocks',
    ),
  ).toEqual([]);
});

test('blocks of one sample, blocks that the design holds and too few samples have no correlation', () => {
  const referenceCase = cases[0]!;
  const design = designOfCase(referenceCase);
  const values = matrixOf(referenceCase.counts, referenceCase.genes);
  const of = (block: (sample: number) => number, one = design, matrix = values) =>
    consensusCorrelation(
      matrix,
      one,
      Array.from({ length: matrix.sampleCount }, (_, at) => block(at)),
    );
  expect(of((sample) => sample)).toBe(0);
  // Each side is a block.
  expect(of((sample) => Math.floor(sample / 12))).toBe(0);
  const few = {
    ...design,
    sampleCount: 4,
    columns: design.columns.map((column) => column.filter((_, at) => at % 6 === 0)),
  };
  expect(of((sample) => sample % 2, few, matrixOf(referenceCase.counts.slice(0, 40), 10))).toBeNaN();
});
