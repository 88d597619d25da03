import { groupCount, simulatedTypes, suggested, types } from '../../bench/src/cases/cell-types-case.ts';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { tally, type Trial } from './trial.ts';

const size = { cellCount: 600, geneCount: 1200, density: 0.08 };

export const typesTrial: Trial = {
  name: 'cell types',
  planted: 'groups whose type is suggested',
  nothing: 'groups for which a type of genes by chance is suggested',
  run(seed) {
    const data = simulatedTypes(size, seed);
    const bits = new SeededBits(seed + 1000);
    const byChance = types.map(({ type, rows, weights, missing }) => ({
      type,
      rows: rows.map(() => Math.floor(size.geneCount * bits.uniform())),
      weights,
      missing,
    }));
    const [suggestions, nothing] = [suggested(data), suggested(data, byChance)];
    const groups = [...Array(groupCount).keys()];
    return {
      planted: tally(groups, (group) => suggestions.best[group] === group),
      nothing: tally(groups, (group) => nothing.best[group]! >= 0),
    };
  },
};
