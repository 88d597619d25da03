import {
  adjustedPresent,
  multilevelGroups,
  multilevelPValues,
  type PermutationTests,
  type Permutations,
  SeededShuffle,
} from '@cellfolio/analysis';
import type { RankedEnrichmentParameters } from '@cellfolio/analysis/parameters';
import { runAll, type CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { DrawTask, PermuteTask, RankedLibrary, SplitTask, TestTask } from './tasks.ts';

/** One number per set. */
export interface SetTests {
  normalised: Float64Array;
  /** NaN when there are too few permutations of the sign. */
  pValues: Float64Array;
  falseDiscoveryRates: Float64Array;
  /** NaN for a multilevel split, which has none. */
  familyWise: Float64Array;
  /** Permuted scores with the sign of the score, the denominator of the p-value; absent for a multilevel split. */
  sameSign?: PermutationTests['sameSign'];
  /** Standard errors of log2 of the multilevel p-values; absent for permutations. */
  log2Errors?: Float64Array;
}

type TestParameters = Pick<RankedEnrichmentParameters, 'method' | 'permutations' | 'seed'>;

/** Permutations held at once: two bytes per gene each. */
const atOnce = 1000;
/** Genes of sets in all permutations of a task: about 50 ms of work. */
const genesOfTask = 8_000_000;

/**
 * Tests sets by permutations of the genes, and if requested uses a multilevel split for p-values that permutations do
 * not reach.
 */
export async function testSets(
  compute: Compute,
  ranked: RankedLibrary,
  parameters: TestParameters,
  call: CallContext,
): Promise<SetTests> {
  const { scores, starts } = ranked;
  const { permutations, seed } = parameters;
  const permuted = await permute(compute, ranked, parameters, call);
  const tests: PermutationTests = await compute.run<TestTask>(
    { kind: 'test-permutations', isLong: true, scores, permuted, permutations },
    call,
  );
  if (parameters.method === 'permutation') return tests;
  const sizes = Int32Array.from(scores, (_, set) => starts[set + 1]! - starts[set]!);
  const groups = multilevelGroups(scores, sizes, tests, permutations);
  const tails = await runAll<SplitTask>(
    compute,
    groups.map((group) => {
      const { weights } = ranked;
      return { kind: 'split-sets', isLong: true, weights, scores, group, seed } as const;
    }),
    'Finding small p-values',
    call,
  );
  const { pValues, log2Errors } = multilevelPValues(tests, permutations, groups, tails);
  return {
    normalised: tests.normalised,
    pValues,
    log2Errors,
    falseDiscoveryRates: adjustedPresent(pValues),
    familyWise: new Float64Array(pValues.length).fill(Number.NaN),
  };
}

async function permute(
  compute: Compute,
  { weights, starts, places }: RankedLibrary,
  { permutations: all, seed }: TestParameters,
  call: CallContext,
): Promise<Float64Array[]> {
  const blocks = blocksOf(starts, Math.min(all, atOnce)).map(([from, to]) => ({
    starts: starts.slice(from, to + 1),
    scores: new Float64Array(new SharedArrayBuffer(8 * (to - from) * all)),
  }));
  let state = SeededShuffle.of(seed, weights.length).state;
  for (let first = 0; first < all; first += atOnce) {
    const count = Math.min(atOnce, all - first);
    call.onProgress({ stage: 'Permuting the genes', done: first, total: all });
    // One after the other: each permutation goes on from the one before.
    // oxlint-disable-next-line no-await-in-loop
    const batch: { permutations: Permutations; state: typeof state } = await compute.run<DrawTask>(
      { kind: 'draw-permutations', isLong: true, start: state, count },
      call,
    );
    state = batch.state;
    const tasks = blocks.map((block): PermuteTask => ({
      kind: 'permute-sets',
      isLong: true,
      weights,
      sets: { starts: block.starts, places },
      permutations: batch.permutations,
      into: { scores: block.scores, permutations: all, from: first },
    }));
    const stage =
      all <= atOnce
        ? 'Testing the sets'
        : `Testing the sets, permutations from ${(first + 1).toLocaleString('en')}`;
    // oxlint-disable-next-line no-await-in-loop
    await runAll<PermuteTask>(compute, tasks, stage, call);
  }
  return blocks.map(({ scores }) => scores);
}

/** Ranges [from, to) of sets with enough genes for a task. */
function blocksOf(starts: Int32Array, permutations: number): [number, number][] {
  const blockSize = Math.max(1, Math.floor(genesOfTask / permutations));
  const blocks: [number, number][] = [];
  let from = 0;
  for (let set = 1; set < starts.length; set++) {
    if (starts[set]! - starts[from]! < blockSize && set < starts.length - 1) continue;
    blocks.push([from, set]);
    from = set;
  }
  return blocks;
}
