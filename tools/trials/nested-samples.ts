import { pseudobulkTest, type SampleUnits, unitsOfSamples } from '@cellfolio/analysis';
import type { BenchCase } from '../../bench/src/bench-context.ts';
import { throwIfRefused } from '../../bench/src/cases/sums.ts';
import { percent } from '../../bench/src/measure/result.ts';
import { calledIn, conditionSums, ofAllGenes, shareBelow, type Tested } from './methods.ts';
import { geneCount, simulatedDonors } from './simulated-donors.ts';

const seeds = 20;
const mice = 6;
const lanes = 4;

export const nestedSamplesCase: BenchCase = {
  name: 'nested-samples',
  title: 'four lanes of each of 3 + 3 simulated mice that do not differ: lanes as replicates, and mice',
  run({ options, report }) {
    const count = options.repeat ?? seeds;
    const outcomes = [lanesAsReplicates, lanesOfMice, chosenReplicates].map((test) => ({
      test,
      called: [] as number[],
      below: [] as number[],
    }));
    const usedColumns = new Set<string>();
    for (let seed = 1; seed <= count; seed++) {
      const data = nestedMice(seed);
      for (const one of outcomes) {
        const { column, adjusted, pValues } = one.test(data);
        if (one.test === chosenReplicates) usedColumns.add(column);
        one.called.push(calledIn({ adjusted }).length);
        one.below.push(shareBelow({ pValues }));
      }
      report(
        `  ${seed} of ${count} seeds: ${outcomes.map(({ called }) => called.at(-1)).join(' and ')} genes`,
      );
    }
    const names = [
      'Lanes as replicates',
      'Lanes, random effect of mice',
      `Chosen replicates (${[...usedColumns].join(', ')})`,
    ];
    return {
      results: outcomes.flatMap(({ called, below }, at) => [
        {
          quantity: `${names[at]}: false genes`,
          unit: 'share',
          ours: called.map((genes) => genes / geneCount),
        },
        {
          quantity: `${names[at]}: p below 5 %`,
          unit: 'share',
          ours: below,
          target: at === 2 ? ({ kind: 'median-at-most', limit: 0.06 } as const) : undefined,
        },
      ]),
      notes: outcomes.map(
        ({ called, below }, at) =>
          `${names[at]}: ${Math.min(...called)} to ${Math.max(...called)} of ${geneCount} genes called, in ` +
          `${called.filter((genes) => genes > 0).length} of ${count} sets; p below 5 % for ` +
          `${percent(Math.min(...below))} to ${percent(Math.max(...below))}`,
      ),
    };
  },
};

interface NestedMice {
  counts: ReturnType<typeof simulatedDonors>['counts'];
  columns: Readonly<Record<'sample' | 'mouse', { codes: Int8Array; categories: readonly string[] }>>;
}

function nestedMice(seed: number): NestedMice {
  const { counts, donors } = simulatedDonors(seed, false, {
    perSide: mice / 2,
    isPaired: false,
    times: lanes,
  });
  const names = (length: number, noun: string) => Array.from({ length }, (_, at) => `${noun} ${at + 1}`);
  return {
    counts,
    columns: {
      sample: {
        codes: donors.map((mouse, cell) => mouse * lanes + (cell % lanes)),
        categories: names(mice * lanes, 'lane'),
      },
      mouse: { codes: donors, categories: names(mice, 'mouse') },
    },
  };
}

type Answer = Tested & { column: string };

function lanesAsReplicates(data: NestedMice): Answer {
  return tested(data, 'sample', { isTreatedSample: isTreatedLane });
}

/** As in an analysis with `random_effect`. */
function lanesOfMice(data: NestedMice): Answer {
  return tested(data, 'sample', { isTreatedSample: isTreatedLane, blockOf: mouseOf });
}

const mouseOf = (lane: number) => Math.floor(lane / lanes);
const isTreatedMouse = (mouse: number) => mouse >= mice / 2;
const isTreatedLane = (lane: number) => isTreatedMouse(mouseOf(lane));

/** Uses the replicate column that an analysis chooses if `sample` is given. */
function chosenReplicates(data: NestedMice): Answer {
  const { sample, mouse } = data.columns;
  const units: SampleUnits | undefined = unitsOfSamples(sample, 'mouse', mouse);
  if (units?.name !== 'individual') return lanesAsReplicates(data);
  return tested(data, 'mouse', { isTreatedSample: isTreatedMouse });
}

interface TestedSamples {
  isTreatedSample: (sample: number) => boolean;
  blockOf?: (sample: number) => number;
}

function tested(
  { counts, columns }: NestedMice,
  column: 'sample' | 'mouse',
  { isTreatedSample, blockOf }: TestedSamples,
): Answer {
  const { samples, sums, design, contrasts } = conditionSums(counts, columns[column], {
    isTreated: isTreatedSample,
  });
  const blocks = blockOf && samples.sums.map(({ sample }) => blockOf(sample));
  const isRandom = blocks !== undefined;
  const { result } = throwIfRefused(pseudobulkTest(sums, design, contrasts, { blocks, isRandom }));
  return { column, ...ofAllGenes(result.genes, result.tests.contrasts[0]!) };
}
