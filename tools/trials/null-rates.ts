import type { BenchCase } from '../../bench/src/bench-context.ts';
import type { Tested } from './methods.ts';
import { peerSets } from './peer-tests.ts';
import { testFamilies, type TestedSet } from './test-families.ts';
import type { Result } from '../../bench/src/measure/result.ts';

const seeds = 20;
const rate = 0.05;

/** Results of a test, a number for each set. */
interface Found {
  /** Without effect: whether anything was called, and the share of p-values below 5 %. */
  readonly any: number[];
  readonly below: number[];
  /** With effect: what is changed and was called, and what is not among the called. */
  readonly power: number[];
  readonly wrong: number[];
}

/** Every test where there is nothing to find, and where there is. */
export const nullRatesCase: BenchCase = {
  name: 'null-rates',
  title: 'every test in simulated sets without effect, and with one: sets with a call at 5 % FDR, and power',
  async run(context) {
    const count = context.options.repeat ?? seeds;
    const found = new Map<string, Found>();
    for (const family of testFamilies) {
      const sets = (withEffect: boolean) =>
        Array.from({ length: count }, (_, at) => family(at + 1, withEffect));
      noteSets(found, sets(false), sets(true));
      context.report(`  ${[...found.keys()].at(-1)}`);
    }
    for (const [none, some] of await peerSets(context, count)) noteSets(found, none, some);
    const share = (quantity: string, ours: readonly number[]): Result => ({ quantity, unit: 'share', ours });
    return {
      results: Array.from(found, ([name, { any, below, power, wrong }]) => [
        share(`${name}: sets with a call, no effect`, [mean(any)]),
        share(`${name}: p below 5 %, no effect`, below),
        share(`${name}: power`, power),
        share(`${name}: false among the called`, wrong),
      ]).flat(),
      notes: Array.from(
        found,
        ([name, { any, below, power, wrong }]) =>
          `| ${name} | ${any.filter(Boolean).length} of ${count} | ${percent(mean(below))} | ${percent(mean(power))} | ${percent(mean(wrong))} |`,
      ),
    };
  },
};

function noteSets(found: Map<string, Found>, none: readonly TestedSet[], some: readonly TestedSet[]): void {
  const of = (name: string): Found => {
    const own = found.get(name) ?? { any: [], below: [], power: [], wrong: [] };
    found.set(name, own);
    return own;
  };
  for (const { tests } of none) {
    for (const [name, tested] of tests) {
      const ps = tested.pValues.filter((p) => !Number.isNaN(p));
      of(name).any.push(Number(called(tested).length > 0));
      of(name).below.push(ps.filter((p) => p < rate).length / ps.length);
    }
  }
  for (const { tests, changed } of some) {
    for (const [name, tested] of tests) {
      const rows = called(tested);
      const right = rows.filter((row) => changed[row]).length;
      of(name).power.push(right / changed.filter(Boolean).length);
      of(name).wrong.push((rows.length - right) / Math.max(1, rows.length));
    }
  }
}

function called({ adjusted }: Tested): number[] {
  return Array.from(adjusted.keys()).filter((row) => adjusted[row]! < rate);
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
