import type { PseudobulkTest } from '@cellfolio/analysis';

type Points = PseudobulkTest['spread']['points'];

/** At most `maxPoints` points at equal steps, including the first and the last. */
export function thinned({ x, y }: Points, maxPoints: number): Points {
  if (x.length <= maxPoints) return { x, y };
  const places = Int32Array.from({ length: maxPoints }, (_, at) =>
    Math.round((at * (x.length - 1)) / (maxPoints - 1)),
  );
  return {
    x: Float64Array.from(places, (place) => x[place]!),
    y: Float64Array.from(places, (place) => y[place]!),
  };
}
