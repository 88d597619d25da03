/**
 * Root of a continuous function with opposite signs at `low` and `high`, to a relative `tolerance`, by regula falsi
 * with the Illinois modification (halves the value of an end that is kept twice).
 */
export function findRoot(
  valueAt: (x: number) => number,
  [low, high]: readonly [number, number],
  tolerance = 1e-14,
): number {
  let [a, b] = [low, high];
  let [atA, atB] = [valueAt(a), valueAt(b)];
  if (atA === 0) return a;
  if (atB === 0) return b;
  let moved = 0;
  for (let step = 0; step < 200; step++) {
    const width = b - a;
    // Every third step halves, whatever the line says: a bound of the number of steps.
    const line = b - (atB * width) / (atB - atA);
    const x = step % 3 === 2 || !(line > a && line < b) ? a + width / 2 : line;
    const atX = valueAt(x);
    if (atX === 0 || width <= tolerance * Math.abs(x)) return x;
    const moves = atX > 0 === atB > 0 ? 1 : -1;
    if (moves > 0) {
      [b, atB] = [x, atX];
      if (moved === moves) atA /= 2;
    } else {
      [a, atA] = [x, atX];
      if (moved === moves) atB /= 2;
    }
    moved = moves;
  }
  return a + (b - a) / 2;
}
