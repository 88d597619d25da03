/**
 * The order i ↦ (i × stride) mod n is a permutation when stride and n have no divisor in common. With a stride near n/φ
 * each prefix of it is spread evenly over the cells: over Morton order an even sample of the map. Nothing is stored, and
 * neither the order of the file nor that of the map decides which cell lies on top.
 * @returns a stride for n cells, at least 1
 */
export function strideOf(cells: number): number {
  let stride = Math.max(1, Math.round(cells / ((1 + Math.sqrt(5)) / 2)));
  if (cells === 0) return stride;
  while (commonDivisor(stride, cells) !== 1) stride++;
  return stride;
}

/** @returns the step by which the place in shuffled order grows from one cell to the next, modulo the number of cells */
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

/** @returns how many of the cells in shuffled order a view draws */
export function drawnCells(placed: number, sample: number | undefined): number {
  return Math.max(0, Math.min(placed, Math.floor(sample ?? placed)));
}
