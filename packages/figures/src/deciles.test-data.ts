import { endHistogram, valueEnds } from '@cellfolio/analysis';
import type { EndsInput } from './decile-input.ts';
import { seeded } from './mixture.test-data.ts';

export function endsOf(cellCount: number, zeros: number): EndsInput {
  const uniform = seeded(cellCount + Math.round(100 * zeros));
  const values = Float64Array.from({ length: cellCount }, () =>
    uniform() < zeros ? 0 : Math.log1p(-3 * Math.log(uniform() + 1e-9)),
  );
  const codes = Int32Array.from(values, (_, cell) => cell % 4);
  const ends = valueEnds({ values, samples: { codes, count: 4 } }, { share: 10, minCells: 5 });
  const count = (side: 'high' | 'low') => {
    const cells = ends.samples.reduce((sum, sample) => sum + sample[side].cells, 0);
    const tied = ends.samples.reduce(
      (sum, sample) => sum + (sample[side].tied > 1 ? sample[side].tied : 0),
      0,
    );
    return { cells, share: cells / cellCount, tied };
  };
  return {
    title: zeros > 0 ? 'CD8A' : 'Cytotoxicity',
    share: 10,
    samples: { column: 'donor', count: 4 },
    sides: ends.sides,
    high: count('high'),
    low: count('low'),
    histogram: endHistogram(values, ends),
  };
}
