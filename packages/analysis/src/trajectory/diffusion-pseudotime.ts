import type { Eigenpairs } from './largest-eigenpairs.ts';

/** scanpy treats eigenvalues from here on as 1, which is their precision in float32. */
export const stationary = 0.9994;

/**
 * Diffusion pseudotime (0 to 1) from a root to all cells of a diffusion map, as scanpy's `tl.dpt` with that number of
 * components (Haghverdi et al. 2016, doi:10.1038/nmeth.3971). As in scanpy, components with an eigenvalue of about 1
 * count once.
 */
export function diffusionPseudotime(
  { values, vectors }: Eigenpairs,
  root: number,
  components: number,
): Float64Array {
  const squares = new Float64Array(vectors[0]?.length ?? 0);
  for (let at = 0; at < Math.min(components, values.length); at++) {
    const value = values[at]!;
    const factor = value < stationary ? value / (1 - value) : 1;
    const vector = vectors[at]!;
    for (let cell = 0; cell < squares.length; cell++) {
      squares[cell]! += (factor * (vector[root]! - vector[cell]!)) ** 2;
    }
  }
  const farthest = Math.sqrt(squares.reduce((maximum, square) => Math.max(maximum, square), 0));
  return squares.map((square) => (farthest === 0 ? 0 : Math.sqrt(square) / farthest));
}
