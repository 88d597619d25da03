import { pseudobulkSamples, pseudobulkSums } from '../../pseudobulk/pseudobulk-sums.ts';
import { pseudobulkTest } from '../../pseudobulk/pseudobulk-test.ts';
import { sideDesign } from '../../pseudobulk/side-design.ts';
import { valueEnds, type ValueEnds } from '../value-ends.ts';

export interface CountedCells {
  counts: ArrayLike<number>;
  geneCount: number;
  donors: ArrayLike<number>;
  donorCount: number;
}

/** Ends of values within donors, and the paired test of their count sums; `untested` genes are ignored. */
export function testedEnds(
  { counts, geneCount, donors, donorCount }: CountedCells,
  values: Float64Array,
  { share, untested = [] }: { share: number; untested?: readonly number[] },
) {
  const cellCount = donors.length;
  const ends = valueEnds({ values, samples: { codes: donors, count: donorCount } }, { share, minCells: 10 });
  const categories = Array.from({ length: donorCount }, (_, donor) => `D${donor}`);
  const samples = pseudobulkSamples(
    { codes: Int32Array.from(donors), categories },
    { codes: Int32Array.from(ends.sides, (side) => (side > 1 ? -1 : side)), categories: ['high', 'low'] },
    { minCells: 10 },
  );
  const block = {
    cellCount,
    firstGene: 0,
    starts: Float64Array.from({ length: geneCount + 1 }, (_, gene) => gene * cellCount),
    cells: Int32Array.from({ length: geneCount * cellCount }, (_, at) => at % cellCount),
    values: Float32Array.from({ length: geneCount * cellCount }, (_, at) =>
      untested.includes(Math.floor(at / cellCount)) ? 0 : counts[at]!,
    ),
  };
  const outcome = sideDesign({
    samples: {
      kind: 'categorical',
      name: 'donor',
      categories,
      codes: Int32Array.from(samples.sums, ({ sample }) => sample),
    },
    sides: samples.sums.map(({ group }) => group),
    covariates: [],
    pairing: 'by-sample',
  });
  if ('refusal' in outcome) throw new Error(outcome.refusal.code);
  const { design, contrast } = outcome.design;
  const answer = pseudobulkTest(pseudobulkSums(block, samples), design, [contrast]);
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  return { ends: ends as ValueEnds, result: answer.result, design: outcome.design };
}
