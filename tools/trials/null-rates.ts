import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CountBlock } from '@cellfolio/model';
import type { BenchCase, BenchContext } from '../../bench/src/bench-context.ts';
import { runForJson, writeArrays } from '../../bench/src/measure/child.ts';
import { mean, percent, type Result } from '../../bench/src/measure/result.ts';
import { hasPackages } from '../../bench/src/python-environment.ts';
import { groupCount, pairCount, simulatedPairs } from './known-truth.ts';
import { calledIn, shareBelow } from './methods.ts';
import { simulatedNeighbourhood, simulatedRanking } from './simulated-cells.ts';
import { simulatedDonors } from './simulated-donors.ts';
import { simulatedShares, testFamilies, type TestedSet } from './test-families.ts';

const seeds = 20;

/** Results of a test, a number for each set. */
interface Found {
  /** Without effect: whether anything was called, and the share of p-values below 5 %. */
  any: number[];
  below: number[];
  /** With effect: what is changed and was called, and what is not among the called. */
  power: number[];
  wrong: number[];
}

/** Every test where there is nothing to find, and where there is. */
export const nullRatesCase: BenchCase = {
  name: 'null-rates',
  title: 'every test in simulated sets without effect, and with one: sets with a call at 5 % FDR, and power',
  async run(context) {
    const count = context.options.repeat ?? seeds;
    const rates = new Map<string, Found>();
    for (const family of testFamilies) {
      const sets = (withEffect: boolean) =>
        Array.from({ length: count }, (_, at) => family(at + 1, withEffect));
      noteSets(rates, sets(false), sets(true));
      context.report(`  ${[...rates.keys()].at(-1)}`);
    }
    for (const [none, some] of await peerSets(context, count)) noteSets(rates, none, some);
    const share = (quantity: string, ours: readonly number[]): Result => ({ quantity, unit: 'share', ours });
    return {
      results: Array.from(rates, ([name, { any, below, power, wrong }]) => [
        share(`${name}: sets with a call, no effect`, [mean(any)]),
        share(`${name}: p below 5 %, no effect`, below),
        share(`${name}: power`, power),
        share(`${name}: false among the called`, wrong),
      ]).flat(),
      notes: Array.from(
        rates,
        ([name, { any, below, power, wrong }]) =>
          `| ${name} | ${any.filter(Boolean).length} of ${count} | ${percent(mean(below))} | ${percent(mean(power))} | ${percent(mean(wrong))} |`,
      ),
    };
  },
};

function noteSets(rates: Map<string, Found>, none: readonly TestedSet[], some: readonly TestedSet[]): void {
  const of = (name: string): Found => {
    const own = rates.get(name) ?? { any: [], below: [], power: [], wrong: [] };
    rates.set(name, own);
    return own;
  };
  for (const { tests } of none) {
    for (const [name, tested] of tests) {
      of(name).any.push(Number(calledIn(tested).length > 0));
      of(name).below.push(shareBelow(tested));
    }
  }
  for (const { tests, changed } of some) {
    for (const [name, tested] of tests) {
      const rows = calledIn(tested);
      const right = rows.filter((row) => changed[row]).length;
      of(name).power.push(right / changed.filter(Boolean).length);
      of(name).wrong.push((rows.length - right) / Math.max(1, rows.length));
    }
  }
}

const besideThis = (name: string) => join(import.meta.dirname, name);

interface PeerTest {
  pValues: readonly (number | null)[];
  adjusted: readonly (number | null)[];
}

/** The sets of seeds from 1 on by limma and edgeR in R and by what the peer's Python has: those without effect, and those with one. */
async function peerSets(
  { scratch, python, peer, report }: BenchContext,
  count: number,
): Promise<readonly (readonly [TestedSet[], TestedSet[]])[]> {
  const folder = join(scratch, 'null-rates');
  await mkdir(folder, { recursive: true });
  const donors = await Promise.all(setsOf(count).map((one) => writeDonors(folder, one)));
  const cells = await Promise.all(setsOf(count).map((one) => writeNeighbourhood(folder, one)));
  const rankings = await Promise.all(setsOf(count).map((one) => writeRanking(folder, one)));
  const shares = await Promise.all(setsOf(count).map((one) => writeShares(folder, one)));
  const pairs = await Promise.all(setsOf(count).map((one) => writePairs(folder, one)));
  const hasR = peer && hasPackages('Rscript', ['edgeR', 'jsonlite']);
  const runs = [
    ...(hasR
      ? [donors, shares].map((sets) => ({
          program: 'Rscript',
          script: besideThis('null_rates_peer.R'),
          sets,
        }))
      : []),
    ...(python
      ? [donors, cells, rankings, pairs].map((sets) => ({
          program: python,
          script: besideThis('null_rates_peer.py'),
          sets,
        }))
      : []),
  ];
  const rates: [TestedSet[], TestedSet[]][] = [];
  for (const { program, script, sets } of runs) {
    report(`  ${script}`);
    const names = sets.map(({ name }) => name);
    const answers = (await runForJson(program, [script, folder, ...names])) as Record<string, PeerTest>[];
    const all = answers.map((tests, at): TestedSet => ({
      changed: sets[at]!.changed,
      tests: new Map(Object.entries(tests).map(([name, test]) => [`${name}, reference`, numbersOf(test)])),
    }));
    rates.push([all.slice(0, count), all.slice(count)]);
  }
  return rates;
}

interface PeerSet {
  name: string;
  changed: readonly boolean[];
}

interface ChosenSet {
  seed: number;
  withEffect: boolean;
}

/** Sets without an effect come first. */
function setsOf(count: number): ChosenSet[] {
  return [false, true].flatMap((withEffect) =>
    Array.from({ length: count }, (_, at) => ({ seed: at + 1, withEffect })),
  );
}

async function writeDonors(folder: string, { seed, withEffect }: ChosenSet): Promise<PeerSet> {
  const { counts, donors, effects, perSide } = simulatedDonors(seed, withEffect);
  const name = `donors-${seed}-${withEffect}`;
  await writeCounts(join(folder, name), counts, Int32Array.from(donors), 2 * perSide);
  return { name, changed: Array.from(effects, (effect) => effect !== 0) };
}

async function writeNeighbourhood(folder: string, { seed, withEffect }: ChosenSet): Promise<PeerSet> {
  const { counts, points, changed } = simulatedNeighbourhood(seed, withEffect);
  const name = `cells-${seed}-${withEffect}`;
  await writeCounts(join(folder, name), counts, new Int32Array(counts.cellCount), 1);
  await writeArrays(join(folder, `${name}.points`), [points]);
  return { name, changed };
}

async function writeRanking(folder: string, { seed, withEffect }: ChosenSet): Promise<PeerSet> {
  const { metric, sets, changed } = simulatedRanking(seed, withEffect);
  const name = `ranking-${seed}-${withEffect}`;
  await writeFile(join(folder, `${name}.json`), JSON.stringify({ seed, metric: Array.from(metric), sets }));
  return { name, changed };
}

async function writeShares(folder: string, { seed, withEffect }: ChosenSet): Promise<PeerSet> {
  const { values, typeCount, sampleCount, changed } = simulatedShares(seed, withEffect);
  const name = `shares-${seed}-${withEffect}`;
  await writeArrays(join(folder, `${name}.shares`), [Int32Array.of(typeCount, sampleCount, ...values)]);
  return { name, changed };
}

/** Interactions are in the order of their pairs, then of the groups of the ligand, then of those of the receptor. */
async function writePairs(folder: string, { seed, withEffect }: ChosenSet): Promise<PeerSet> {
  const { genes, labels, isPlanted } = simulatedPairs(seed, withEffect);
  const name = `pairs-${seed}-${withEffect}`;
  const values = genes.map((gene) => Array.from(gene));
  await writeFile(join(folder, `${name}.json`), JSON.stringify({ seed, values, labels: Array.from(labels) }));
  const changed = Array.from({ length: pairCount * groupCount ** 2 }, (_, at) => {
    const [pair, groups] = [Math.floor(at / groupCount ** 2), at % groupCount ** 2];
    return isPlanted({ pair, source: Math.floor(groups / groupCount), target: groups % groupCount });
  });
  return { name, changed };
}

async function writeCounts(
  file: string,
  { starts, cells, values, cellCount }: CountBlock,
  samples: Int32Array,
  sampleCount: number,
): Promise<void> {
  const size = [starts.length - 1, cellCount, cells.length, sampleCount];
  const parts = [size, starts, cells, values, samples].map((part) => Int32Array.from(part));
  await writeArrays(`${file}.counts`, parts);
}

function numbersOf({ pValues, adjusted }: PeerTest) {
  const numbers = (values: readonly (number | null)[]) =>
    Float64Array.from(values, (value) => value ?? Number.NaN);
  return { pValues: numbers(pValues), adjusted: numbers(adjusted) };
}
