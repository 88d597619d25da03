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
import type { GeneBlock } from '@cellfolio/model';
import type { BenchCase } from '../../bench/src/bench-context.ts';
import { categorical } from '../../bench/src/data/generated-file.ts';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { collectResults, type Unit } from '../../bench/src/measure/result.ts';
import { calledIn } from './methods.ts';
import { geneCount, logNormalised, simulatedDonors } from './simulated-donors.ts';

const seeds = 20;
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
    const results = collectResults();
    const note = (quantity: string, value: number, unit: Unit = 'genes') =>
      results.add(quantity, unit, value);
    for (let seed = 1; seed <= count; seed++) {
      for (const share of shares) {
        for (const isBetween of [false, true]) {
          const of = `${Math.round(100 * share)} %, ${isBetween ? 'four donors a side' : 'donors on both sides'}`;
          const set = simulatedDepth(seed, { share, withEffect: false, isBetween });
          const asMeasured = ranked(set, set.values);
          const called = surestFirst(asMeasured);
          note(`${of}: called`, called.length);
          if (called.length > 0) {
            const lower = called.filter((gene) => asMeasured.logfoldchanges[gene]! < 0).length;
            note(`${of}: of these lower in A`, lower / called.length, 'share');
          }
          const first = called.slice(0, listed);
          note(`${of}: hold by means of values`, checked(set, asMeasured, first, false).confirmed);
          note(`${of}: hold by counts`, checked(set, asMeasured, first, true).confirmed);
          note(
            `${of}: hold by means of values, adjusted`,
            checked(set, asMeasured, first, false).confirmedAdjusted,
          );
          note(`${of}: hold by counts, adjusted`, checked(set, asMeasured, first, true).confirmedAdjusted);
          note(`${of}: called at equal depth`, surestFirst(ranked(set, thinned(set))).length);
        }
        const set = simulatedDepth(seed, { share, withEffect: true, isBetween: false });
        for (const [name, values] of [
          ['as measured', set.values],
          ['at equal depth', thinned(set)],
        ] as const) {
          const ranking = ranked(set, values);
          const called = surestFirst(ranking);
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
    return { results: results.list(), notes: [] };
  },
};

const groupsOf = ({ sides }: SimulatedDepth) => cellGroups(categorical(sides, ['A', 'B']));

/** A against B by the defaults of a comparison. */
function ranked(set: SimulatedDepth, values: GeneBlock): GroupRanking {
  const groups = groupsOf(set);
  const statistics = blockStatistics(values, groups, 'wilcoxon');
  const { tie_correct, pseudocount } = comparisonParameters.shape;
  const test = { tieCorrect: tie_correct.parse(undefined), pseudocount: pseudocount.parse(undefined) };
  return rankGenes([statistics], groups, { method: 'wilcoxon', ...test }).rank(0);
}

/** The surest first. */
function surestFirst({ pvals, pvals_adj: adjusted }: GroupRanking): number[] {
  return calledIn({ adjusted }).toSorted((one, other) => pvals[one]! - pvals[other]!);
}

/** As a comparison checks its genes. */
function checked(
  set: SimulatedDepth,
  { logfoldchanges }: GroupRanking,
  genes: readonly number[],
  byCounts: boolean,
) {
  const groups = groupsOf(set);
  const donors = categorical(
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
  const chances = new Float64Array(totals.length).fill(1);
  writeKept(keptShares(setDepths(totals, sets)), sets, chances);
  return thinnedValues(counts, { totals, chances });
}

interface DepthDesign {
  /** Share of its counts that a cell of A keeps. */
  share: number;
  withEffect: boolean;
  /** Whether A and B are of four donors each; else each of eight donors has cells on both sides. */
  isBetween: boolean;
}

/** Cells of eight donors on two sides, of which A was sequenced less deeply. */
interface SimulatedDepth {
  counts: GeneBlock;
  /** ln(1 + 10,000 × count / counts of the cell). */
  values: GeneBlock;
  /** Counts of each cell. */
  totals: Float64Array;
  /** 0 in A, 1 in B. */
  sides: Int8Array;
  donors: Int8Array;
  /** 1 where A has more, -1 where B has, 0 for most genes. */
  changes: Int8Array;
}

const changedShare = 0.1;
/** One side of a changed gene keeps this part of its counts: a fold change of 2.3. */
const changedTo = 1 / 2.3;

/** Thins cells of donors that do not differ; a changed gene is thinned once more on one side. */
function simulatedDepth(seed: number, { share, withEffect, isBetween }: DepthDesign): SimulatedDepth {
  const { counts, donors } = simulatedDonors(seed, false, { perSide: 4, isPaired: false, times: 2 });
  const bits = new SeededBits(1000 + seed);
  const sides = donors.map((donor, cell) => (isBetween ? Number(donor >= 4) : cell % 2));
  const changes = Int8Array.from({ length: geneCount }, () => {
    const [chosen, sign] = [bits.uniform(), bits.uniform()];
    return !withEffect || chosen >= changedShare ? 0 : sign < 0.5 ? 1 : -1;
  });
  const totals = new Float64Array(donors.length);
  const left = new Float32Array(counts.values.length);
  for (let gene = 0; gene < geneCount; gene++) {
    const lowerSide = changes[gene] === 0 ? -1 : changes[gene] === 1 ? 1 : 0;
    for (let at = counts.starts[gene]!; at < counts.starts[gene + 1]!; at++) {
      const cell = counts.cells[at]!;
      const side = sides[cell]!;
      const chance = (side === 0 ? share : 1) * (side === lowerSide ? changedTo : 1);
      left[at] = chance === 1 ? counts.values[at]! : binomial(bits, counts.values[at]!, chance);
      totals[cell]! += left[at]!;
    }
  }
  const thinned = { ...counts, values: left };
  return {
    counts: thinned,
    values: logNormalised(thinned, totals),
    totals,
    sides,
    donors,
    changes,
  };
}

function binomial(bits: SeededBits, count: number, chance: number): number {
  let left = 0;
  for (let one = 0; one < count; one++) if (bits.uniform() < chance) left++;
  return left;
}
