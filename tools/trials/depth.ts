import {
  blockStatistics,
  cellGroups,
  checkedPart,
  type GroupRanking,
  keptShares,
  rankGenes,
  sampleChecks,
  sampleSizes,
  SampleSums,
  setDepths,
  thinnedValues,
  writeKept,
} from '@cellfolio/analysis';
import { comparisonParameters } from '@cellfolio/analysis/parameters';
import type { CategoricalColumn, GeneBlock } from '@cellfolio/model';
import type { BenchCase } from '../../bench/src/bench-context.ts';
import { simulatedDepth, type SimulatedDepth } from './simulated-depth.ts';
import { geneCount } from './simulated-donors.ts';
import type { Result } from '../../bench/src/measure/result.ts';

const seeds = 20;
const rate = 0.05;
/** Shares of its counts that a cell of A keeps. */
const shares = [1, 0.8, 0.67, 0.33, 0.15];
/** Genes that are looked at again with samples as replicates. */
const listed = 500;

/** Genes that differ because one side has fewer counts, and what the check of samples and thinning leave of them. */
export const depthCase: BenchCase = {
  name: 'depth',
  title:
    'eight simulated donors whose cells do not differ, one side sequenced less deeply: cells, checks, thinned',
  run({ options, report }) {
    const count = options.repeat ?? seeds;
    const results = new Map<string, { unit: Result['unit']; ours: number[] }>();
    const note = (quantity: string, value: number, unit: Result['unit'] = 'genes') => {
      const result = results.get(quantity) ?? { unit, ours: [] };
      result.ours.push(value);
      results.set(quantity, result);
    };
    for (let seed = 1; seed <= count; seed++) {
      for (const share of shares) {
        for (const isBetween of [false, true]) {
          const of = `${Math.round(100 * share)} %, ${isBetween ? 'four donors a side' : 'donors on both sides'}`;
          const set = simulatedDepth(seed, { share, withEffect: false, isBetween });
          const asMeasured = ranked(set, set.values);
          const called = calledIn(asMeasured);
          note(`${of}: called`, called.length);
          if (called.length > 0) {
            const lower = called.filter((gene) => asMeasured.logfoldchanges[gene]! < 0).length;
            note(`${of}: of these lower in A`, lower / called.length, 'share');
          }
          const first = called.slice(0, listed);
          note(`${of}: hold by means of values`, checked(set, asMeasured, first, false).kept);
          note(`${of}: hold by counts`, checked(set, asMeasured, first, true).kept);
          note(
            `${of}: hold by means of values, adjusted`,
            checked(set, asMeasured, first, false).keptAdjusted,
          );
          note(`${of}: hold by counts, adjusted`, checked(set, asMeasured, first, true).keptAdjusted);
          note(`${of}: called at equal depth`, calledIn(ranked(set, thinned(set))).length);
        }
        const set = simulatedDepth(seed, { share, withEffect: true, isBetween: false });
        for (const [name, values] of [
          ['as measured', set.values],
          ['at equal depth', thinned(set)],
        ] as const) {
          const ranking = ranked(set, values);
          const called = calledIn(ranking);
          const right = called.filter(
            (gene) => set.changes[gene] === Math.sign(ranking.logfoldchanges[gene]!),
          ).length;
          const changed = set.changes.filter((change) => change !== 0).length;
          note(`${Math.round(100 * share)} %, a tenth changed, ${name}: found`, right / changed, 'share');
          note(
            `${Math.round(100 * share)} %, a tenth changed, ${name}: false among called`,
            (called.length - right) / Math.max(1, called.length),
            'share',
          );
        }
      }
      report(`  ${seed} of ${count} seeds`);
    }
    return Promise.resolve({
      results: Array.from(results, ([quantity, result]): Result => ({ quantity, ...result })),
      notes: [],
    });
  },
};

const column = (codes: Int8Array, categories: readonly string[]): CategoricalColumn => ({
  kind: 'categorical',
  codes,
  categories,
  categoryType: 'string',
  ordered: false,
});
const groupsOf = ({ sides }: SimulatedDepth) => cellGroups(column(sides, ['A', 'B']));

/** A against B by the defaults of a comparison. */
function ranked(set: SimulatedDepth, values: GeneBlock): GroupRanking {
  const groups = groupsOf(set);
  const statistics = blockStatistics(values, groups, 'wilcoxon');
  const { tie_correct, pseudocount } = comparisonParameters.shape;
  const test = { tieCorrect: tie_correct.parse(undefined), pseudocount: pseudocount.parse(undefined) };
  return rankGenes([statistics], groups, { method: 'wilcoxon', ...test }).rank(0);
}

/** The surest first. */
function calledIn({ pvals, pvals_adj: adjusted }: GroupRanking): number[] {
  const genes = [...adjusted.keys()].filter((gene) => adjusted[gene]! < rate);
  return genes.toSorted((one, other) => pvals[one]! - pvals[other]!);
}

/** As a comparison checks its genes. */
function checked(
  set: SimulatedDepth,
  { logfoldchanges }: GroupRanking,
  genes: readonly number[],
  byCounts: boolean,
) {
  const groups = groupsOf(set);
  const donors = column(
    set.donors,
    Array.from({ length: 8 }, (_, donor) => `donor ${donor + 1}`),
  );
  const markers = genes.map((row) => ({ row, group: 0 }));
  const sumsOf = ({ starts, cells, values }: GeneBlock) => {
    const sums = new SampleSums(groups, donors, markers);
    sums.rows.forEach((row, place) =>
      sums.add(
        place,
        cells.subarray(starts[row], starts[row + 1]),
        values.subarray(starts[row], starts[row + 1]),
      ),
    );
    return sums;
  };
  const counted = byCounts
    ? { sums: sumsOf(set.counts), sizes: sampleSizes(groups, donors, set.totals) }
    : undefined;
  const rising = genes.map((gene) => logfoldchanges[gene]! > 0);
  return sampleChecks(
    [checkedPart({ groups, sums: sumsOf(set.values), markers, rising, counted })],
    geneCount,
  );
}

function thinned({ counts, totals, sides }: SimulatedDepth): GeneBlock {
  const sets = { codes: Uint16Array.from(sides), setCount: 2 };
  const kept = new Float64Array(totals.length).fill(1);
  writeKept(keptShares(setDepths(totals, sets)), sets, kept);
  return thinnedValues(counts, { totals, kept });
}
