import { expect, test } from 'vitest';
import { RankSorter } from './rank-sorter.ts';

function numbers(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function expected(codes: Uint16Array, slotCount: number, values: Float32Array) {
  const sums = new Float64Array(slotCount);
  const expressing = new Int32Array(slotCount);
  const rankSums = new Float64Array(slotCount);
  const cells = [...codes.keys()].filter((cell) => codes[cell]! < slotCount);
  cells.sort((a, b) => values[a]! - values[b]!);
  let tieTerm = 0;
  let zeroRank: number | undefined;
  for (let i = 0; i < cells.length;) {
    const value = values[cells[i]!]!;
    let end = i;
    while (end < cells.length && values[cells[end]!] === value) end++;
    const ties = end - i;
    tieTerm += ties ** 3 - ties;
    const rank = i + (ties + 1) / 2;
    if (value === 0) zeroRank = rank;
    for (; i < end; i++) {
      if (value === 0) continue;
      const slot = codes[cells[i]!]!;
      expressing[slot]!++;
      rankSums[slot]! += rank;
    }
  }
  // In the order of the cells, as sums of floats depend on it.
  for (const [cell, slot] of codes.entries()) if (slot < slotCount) sums[slot]! += values[cell]!;
  return { sums, expressing, rankSums, tieTerm, zeroRank };
}

type Shape = (random: (limit: number) => number, i: number) => number;

const fromBits = (bits: number) => new Float32Array(Int32Array.of(bits).buffer)[0]!;

const shapes: [string, Shape][] = [
  ['of both signs', (random) => random(2000) - 1000],
  ['of every size and both signs', (random) => (random(2) ? 1 : -1) * fromBits(random(0x7f7f_ffff) + 1)],
  ['negative', (random) => -1 - random(1e6) / 7],
  ['close together', (random) => fromBits(1_065_353_216 + random(1000))],
  ['equal', () => 1.7],
  ['of few values', (random) => random(4)],
  ['crowded at one end, far from one other', (random, i) => (i === 5 ? 3e38 : fromBits(1 + random(5000)))],
  ['crowded at both ends of all', (random) => (random(2) ? 1 : -1) * fromBits(0x7f7f_ff00 - random(250))],
  ['rising', (_, i) => i * 3],
  ['falling', (_, i) => -i * 1000],
  ['0', () => 0],
];

test.each(shapes)('values that are %s are ranked as by sorting all cells', (_, shape) => {
  const random = numbers(1234);
  for (const count of [0, 1, 2, 3, 24, 25, 26, 300, 5000]) {
    const codes = Uint16Array.from({ length: count }, () => random(7));
    // Slots 0 to 4; cells of 5 and 6 are left out.
    const slotCount = 5;
    const clamped = codes.map((code) => Math.min(code, slotCount));
    const values = Float32Array.from({ length: count }, (__, i) => (random(5) === 0 ? 0 : shape(random, i)));
    const stored = [...values.keys()].filter((cell) => values[cell] !== 0 || random(2) === 0);
    const sorter = new RankSorter(clamped, slotCount, count);
    const cellCount = clamped.reduce((sum, code) => sum + (code < slotCount ? 1 : 0), 0);
    const reference = expected(clamped, slotCount, values);
    // Twice, with the memory used again.
    for (let round = 0; round < 2; round++) {
      const cells = Int32Array.from(stored);
      const { zeroRank, tieTerm } = sorter.rank(
        cells,
        Float32Array.from(stored, (cell) => values[cell]!),
        cellCount,
      );
      expect({
        sums: sorter.sums.slice(0, slotCount),
        expressing: sorter.expressing.slice(0, slotCount),
        rankSums: sorter.rankSums.slice(),
        tieTerm,
        zeroRank: reference.zeroRank === undefined ? undefined : zeroRank,
      }).toEqual(reference);
    }
  }
});

test.each(shapes)('of two slots, values that are %s are ranked in one pass', (_, shape) => {
  const random = numbers(4321);
  for (const count of [0, 1, 2, 3, 25, 300, 9000]) {
    // Cells of slot 3 are left out, as those outside a comparison are.
    const codes = Uint16Array.from({ length: count }, () => [0, 1, 3][random(3)]!);
    const values = Float32Array.from({ length: count }, (__, i) => (random(5) === 0 ? 0 : shape(random, i)));
    const cells = Int32Array.from([...values.keys()].filter((cell) => values[cell] !== 0 || random(2) === 0));
    const sorter = new RankSorter(codes, 2, count, 3);
    const cellCount = codes.reduce((sum, code) => sum + (code < 2 ? 1 : 0), 0);
    const { sums, zeroRank: rankOfZero, ...wanted } = expected(codes, 2, values);
    const stored = Float32Array.from(cells, (cell) => values[cell]!);
    const { zeroRank, tieTerm } = sorter.rank(cells, stored, cellCount);
    const actual = { expressing: sorter.expressing.slice(0, 2), rankSums: sorter.rankSums.slice(), tieTerm };
    expect(actual).toEqual(wanted);
    expect(zeroRank).toBe(rankOfZero ?? zeroRank);
    // In the order of the values, of which none is negative.
    for (const [slot, sum] of sums.entries())
      expect(Math.abs(sorter.sums[slot]! - sum)).toBeLessThanOrEqual(1e-12 * Math.abs(sum));
  }
});

test('a larger gene than any before makes the memory grow', () => {
  const largest = new RankSorter(new Uint16Array(1), 1, 0);
  expect(largest.rank(new Int32Array(), new Float32Array(), 1)).toEqual({ zeroRank: 1, tieTerm: 0 });
  const count = 300_000;
  const sorter = new RankSorter(new Uint16Array(count), 1, count);
  const values = Float32Array.from({ length: count }, (_, i) => i + 1);
  const cells = Int32Array.from({ length: count }, (_, i) => i);
  expect(sorter.rank(cells, values, count).tieTerm).toBe(0);
  expect(sorter.rankSums[0]).toBe((count * (count + 1)) / 2);
});

function pairsBelow(codes: Uint16Array, values: Float32Array, reference: number) {
  const slots = [...new Set(codes)].filter((slot) => slot !== reference).sort((a, b) => a - b);
  const valuesOf = (slot: number) => values.filter((_, cell) => codes[cell] === slot);
  const others = valuesOf(reference);
  return slots.map((slot) => {
    const own = valuesOf(slot);
    let pairs = 0;
    for (const value of own)
      for (const other of others) pairs += other < value ? 1 : other === value ? 0.5 : 0;
    const runs = new Map<number, number>();
    for (const value of [...own, ...others]) runs.set(value || 0, (runs.get(value || 0) ?? 0) + 1);
    const tieTerm = [...runs.values()].reduce((sum, ties) => sum + ties ** 3 - ties, 0);
    return { slot, pairs, tieTerm };
  });
}

test.each(shapes)('against one slot, values that are %s count its cells below them', (_, shape) => {
  const random = numbers(77);
  const reference = 2;
  for (const count of [1, 2, 3, 25, 300, 900]) {
    // Cells of slot 5 are left out.
    const codes = Uint16Array.from({ length: count }, () => random(6));
    const values = Float32Array.from({ length: count }, (__, i) => (random(5) === 0 ? 0 : shape(random, i)));
    const cells = Int32Array.from([...values.keys()].filter((cell) => values[cell] !== 0 || random(2) === 0));
    const size = codes.filter((slot) => slot === reference).length;
    const sorter = new RankSorter(codes, 5, count);
    // Twice, with the memory used again.
    for (let round = 0; round < 2; round++) {
      const { negatives, zeros, tieTerm } = sorter.rankAgainst(
        cells,
        Float32Array.from(cells, (cell) => values[cell]!),
        { reference, size },
      );
      for (const expectedPairs of pairsBelow(codes, values, reference)) {
        const { slot } = expectedPairs;
        if (slot === 5) continue;
        const ownZeros = codes.filter((code) => code === slot).length - sorter.expressing[slot]!;
        const allZeros = zeros + ownZeros;
        expect({
          slot,
          pairs: sorter.rankSums[slot]! + ownZeros * (negatives + zeros / 2),
          tieTerm: tieTerm + sorter.ties[slot]! + allZeros ** 3 - allZeros,
        }).toEqual(expectedPairs);
      }
    }
  }
});
