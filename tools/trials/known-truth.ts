import type { BenchCase } from '../../bench/src/bench-context.ts';
import { decilesTrial } from './deciles-trial.ts';
import { gradientTrial } from './gradient-trial.ts';
import { modulesTrial } from './modules-trial.ts';
import { pairsTrial } from './pairs-trial.ts';
import { trajectoryTrial } from './trajectory-trial.ts';
import type { Tally, Trial } from './trial.ts';
import { typesTrial } from './types-trial.ts';
import type { Result } from '../../bench/src/measure/result.ts';

const seeds = 20;
const trials: readonly Trial[] = [
  trajectoryTrial,
  gradientTrial,
  pairsTrial,
  decilesTrial,
  modulesTrial,
  typesTrial,
];

export const knownTruthCase: BenchCase = {
  name: 'known-truth',
  title: 'simulated data of a known truth: how often it is found, and how often found where there is nothing',
  run({ options, report }) {
    const count = options.repeat ?? seeds;
    const results: Result[] = [];
    const notes = [`${count} seeds`];
    for (const { name, planted, nothing, run } of trials) {
      report(`  ${name}`);
      const runs = Array.from({ length: count }, (_, at) => run(at + 1));
      const of = (which: 'planted' | 'nothing') => summed(runs.map((one) => one[which]));
      const [hits, wrong] = [of('planted'), of('nothing')];
      results.push(
        { quantity: `${name}: found`, unit: 'share', ours: [hits.found / hits.of] },
        { quantity: `${name}: found where nothing is`, unit: 'share', ours: [wrong.found / wrong.of] },
      );
      notes.push(`${name}: ${hits.found} of ${hits.of} ${planted}; ${wrong.found} of ${wrong.of} ${nothing}`);
    }
    return Promise.resolve({ results, notes });
  },
};

function summed(tallies: readonly Tally[]): Tally {
  return tallies.reduce((sum, { found, of }) => ({ found: sum.found + found, of: sum.of + of }), {
    found: 0,
    of: 0,
  });
}
