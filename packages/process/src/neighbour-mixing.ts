import type { NeighbourMixing } from '@cellfolio/model';

/**
 * How many samples the nearest neighbours of a cell stand for: the inverse of the chance that two of them are of one
 * sample, as the inverse Simpson index of LISI (Korsunsky et al. 2019, doi:10.1038/s41592-019-0619-0) without weights,
 * of the mean over all cells. `indices` holds k neighbours for each cell, `codes` its sample or -1.
 *
 * Undefined where fewer than two samples are among the cells.
 */
export function neighbourMixing(
  { indices, k }: { readonly indices: Int32Array; readonly k: number },
  codes: ArrayLike<number>,
): NeighbourMixing | undefined {
  const sizes = new Map<number, number>();
  for (let cell = 0; cell < codes.length; cell++) {
    const code = codes[cell]!;
    if (code >= 0) sizes.set(code, (sizes.get(code) ?? 0) + 1);
  }
  if (sizes.size < 2 || k < 2) return undefined;
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const alike = [...sizes.values()].reduce((sum, size) => sum + size * (size - 1), 0);
  const seen = new Int32Array(1 + Math.max(...sizes.keys()));
  let chances = 0;
  let cells = 0;
  for (let cell = 0; cell < codes.length; cell++) {
    let known = 0;
    let pairs = 0;
    for (let at = cell * k; at < (cell + 1) * k; at++) {
      const code = codes[indices[at]!]!;
      if (code < 0) continue;
      known++;
      pairs += 2 * seen[code]!++;
    }
    for (let at = cell * k; at < (cell + 1) * k; at++) {
      const code = codes[indices[at]!]!;
      if (code >= 0) seen[code] = 0;
    }
    if (codes[cell]! < 0 || known < 2) continue;
    cells++;
    chances += pairs / (known * (known - 1));
  }
  if (cells === 0 || alike === 0) return undefined;
  return {
    neighbours: k,
    effectiveSamples: chances === 0 ? sizes.size : Math.min(sizes.size, cells / chances),
    expectedSamples: Math.min(sizes.size, (all * (all - 1)) / alike),
  };
}
