import { describe, expect, test } from 'vitest';
import { readReference } from '../markers/testing/reference.ts';
import { mismatches, type Numbers } from '../pseudobulk/testing/reference.ts';
import { LegacyRandomState } from '../random/legacy-random-state.ts';
import { type CountedCells, testedEnds } from './testing/tested-ends.ts';

interface ChainReference {
  genes: number;
  donor: readonly number[];
  share: number;
  counts: readonly number[];
  values: readonly number[];
  high: readonly number[];
  low: readonly number[];
  kept: readonly number[];
  logFC: Numbers;
  AveExpr: Numbers;
  t: Numbers;
  'P.Value': Numbers;
  'adj.P.Val': Numbers;
}

test('ends of a gene within donors have the sums and the paired tests of edgeR and limma', () => {
  const reference = readReference<ChainReference>(new URL('ends-chain-reference.json', import.meta.url));
  const cells: CountedCells = {
    counts: reference.counts,
    geneCount: reference.genes,
    donors: reference.donor,
    donorCount: Math.max(...reference.donor) + 1,
  };
  const { ends, result, design } = testedEnds(cells, Float64Array.from(reference.values), {
    share: reference.share,
    untested: [0],
  });
  const on = (side: number) => [...ends.sides.keys()].filter((cell) => ends.sides[cell] === side);
  expect(on(0)).toEqual(reference.high);
  expect(on(1)).toEqual(reference.low);
  expect(design.formula).toBe('~ side + donor');
  expect(Array.from(result.genes)).toEqual(reference.kept);
  const [contrast] = result.tests.contrasts;
  const compared = {
    logFC: [contrast!.effects, reference.logFC, 1e-3],
    AveExpr: [result.means, reference.AveExpr],
    t: [contrast!.t, reference.t, 1e-3],
    'P.Value': [contrast!.pValues, reference['P.Value']],
    'adj.P.Val': [contrast!.adjusted, reference['adj.P.Val']],
  } as const;
  expect(mismatches(compared, 'ends')).toEqual([]);
});

const [donorCount, ofDonor, geneCount, planted] = [8, 120, 150, 20];

function simulated(seed: number) {
  const random = new LegacyRandomState(seed);
  const uniform = () => (random.nextUint32() + 0.5) / 2 ** 32;
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const poisson = (rate: number) => {
    let [count, product] = [0, uniform()];
    for (const limit = Math.exp(-rate); product > limit; count++) product *= uniform();
    return count;
  };
  const cellCount = donorCount * ofDonor;
  const donors = Int32Array.from({ length: cellCount }, (_, cell) => cell % donorCount);
  const within = Float64Array.from(donors, normal);
  const ofDonors = Float64Array.from({ length: donorCount }, normal);
  const counts = new Float64Array(geneCount * cellCount);
  for (let gene = 0; gene < geneCount; gene++) {
    const level = 0.5 + 2 * uniform();
    const slope = gene < planted ? (gene % 2 === 0 ? 0.5 : -0.5) : 0;
    const shared = gene >= planted && gene < 3 * planted ? 0.5 : 0;
    const own = Float64Array.from({ length: donorCount }, normal);
    for (let cell = 0; cell < cellCount; cell++) {
      const donor = donors[cell]!;
      const log = slope * within[cell]! + shared * ofDonors[donor]! + 0.3 * own[donor]!;
      counts[gene * cellCount + cell] = poisson(level * Math.exp(log));
    }
  }
  const state = within.map((value, cell) => value + 2 * ofDonors[donors[cell]!]!);
  const chance = within.map(normal);
  return { cells: { counts, geneCount, donors, donorCount }, state, chance };
}

const seeds = [1, 2, 3, 4, 5, 6];
const isPlanted = (gene: number) => gene < planted;

describe('of simulated donors', () => {
  const runSeed = (seed: number, of: 'state' | 'chance') => {
    const { cells, [of]: values } = simulated(seed);
    const { result } = testedEnds(cells, values, { share: 10 });
    const [{ adjusted, effects, pValues }] = result.tests.contrasts as [
      (typeof result.tests.contrasts)[number],
    ];
    const matches = [...result.genes].flatMap((gene, at) =>
      adjusted[at]! < 0.05 ? [{ gene, effect: effects[at]! }] : [],
    );
    const small = pValues.filter((p, at) => p < 0.05 && !isPlanted(result.genes[at]!)).length;
    return { matches, small, tested: result.genes.length };
  };

  test('genes that follow a state within donors are found with their direction, and hardly any others', () => {
    const all = seeds.map((seed) => runSeed(seed, 'state'));
    const significant = all.flatMap((one) => one.matches);
    const right = significant.filter(
      ({ gene, effect }) => isPlanted(gene) && (gene % 2 === 0) === effect > 0,
    );
    expect(right.length / (planted * seeds.length)).toBeGreaterThan(0.9);
    // A twentieth is asked for; that of six simulations is within chance below a tenth.
    expect((significant.length - right.length) / significant.length).toBeLessThan(0.1);
  });

  test('where donors alone differ in what ranks the cells and in genes, these genes are not found', () => {
    const all = seeds.map((seed) => runSeed(seed, 'state'));
    const ofDonors = all.flatMap(({ matches }) =>
      matches.filter(({ gene }) => gene >= planted && gene < 3 * planted),
    );
    expect(ofDonors.length / (2 * planted * seeds.length)).toBeLessThan(0.05);
  });

  test('values by chance find next to nothing, with as many small p-values as chance gives', () => {
    const all = seeds.map((seed) => runSeed(seed, 'chance'));
    const falseOnes = all.reduce((sum, { matches }) => sum + matches.length, 0);
    const tested = all.reduce((sum, one) => sum + one.tested, 0);
    expect(falseOnes / tested).toBeLessThan(0.01);
    const share = all.reduce((sum, { small }) => sum + small, 0) / (tested * (1 - planted / geneCount));
    expect(share).toBeGreaterThan(0.02);
    expect(share).toBeLessThan(0.08);
  });
});
