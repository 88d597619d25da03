import {
  add,
  atMost,
  type Code,
  get,
  i32,
  i32FromI64,
  i64,
  i64Add,
  i64FromI32,
  i64Load,
  i64Load32,
  i64Load8,
  i64Multiply,
  i64RotateLeft,
  i64ShiftRight,
  i64Xor,
  ifElse,
  set,
  subtract,
  wasmModule,
  whileTrue,
} from '../wasm/assembler.ts';

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
  i64Multiply(i64RotateLeft(i64Add(lane, i64Multiply(input, i64(prime2))), i64(31n)), i64(prime1));
/** Whether so many bytes are left. */
const left = (bytes: number) => atMost(i32(bytes), subtract(get(end), get(at)));
const advance = (bytes: number) => set(at, add(get(at), i32(bytes)));
const mixed = (input: Code, rotation: bigint, factor: bigint) =>
  i64Multiply(i64RotateLeft(i64Xor(get(hash), input), i64(rotation)), i64(factor));
const avalanche = (shift: bigint, prime: bigint) =>
  set(hash, i64Multiply(i64Xor(get(hash), i64ShiftRight(get(hash), i64(shift))), i64(prime)));

const body: Code = [
  set(end, add(get(at), get(length))),
  ifElse(
    left(32),
    [
      set(lanes[0], i64(prime1 + prime2)),
      set(lanes[1], i64(prime2)),
      set(lanes[2], i64(0n)),
      set(lanes[3], i64(-prime1)),
      whileTrue(
        left(32),
        ...lanes.map((lane, i) => set(lane, round(get(lane), i64Load(get(at), 8 * i)))),
        advance(32),
      ),
      set(
        hash,
        lanes
          .map((lane, i) => i64RotateLeft(get(lane), i64(laneRotations[i]!)))
          .reduce((a, b) => i64Add(a, b)),
      ),
      ...lanes.map((lane) =>
        set(
          hash,
          i64Add(i64Multiply(i64Xor(get(hash), round(i64(0n), get(lane))), i64(prime1)), i64(prime4)),
        ),
      ),
    ],
    [set(hash, i64(prime5))],
  ),
  set(hash, i64Add(get(hash), i64FromI32(get(length)))),
  whileTrue(
    left(8),
    set(hash, i64Add(mixed(round(i64(0n), i64Load(get(at))), 27n, prime1), i64(prime4))),
    advance(8),
  ),
  whileTrue(
    left(4),
    set(hash, i64Add(mixed(i64Multiply(i64Load32(get(at)), i64(prime1)), 23n, prime2), i64(prime3))),
    advance(4),
  ),
  whileTrue(left(1), set(hash, mixed(i64Multiply(i64Load8(get(at)), i64(prime5)), 11n, prime1)), advance(1)),
  avalanche(33n, prime2),
  avalanche(29n, prime3),
  i32FromI64(i64Xor(get(hash), i64ShiftRight(get(hash), i64(32n)))),
].flat();

/**
 * XXH64 (github.com/Cyan4973/xxHash, doc/xxhash_spec.md), for JavaScript has no fast 64-bit multiplication. Exports
 * `checksum(at, length)`: the low 32 bits of the hash, with seed 0, of some bytes of the memory, as zstd ends a frame.
 */
export const xxh64Module = wasmModule({
  name: 'checksum',
  parameters: ['i32', 'i32'],
  locals: ['i32', 'i64', 'i64', 'i64', 'i64', 'i64'],
  result: 'i32',
  body,
});
