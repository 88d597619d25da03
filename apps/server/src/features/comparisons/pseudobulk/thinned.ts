import type { PseudobulkTest } from '@cellfolio/analysis';

type Points = PseudobulkTest['spread']['points'];

/** At most `most` points at equal steps, including the first and the last. */
export function thinned({ x, y }: Points, most: number): Points {
  if (x.length <= most) return { x, y };
  const places = Int32Array.from({ length: most }, (_, at) => Math.round((at * (x.length - 1)) / (most - 1)));
  return {
    x: Float64Array.from(places, (place) => x[place]!),
    y: Float64Array.from(places, (place) => y[place]!),
  };
}
