import type { SeededRandom } from './seeded-random.ts';

/** Where the structure of an HDF5 file mostly lies, and the head of a text. */
const HEAD = 4096;
const MOST_CHANGES = 12;

type Change = (bytes: Buffer, at: number, random: SeededRandom) => Buffer;

const extremes = [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 40, 2 ** 52];

const changes: readonly Change[] = [
  (bytes, at, random) => {
    bytes[at]! ^= 1 << random.below(8);
    return bytes;
  },
  (bytes, at, random) => {
    bytes[at] = random.below(256);
    return bytes;
  },
  // A length or an address becomes far too large, or nothing.
  (bytes, at, random) => {
    const aligned = at - (at % 8);
    if (aligned + 8 <= bytes.length) bytes.writeBigUInt64LE(BigInt(random.pick(extremes)), aligned);
    return bytes;
  },
  (bytes, at, random) =>
    bytes.fill(random.pick([0, 0xff, 0x20]), at, Math.min(bytes.length, at + random.below(64))),
  (bytes, at, random) => {
    const inserted = Buffer.from(Array.from({ length: 1 + random.below(32) }, () => random.below(256)));
    return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)]);
  },
  (bytes, at, random) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(64))]),
  // A piece of the file in another place of it: all well-formed, and all wrong.
  (bytes, at, random) => {
    const from = random.below(bytes.length);
    bytes.copy(bytes, at, from, from + random.below(256));
    return bytes;
  },
];

/** A copy with some bytes changed, taken out or put in; now and then the end is missing. */
export function bentBytes(original: Uint8Array, random: SeededRandom): Buffer {
  let bytes: Buffer = Buffer.from(original);
  if (random.chance(0.15)) return bytes.subarray(0, random.below(bytes.length));
  const count = 1 + random.below(MOST_CHANGES);
  for (let change = 0; change < count && bytes.length > 0; change++) {
    const reach = random.chance(0.5) ? Math.min(HEAD, bytes.length) : bytes.length;
    bytes = random.pick(changes)(bytes, random.below(reach), random);
  }
  return bytes;
}
