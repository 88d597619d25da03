/**
 * XXH64 (github.com/Cyan4973/xxHash, doc/xxhash_spec.md) as a WebAssembly module over an imported memory: zstd ends a
 * frame with its low 32 bits, and JavaScript has no fast 64-bit multiplication. Each function below gives the bytes of
 * an instruction after those of its operands (WebAssembly Core Specification 1.0, chapter 5).
 */
type Code = readonly number[];

/** LEB128. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: bigint): Code {
  const low = Number(value & 0x7fn);
  const rest = value >> 7n;
  const done = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0);
  return done ? [low] : [low | 0x80, ...signed(rest)];
}

const i32 = (value: number): Code => [0x41, ...signed(BigInt(value))];
const i64 = (value: bigint): Code => [0x42, ...signed(BigInt.asIntN(64, value))];
const get = (local: number): Code => [0x20, local];
const set = (local: number, value: Code): Code => [...value, 0x21, local];

const binary = (opcode: number) => (a: Code, b: Code) => [...a, ...b, opcode];
const atMost = binary(0x4d);
const add32 = binary(0x6a);
const subtract32 = binary(0x6b);
const add = binary(0x7c);
const multiply = binary(0x7e);
const xor = binary(0x85);
const shiftRight = binary(0x88);
const rotateLeft = binary(0x89);
/** An i32 as an unsigned i64, and the low half of an i64. */
const widened = (value: Code): Code => [...value, 0xad];
const lowHalf = (value: Code): Code => [...value, 0xa7];

/** Unaligned loads into an i64, from an address and a fixed number of bytes on. */
const load64 = (address: Code, offset = 0): Code => [...address, 0x29, 0, ...unsigned(offset)];
const load32 = (address: Code): Code => [...address, 0x35, 0, 0];
const load8 = (address: Code): Code => [...address, 0x31, 0, 0];

function whileTrue(condition: Code, ...body: readonly Code[]): Code {
  return [0x02, 0x40, 0x03, 0x40, ...condition, 0x45, 0x0d, 1, ...body.flat(), 0x0c, 0, 0x0b, 0x0b];
}

function ifElse(condition: Code, then: readonly Code[], otherwise: readonly Code[]): Code {
  return [...condition, 0x04, 0x40, ...then.flat(), 0x05, ...otherwise.flat(), 0x0b];
}

const prime1 = 0x9e3779b185ebca87n;
const prime2 = 0xc2b2ae3d27d4eb4fn;
const prime3 = 0x165667b19e3779f9n;
const prime4 = 0x85ebca77c2b2ae63n;
const prime5 = 0x27d4eb2f165667c5n;

// Parameters: where the bytes begin and how many there are. Locals: where they end, four lanes, the hash.
const at = 0;
const length = 1;
const end = 2;
const lanes = [3, 4, 5, 6] as const;
const hash = 7;
const laneRotations = [1n, 7n, 12n, 18n] as const;

const round = (lane: Code, input: Code) =>
  multiply(rotateLeft(add(lane, multiply(input, i64(prime2))), i64(31n)), i64(prime1));
/** Whether so many bytes are left. */
const left = (bytes: number) => atMost(i32(bytes), subtract32(get(end), get(at)));
const advance = (bytes: number) => set(at, add32(get(at), i32(bytes)));
const mixed = (input: Code, rotation: bigint, factor: bigint, plus: bigint) =>
  set(hash, add(multiply(rotateLeft(xor(get(hash), input), i64(rotation)), i64(factor)), i64(plus)));
const avalanche = (shift: bigint, prime: bigint) =>
  set(hash, multiply(xor(get(hash), shiftRight(get(hash), i64(shift))), i64(prime)));

const body: Code = [
  set(end, add32(get(at), get(length))),
  ifElse(
    left(32),
    [
      set(lanes[0], i64(prime1 + prime2)),
      set(lanes[1], i64(prime2)),
      set(lanes[2], i64(0n)),
      set(lanes[3], i64(-prime1)),
      whileTrue(
        left(32),
        ...lanes.map((lane, i) => set(lane, round(get(lane), load64(get(at), 8 * i)))),
        advance(32),
      ),
      set(
        hash,
        lanes.map((lane, i) => rotateLeft(get(lane), i64(laneRotations[i]!))).reduce((a, b) => add(a, b)),
      ),
      ...lanes.map((lane) =>
        set(hash, add(multiply(xor(get(hash), round(i64(0n), get(lane))), i64(prime1)), i64(prime4))),
      ),
    ],
    [set(hash, i64(prime5))],
  ),
  set(hash, add(get(hash), widened(get(length)))),
  whileTrue(left(8), mixed(round(i64(0n), load64(get(at))), 27n, prime1, prime4), advance(8)),
  whileTrue(left(4), mixed(multiply(load32(get(at)), i64(prime1)), 23n, prime2, prime3), advance(4)),
  whileTrue(
    left(1),
    set(
      hash,
      multiply(rotateLeft(xor(get(hash), multiply(load8(get(at)), i64(prime5))), i64(11n)), i64(prime1)),
    ),
    advance(1),
  ),
  avalanche(33n, prime2),
  avalanche(29n, prime3),
  lowHalf(xor(get(hash), shiftRight(get(hash), i64(32n)))),
].flat();

const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content];
const vector = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const text = (name: string): Code => vector(Array.from(new TextEncoder().encode(name), (byte) => [byte]));

/** `\0asm` and version 1. */
const magic: Code = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const i32Type = 0x7f;
const i64Type = 0x7e;
const code: Code = [
  ...vector([
    [1, i32Type],
    [5, i64Type],
  ]),
  ...body,
  0x0b,
];

/** Imports `env.memory`; exports `checksum(at, length)`: the low 32 bits of XXH64 with seed 0 of some of its bytes. */
export const xxh64Module: Uint8Array<ArrayBuffer> = Uint8Array.from([
  ...magic,
  ...section(1, vector([[0x60, ...vector([[i32Type], [i32Type]]), ...vector([[i32Type]])]])),
  ...section(2, vector([[...text('env'), ...text('memory'), 0x02, 0x00, 0x00]])),
  ...section(3, vector([[0]])),
  ...section(7, vector([[...text('checksum'), 0x00, 0x00]])),
  ...section(10, vector([[...unsigned(code.length), ...code]])),
]);
