import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import { decodeNumbers } from '../hdf5/decode-elements.ts';
import type { MatrixLayout } from '../layout/matrix-layout.ts';
import { areCounts, emptyStatistics, observe, type ValueStatistics } from '../transpose/value-statistics.ts';

const PLACES = 8;
const VALUES_A_PLACE = 16_384;

/** What values look like. `linear`: not negative, not whole, and too large for logarithms. */
export type Content = 'counts' | 'log-normalised' | 'scaled' | 'linear' | 'empty';

/** log1p of counts per million stays under 14, log2 of them under 20. */
const LARGEST_LOGARITHM = 30;

export function contentOf(statistics: ValueStatistics): Content {
  if (statistics.entries === 0) return 'empty';
  if (areCounts(statistics)) return 'counts';
  if (statistics.negative > 0) return 'scaled';
  return statistics.maximum > LARGEST_LOGARITHM ? 'linear' : 'log-normalised';
}

/** Looks at values in eight places spread over the matrix. */
export function sampleValues(file: Hdf5File, layout: MatrixLayout): ValueStatistics {
  const { data } = layout;
  const statistics = emptyStatistics();
  const rows = data.shape[0] ?? 0;
  const width = data.shape[1] ?? 1;
  const most = Math.max(1, Math.floor(VALUES_A_PLACE / Math.max(1, width)));
  const places = rows <= most * PLACES ? 1 : PLACES;
  const count = places === 1 ? rows : most;
  if (count === 0) return statistics;
  const values = new Float64Array(count * width);
  for (let place = 0; place < places; place++) {
    const start = places === 1 ? 0 : Math.floor(((rows - count) * place) / (places - 1));
    const box =
      data.shape.length === 1
        ? { start: [start], count: [count] }
        : { start: [start, 0], count: [count, width] };
    file.read(data, box, (elements) => decodeNumbers(elements, data.type, values, 0));
    observe(values, values.length, statistics);
  }
  return statistics;
}
