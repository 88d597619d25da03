/**
 * Returns a stride for n cells, at least 1. The order i ↦ (i × stride) mod n is a permutation if stride and n are
 * coprime. With a stride near n/φ each prefix is spread evenly over the cells: over Morton order, an even sample of the
 * map. Nothing is stored, and neither file order nor map order decides which cell is on top.
 */
export function strideOf(cells: number): number {
  let stride = Math.max(1, Math.round(cells / ((1 + Math.sqrt(5)) / 2)));
  if (cells === 0) return stride;
  while (commonDivisor(stride, cells) !== 1) stride++;
  return stride;
}

/** Step of the place in shuffled order from one cell to the next, modulo the number of cells. */
export function placeStepOf(cells: number): number {
  // The inverse of the stride, by Euclid's algorithm.
  let [rest, next, step, nextStep] = [cells, strideOf(cells) % cells, 0, 1];
  while (next !== 0) {
    const times = Math.floor(rest / next);
    [rest, next] = [next, rest - times * next];
    [step, nextStep] = [nextStep, step - times * nextStep];
  }
  return step < 0 ? step + cells : step;
}

function commonDivisor(one: number, other: number): number {
  let [a, b] = [one, other];
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}

export function drawnCells(placed: number, sample: number | undefined): number {
  return Math.max(0, Math.min(placed, Math.floor(sample ?? placed)));
}
