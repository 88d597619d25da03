/**
 * Sum of the entries of each gene of a matrix, in any order: a hash of cell and value for each, modulo 2^32. Equal sums
 * at both ends (a file and its stored form) show that no entry was lost, moved or changed in between.
 */
export interface EntrySums {
  readonly sums: Int32Array;
  /** Whether values are hashed as float64; otherwise as float32. */
  readonly wide: boolean;
}

/** Canonical NaN: NaN has many bit patterns, and copying may change them. */
const oneNaN = 0x7fc0_0000;

/** Distinguishes values of different cells. */
function saltOf(cell: number): number {
  return Math.imul(cell + 1, 0x9e37_79b1);
}

/**
 * One to one for each cell, so that a single different value always shows. Small numbers differ in their highest bits.
 */
function hashed(salt: number, bits: number): number {
  const x = Math.imul(bits ^ (bits >>> 16) ^ salt, 0x85eb_ca6b);
  return x ^ (x >>> 15);
}

function singleHash(salt: number, bits: number): number {
  // Zeros and NaN in one comparison, of signed numbers as these are faster: no bits but for the sign, or more than those of infinity.
  const magnitude = ((((bits << 1) - 1) | 0) ^ 0x8000_0000) | 0;
  if (magnitude < 0x7f00_0000) return hashed(salt, bits);
  return bits << 1 === 0 ? 0 : hashed(salt, oneNaN);
}

function doubleHash(salt: number, low: number, high: number): number {
  if (low === 0 && high << 1 === 0) return 0;
  const magnitude = high & 0x7fff_ffff;
  const isNaN = magnitude > 0x7ff0_0000 || (magnitude === 0x7ff0_0000 && low !== 0);
  return isNaN ? hashed(salt, oneNaN) : hashed(hashed(salt, low), high);
}

type Values = Float32Array | Float64Array;

function halves({ buffer, byteOffset, byteLength }: Values): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}

/** Adds gene-major entries: gene `firstGene + i` has those of [starts[i], starts[i + 1]), offset by `base`. */
export function addGeneSums(
  sums: Int32Array,
  {
    firstGene,
    starts,
    base = 0,
    cells,
    values,
  }: {
    firstGene: number;
    starts: ArrayLike<number>;
    base?: number;
    cells: Int32Array;
    values: Values;
  },
): void {
  const bits = halves(values);
  const single = values instanceof Float32Array;
  for (let i = 0; i + 1 < starts.length; i++) {
    const end = starts[i + 1]! - base;
    let sum = 0;
    if (single)
      for (let at = starts[i]! - base; at < end; at++)
        sum = (sum + singleHash(saltOf(cells[at]!), bits[at]!)) | 0;
    else
      for (let at = starts[i]! - base; at < end; at++)
        sum = (sum + doubleHash(saltOf(cells[at]!), bits[2 * at]!, bits[2 * at + 1]!)) | 0;
    sums[firstGene + i] = (sums[firstGene + i]! + sum) | 0;
  }
}

/** Adds cell-major entries: cell `firstCell + i` has those of [starts[i], starts[i + 1]). */
export function addCellSums(
  sums: Int32Array,
  {
    firstCell,
    starts,
    genes,
    values,
  }: { firstCell: number; starts: ArrayLike<number>; genes: Int32Array; values: Values },
): void {
  const bits = halves(values);
  const single = values instanceof Float32Array;
  for (let i = 0; i + 1 < starts.length; i++) {
    const salt = saltOf(firstCell + i);
    const end = starts[i + 1]!;
    for (let at = starts[i]!; at < end; at++) {
      const gene = genes[at]!;
      const hash = single ? singleHash(salt, bits[at]!) : doubleHash(salt, bits[2 * at]!, bits[2 * at + 1]!);
      sums[gene] = (sums[gene]! + hash) | 0;
    }
  }
}

export function pairSum(pairs: Int32Array, from: number, end: number): number {
  let sum = 0;
  for (let at = 2 * from; at < 2 * end; at += 2)
    sum = (sum + singleHash(saltOf(pairs[at]!), pairs[at + 1]!)) | 0;
  return sum;
}

/** Updates the sums after two entries of a cell and gene were merged into one. */
export function mergeSums(
  sums: Int32Array,
  { gene, cell, parts }: { gene: number; cell: number; parts: readonly [number, number] },
  wide: boolean,
): void {
  const salt = saltOf(cell);
  const hash = (value: number) => {
    const bits = halves(wide ? Float64Array.of(value) : Float32Array.of(value));
    return wide ? doubleHash(salt, bits[0]!, bits[1]!) : singleHash(salt, bits[0]!);
  };
  const [one, other] = parts;
  sums[gene] = (sums[gene]! + hash(one + other) - hash(one) - hash(other)) | 0;
}

export function otherGene(one: Int32Array, other: Int32Array): number | undefined {
  for (let gene = 0; gene < one.length; gene++) if (one[gene] !== other[gene]) return gene;
  return undefined;
}
