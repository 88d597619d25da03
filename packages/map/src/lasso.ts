/** Squares per side of the grid that a lasso is tested on: 128 position steps each. */
const side = 512;
const shift = 7;
const largest = 65_535;

const outside = 0;
const inside = 1;
const crossed = 2;

/**
 * Cells within a polygon, by the even-odd rule; the last corner connects to the first. Squares that no edge crosses are
 * inside or outside as a whole, so that only cells near an edge are tested, and only against the edges of their row of
 * squares. Needs no index: every cell is visited once, in memory order. `positions`: x0, y0, x1, y1, … of 0 to 65,535,
 * of which the first `cells` cells have one. `polygon`: corners x0, y0, x1, y1, … in [0, 1]² of the grid. Returns one
 * bit per position, least significant bit first.
 */
export function cellsInPolygon(positions: Uint16Array, cells: number, polygon: Float32Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(positions.length / 16));
  const corners = Float64Array.from(polygon, (value) => value * largest);
  if (corners.length < 6 || !corners.every(Number.isFinite)) return bits;
  const edges = edgesOfRows(corners);
  const squares = squaresOf(corners, edges);
  for (let cell = 0; cell < cells; cell++) {
    const x = positions[2 * cell]!;
    const y = positions[2 * cell + 1]!;
    const square = squares[((y >> shift) * side) | (x >> shift)]!;
    if (square === inside || (square === crossed && isInside(corners, edges[y >> shift]!, x, y)))
      bits[cell >> 3]! |= 1 << (cell & 7);
  }
  return bits;
}

function edgesOfRows(corners: Float64Array): number[][] {
  const rows: number[][] = Array.from({ length: side }, () => []);
  for (let from = 0; from < corners.length; from += 2) {
    const to = (from + 2) % corners.length;
    const low = Math.min(corners[from + 1]!, corners[to + 1]!);
    const high = Math.max(corners[from + 1]!, corners[to + 1]!);
    // A step more on both sides: rounding must not lose an edge.
    const first = Math.max(0, Math.floor((low - 1) / 2 ** shift));
    const last = Math.min(side - 1, Math.floor((high + 1) / 2 ** shift));
    for (let row = first; row <= last; row++) rows[row]!.push(from);
  }
  return rows;
}

function squaresOf(corners: Float64Array, edges: readonly number[][]): Uint8Array {
  const squares = new Uint8Array(side * side);
  for (let row = 0; row < side; row++) {
    const own = edges[row]!;
    if (own.length === 0) continue;
    const start = row * side;
    for (const from of own) markCrossed(squares, corners, from, row);
    let state = -1;
    for (let column = 0; column < side; column++) {
      if (squares[start + column] === crossed) {
        state = -1;
        continue;
      }
      if (state < 0) {
        const middle = 2 ** (shift - 1);
        state = isInside(corners, own, column * 2 ** shift + middle, row * 2 ** shift + middle)
          ? inside
          : outside;
      }
      squares[start + column] = state;
    }
  }
  return squares;
}

function markCrossed(squares: Uint8Array, corners: Float64Array, from: number, row: number): void {
  const to = (from + 2) % corners.length;
  const [x0, y0, x1, y1] = [corners[from]!, corners[from + 1]!, corners[to]!, corners[to + 1]!];
  const bottom = row * 2 ** shift - 1;
  const top = (row + 1) * 2 ** shift + 1;
  const xAt = (y: number) =>
    y0 === y1
      ? x0
      : x0 + ((x1 - x0) * (Math.min(Math.max(y, Math.min(y0, y1)), Math.max(y0, y1)) - y0)) / (y1 - y0);
  const ends = y0 === y1 ? [x0, x1] : [xAt(bottom), xAt(top)];
  const first = Math.max(0, Math.floor((Math.min(...ends) - 1) / 2 ** shift));
  const last = Math.min(side - 1, Math.floor((Math.max(...ends) + 1) / 2 ** shift));
  if (first <= last) squares.fill(crossed, row * side + first, row * side + last + 1);
}

/** `edges`: first corners of the edges that may cross this y. */
function isInside(corners: Float64Array, edges: readonly number[], x: number, y: number): boolean {
  let result = false;
  for (const from of edges) {
    const to = from + 2 === corners.length ? 0 : from + 2;
    const y0 = corners[from + 1]!;
    const y1 = corners[to + 1]!;
    if (y0 > y !== y1 > y && x < ((corners[to]! - corners[from]!) * (y - y0)) / (y1 - y0) + corners[from]!)
      result = !result;
  }
  return result;
}
