import {
  above,
  add,
  and,
  atLeastSigned,
  atMostSigned,
  below,
  doWhile,
  equal,
  f64,
  f64Add,
  f64FromUnsigned,
  f64Load,
  f64LoadF32,
  f64Multiply,
  f64Store,
  f64Subtract,
  get,
  greaterSigned,
  i32,
  i32Load,
  i32Load16u,
  i32Store,
  ifTrue,
  isZero,
  lessSigned,
  notEqual,
  set,
  shiftLeft,
  shiftRight,
  shiftRightSigned,
  subtract,
  tee,
  wasmFunction,
  wasmModule,
  whileTrue,
  xor,
  zeroFill,
} from './assembler.ts';
import { engine, type WasmMemory, type WasmModule } from './engine.ts';

/**
 * The loops that ranking the cells of a gene consists of, as WebAssembly: what they do in one second takes plain
 * JavaScript nearly two, because it checks the bounds of every access and reloads them for every array. All
 * addresses are bytes of the memory. A pair is an int32 key and, 4 bytes on, the int32 slot of its cell.
 */
export interface RankKernel {
  /**
   * Adds the values of `entries` cells to `sums` (float64 by slot) and their number to `expressing` (int32 by slot),
   * and writes a pair for each that counts: not 0, and in another slot than `leftOut`, which must have room in
   * `sums` and `expressing` too. `codes` are the uint16 slots of all cells. Returns the end of the pairs.
   */
  collect(
    cells: number,
    values: number,
    entries: number,
    codes: number,
    leftOut: number,
    pairs: number,
    sums: number,
    expressing: number,
  ): number;
  /** Least key of the pairs in [from, end), which is not empty; the greatest is written to `greatest`. */
  extent(from: number, end: number, greatest: number): number;
  /**
   * Counts the pairs of each bucket, ((key - least) >>> shift) & mask, and turns the counts into the address of its
   * first pair from `to` on. Returns the sum of the squares of the counts.
   */
  count(
    from: number,
    end: number,
    to: number,
    least: number,
    shift: number,
    mask: number,
    buckets: number,
    lastBucket: number,
  ): number;
  /** Moves the counted pairs to the places of their buckets, in the order they have. */
  deal(from: number, end: number, least: number, shift: number, mask: number, buckets: number): void;
  /** Sorts pairs by their keys; fast where few are far from their places. */
  insertion(from: number, end: number): void;
  /**
   * Adds the ranks of sorted pairs to `rankSums` (float64 by slot): from 1, `zeros` equal values between the negative
   * and the positive keys, and equal keys sharing their mean. Writes the rank of the zeros to `zeroRank` (float64).
   * Returns the sum of t³ - t over runs of t equal keys, without the zeros.
   */
  rank(from: number, end: number, zeros: number, rankSums: number, zeroRank: number): number;
}

const address = 'i32';

const collect = wasmFunction(
  'collect',
  {
    cells: address,
    values: address,
    entries: 'i32',
    codes: address,
    leftOut: 'i32',
    pairs: address,
    sums: address,
    expressing: address,
  },
  { end: address, slot: 'i32', word: 'i32', at: address, some: 'i32' },
  (v) => ({
    result: 'i32',
    body: [
      ...set(v.end, add(get(v.cells), shiftLeft(get(v.entries), i32(2)))),
      ...whileTrue(
        below(get(v.cells), get(v.end)),
        set(v.slot, i32Load16u(add(get(v.codes), shiftLeft(i32Load(get(v.cells)), i32(1))))),
        set(v.word, i32Load(get(v.values))),
        // Zeros of either sign do not count; what is left out is written and then written over, without a branch.
        set(v.some, notEqual(and(get(v.word), i32(0x7fff_ffff)), i32(0))),
        set(v.at, add(get(v.sums), shiftLeft(get(v.slot), i32(3)))),
        f64Store(get(v.at), f64Add(f64Load(get(v.at)), f64LoadF32(get(v.values)))),
        set(v.at, add(get(v.expressing), shiftLeft(get(v.slot), i32(2)))),
        i32Store(get(v.at), add(i32Load(get(v.at)), get(v.some))),
        // Integers in the order of the floats: the bits of a negative one fall as it rises.
        i32Store(
          get(v.pairs),
          xor(get(v.word), and(shiftRightSigned(get(v.word), i32(31)), i32(0x7fff_ffff))),
        ),
        i32Store(get(v.pairs), get(v.slot), 4),
        set(
          v.pairs,
          add(get(v.pairs), shiftLeft(and(get(v.some), notEqual(get(v.slot), get(v.leftOut))), i32(3))),
        ),
        set(v.cells, add(get(v.cells), i32(4))),
        set(v.values, add(get(v.values), i32(4))),
      ),
      ...get(v.pairs),
    ],
  }),
);

const extent = wasmFunction(
  'extent',
  { from: address, end: address, greatest: address },
  { key: 'i32', least: 'i32', most: 'i32' },
  (v) => ({
    result: 'i32',
    body: [
      ...set(v.least, tee(v.most, i32Load(get(v.from)))),
      ...whileTrue(
        below(get(v.from), get(v.end)),
        set(v.key, i32Load(get(v.from))),
        ifTrue(lessSigned(get(v.key), get(v.least)), [set(v.least, get(v.key))]),
        ifTrue(greaterSigned(get(v.key), get(v.most)), [set(v.most, get(v.key))]),
        set(v.from, add(get(v.from), i32(8))),
      ),
      ...i32Store(get(v.greatest), get(v.most)),
      ...get(v.least),
    ],
  }),
);

const count = wasmFunction(
  'count',
  {
    from: address,
    end: address,
    to: address,
    least: 'i32',
    shift: 'i32',
    mask: 'i32',
    buckets: address,
    lastBucket: 'i32',
  },
  { at: address, pairs: 'i32', squares: 'f64', number: 'f64', lastAt: address },
  (v) => ({
    result: 'f64',
    body: [
      ...set(v.lastAt, add(get(v.buckets), shiftLeft(get(v.lastBucket), i32(2)))),
      ...zeroFill(get(v.buckets), subtract(add(get(v.lastAt), i32(4)), get(v.buckets))),
      ...whileTrue(
        below(get(v.from), get(v.end)),
        set(v.at, bucketOf(i32Load(get(v.from)), v)),
        i32Store(get(v.at), add(i32Load(get(v.at)), i32(1))),
        set(v.from, add(get(v.from), i32(8))),
      ),
      ...set(v.at, get(v.buckets)),
      ...doWhile(
        isZero(above(get(v.at), get(v.lastAt))),
        set(v.pairs, i32Load(get(v.at))),
        i32Store(get(v.at), get(v.to)),
        set(v.to, add(get(v.to), shiftLeft(get(v.pairs), i32(3)))),
        set(v.number, f64FromUnsigned(get(v.pairs))),
        set(v.squares, f64Add(get(v.squares), f64Multiply(get(v.number), get(v.number)))),
        set(v.at, add(get(v.at), i32(4))),
      ),
      ...get(v.squares),
    ],
  }),
);

function bucketOf(
  key: readonly number[],
  v: Readonly<Record<'least' | 'shift' | 'mask' | 'buckets', number>>,
): readonly number[] {
  const bucket = and(shiftRight(subtract(key, get(v.least)), get(v.shift)), get(v.mask));
  return add(get(v.buckets), shiftLeft(bucket, i32(2)));
}

const deal = wasmFunction(
  'deal',
  { from: address, end: address, least: 'i32', shift: 'i32', mask: 'i32', buckets: address },
  { key: 'i32', bucket: address, place: address },
  (v) => ({
    body: whileTrue(
      below(get(v.from), get(v.end)),
      set(v.bucket, bucketOf(tee(v.key, i32Load(get(v.from))), v)),
      set(v.place, i32Load(get(v.bucket))),
      i32Store(get(v.bucket), add(get(v.place), i32(8))),
      i32Store(get(v.place), get(v.key)),
      i32Store(get(v.place), i32Load(get(v.from), 4), 4),
      set(v.from, add(get(v.from), i32(8))),
    ),
  }),
);

const insertion = wasmFunction(
  'insertion',
  { from: address, end: address },
  { at: address, place: address, key: 'i32', slot: 'i32', previous: 'i32' },
  (v) => ({
    body: ifTrue(below(get(v.from), get(v.end)), [
      set(v.previous, i32Load(get(v.from))),
      set(v.at, add(get(v.from), i32(8))),
      whileTrue(
        below(get(v.at), get(v.end)),
        set(v.key, i32Load(get(v.at))),
        ifTrue(
          atMostSigned(get(v.previous), get(v.key)),
          [set(v.previous, get(v.key))],
          [
            set(v.slot, i32Load(get(v.at), 4)),
            set(v.place, get(v.at)),
            // The key one place down, which is greater, moves up; then the next below it while it is greater too.
            doWhile(
              and(
                above(get(v.place), get(v.from)),
                // Reads the slot of the pair before where the place is the first: any number, as both are asked for.
                greaterSigned(i32Load(subtract(get(v.place), i32(8))), get(v.key)),
              ),
              i32Store(get(v.place), i32Load(subtract(get(v.place), i32(8)))),
              i32Store(get(v.place), i32Load(subtract(get(v.place), i32(8)), 4), 4),
              set(v.place, subtract(get(v.place), i32(8))),
            ),
            i32Store(get(v.place), get(v.key)),
            i32Store(get(v.place), get(v.slot), 4),
          ],
        ),
        set(v.at, add(get(v.at), i32(8))),
      ),
    ]),
  }),
);

const rank = wasmFunction(
  'rank',
  { from: address, end: address, zeros: 'f64', rankSums: address, zeroRank: address },
  {
    key: 'i32',
    next: address,
    at: address,
    passed: 'i32',
    ranked: 'f64',
    ties: 'f64',
    shared: 'f64',
    tieTerm: 'f64',
  },
  (v) => {
    const slotSum = add(get(v.rankSums), shiftLeft(i32Load(get(v.from), 4), i32(3)));
    const addRank = (value: number) => [
      ...set(v.at, slotSum),
      ...f64Store(get(v.at), f64Add(f64Load(get(v.at)), get(value))),
    ];
    const half = (value: readonly number[]) => f64Multiply(value, f64(0.5));
    const passZeros = [
      ...f64Store(get(v.zeroRank), f64Add(get(v.ranked), half(f64Add(get(v.zeros), f64(1))))),
      ...set(v.ranked, f64Add(get(v.ranked), get(v.zeros))),
      ...set(v.passed, i32(1)),
    ];
    return {
      result: 'f64',
      body: [
        ...whileTrue(
          below(get(v.from), get(v.end)),
          set(v.key, i32Load(get(v.from))),
          ifTrue(and(atLeastSigned(get(v.key), i32(0)), isZero(get(v.passed))), [passZeros]),
          set(v.next, add(get(v.from), i32(8))),
          whileTrue(
            // Past the last pair lies room for one more, so that both can be asked for without a branch.
            and(below(get(v.next), get(v.end)), equal(i32Load(get(v.next)), get(v.key))),
            set(v.next, add(get(v.next), i32(8))),
          ),
          ifTrue(
            equal(get(v.next), add(get(v.from), i32(8))),
            [set(v.ranked, f64Add(get(v.ranked), f64(1))), addRank(v.ranked), set(v.from, get(v.next))],
            [
              set(v.ties, f64FromUnsigned(shiftRight(subtract(get(v.next), get(v.from)), i32(3)))),
              set(v.shared, f64Add(get(v.ranked), half(f64Add(get(v.ties), f64(1))))),
              set(v.ranked, f64Add(get(v.ranked), get(v.ties))),
              set(
                v.tieTerm,
                f64Add(
                  get(v.tieTerm),
                  f64Subtract(f64Multiply(f64Multiply(get(v.ties), get(v.ties)), get(v.ties)), get(v.ties)),
                ),
              ),
              doWhile(
                below(get(v.from), get(v.next)),
                addRank(v.shared),
                set(v.from, add(get(v.from), i32(8))),
              ),
            ],
          ),
        ),
        ...ifTrue(isZero(get(v.passed)), [passZeros]),
        ...get(v.tieTerm),
      ],
    };
  },
);

let compiled: WasmModule | undefined;

/** The kernel on a memory. It is compiled once a thread. */
export function rankKernel(memory: WasmMemory): RankKernel {
  compiled ??= new engine.Module(wasmModule([collect, extent, count, deal, insertion, rank]));
  return new engine.Instance(compiled, { env: { memory } }).exports as RankKernel;
}
