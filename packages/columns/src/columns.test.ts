import { gzipSync } from 'node:zlib';
import type { Embedding } from '@cellfolio/model';
import { expect, test } from 'vitest';
import {
  areaColumn,
  ColumnFormatError,
  decodeColumn,
  encodeColumn,
  levelColumn,
  type LevelColumn,
  type MapColumn,
  mapOrder,
  maskColumn,
  NoColours,
  obsColumn,
  obsFacts,
  positionColumn,
} from './index.ts';

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
  };
}

function clusters(cells: number, dimensions = 2): Embedding {
  const next = random(7);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const centres = Array.from({ length: 20 }, () => [20 * next(), 15 * next(), 0.3 + next()] as const);
  const values = new Float32Array(cells * dimensions);
  for (let cell = 0; cell < cells; cell++) {
    const [x, y, spread] = centres[Math.floor(next() * 20)]!;
    values[cell * dimensions] = x + spread * normal();
    values[cell * dimensions + 1] = y + spread * normal();
  }
  return { name: 'X_umap', dimensions, values };
}

const fileOrder = (cells: number) => Uint32Array.from({ length: cells }, (_, row) => row);
const again = (column: MapColumn) => decodeColumn(encodeColumn(column));

test('the map order has each cell once, and cells without a position last', () => {
  const embedding = clusters(5000);
  embedding.values[2 * 17] = NaN;
  embedding.values[2 * 99 + 1] = Infinity;
  const order = mapOrder(embedding);
  expect([...order].sort((a, b) => a - b)).toEqual([...fileOrder(5000)]);
  expect(Array.from(order.slice(-2))).toEqual([17, 99]);
});

test('cells of one position keep the order of the file', () => {
  const values = Float32Array.from({ length: 600 }, (_, i) => (i % 2 === 0 ? Math.floor(i / 2) % 3 : 1));
  expect(Array.from(mapOrder({ name: 'X', dimensions: 2, values }).slice(0, 100))).toEqual(
    Array.from({ length: 100 }, (_, i) => 3 * i),
  );
});

test.each([
  ['wide', [0, 0, 10, 4], [0, 65_535], [19_661, 45_875]],
  ['high', [-3, -1, -1, 9], [26_214, 39_321], [0, 65_535]],
  ['one spot', [7, 7, 7, 7], [32_768, 32_768], [32_768, 32_768]],
])('a map that is %s lies in the middle of the grid', (_, values, xs, ys) => {
  const embedding = { name: 'X_umap', dimensions: 2, values: Float32Array.from(values) };
  const { positions } = positionColumn(embedding, [0, 1], mapOrder(embedding), true);
  const [x0, y0, x1, y1] = positions;
  expect([x0!, x1!].sort((a, b) => a - b)).toEqual(xs);
  expect([y0!, y1!].sort((a, b) => a - b)).toEqual(ys);
});

test.each([0, 2])('positions come back within half a step, with %i cells that have none', (missing) => {
  const embedding = clusters(3000);
  for (let cell = 0; cell < missing; cell++) embedding.values[2 * cell] = NaN;
  const order = mapOrder(embedding);
  const column = positionColumn(embedding, [0, 1], order, true);
  const read = again(column);
  expect(read).toEqual(column);
  if (read.kind !== 'positions') throw new Error('no positions');
  expect(read.missing).toBe(missing);
  for (let place = 0; place < 3000 - missing; place++) {
    for (const axis of [0, 1] as const) {
      const exact = embedding.values[2 * order[place]! + axis]!;
      const shown = read.origin[axis] + read.step * read.positions[2 * place + axis]!;
      expect(Math.abs(shown - exact)).toBeLessThanOrEqual(read.step * 0.501);
    }
  }
});

test('positions in tissue say that y points down, and keep the order and the direction of the file', () => {
  const umap = clusters(200);
  const tissue = { ...umap, name: 'spatial' };
  const order = mapOrder(tissue);
  expect(order).toEqual(mapOrder(umap));
  expect(again(positionColumn(tissue, [0, 1], order, true))).toEqual({
    ...positionColumn(umap, [0, 1], order, true),
    yDown: true,
  });
  expect(positionColumn(tissue, [1, 0], order, false)).not.toHaveProperty('yDown');
});

test('axes of another embedding come in the same order', () => {
  const other = clusters(500, 3);
  const order = mapOrder(clusters(500));
  const column = positionColumn(other, [2, 1], order, false);
  expect(again(column)).toEqual(column);
  expect(column.origin[0] + column.step * column.positions[0]!).toBeCloseTo(0, 2);
});

test.each([
  ['no cells', clusters(0)],
  ['one cell', clusters(1)],
  ['cells on one spot', { name: 'X', dimensions: 2, values: new Float32Array(20).fill(3) }],
  ['no finite coordinate', { name: 'X', dimensions: 2, values: new Float32Array(20).fill(NaN) }],
])('an embedding with %s is a column', (_name, embedding) => {
  const column = positionColumn(embedding, [0, 1], mapOrder(embedding), true);
  expect(again(column)).toEqual(column);
});

test('the cells of a square come at exact coordinates, whatever the axes and the grid', () => {
  const embedding = clusters(3000, 3);
  const order = mapOrder(embedding);
  const all = positionColumn(embedding, [2, 0], order, false);
  const square = { left: 16_384, bottom: 0, side: 32_768 };
  const area = areaColumn(embedding, [2, 0], order, square);
  expect(again(area)).toEqual(area);
  const within = [...order.keys()].filter((place) => {
    const [x, y] = [all.positions[2 * place]!, all.positions[2 * place + 1]!];
    return x >= square.left && x <= square.left + square.side && y <= square.side;
  });
  expect(within.length).toBeGreaterThan(100);
  expect(Array.from(area.places)).toEqual(within);
  const farthest = Math.max(
    ...within.map((place, at) => {
      const x = all.origin[0] + all.step * (square.left + area.positions[2 * at]!);
      const y = all.origin[1] + all.step * (square.bottom + area.positions[2 * at + 1]!);
      const row = order[place]! * 3;
      return Math.max(Math.abs(x - embedding.values[row + 2]!), Math.abs(y - embedding.values[row]!));
    }),
  );
  expect(farthest / all.step).toBeLessThan(0.002);
});

test('a gene keeps its zeros, and its other values to a 253rd of their range', () => {
  const next = random(3);
  const values = Float32Array.from({ length: 4000 }, () => (next() < 0.9 ? 0 : 5 * next()));
  const column = levelColumn(values, fileOrder(4000), { zero: true });
  const read = again(column) as LevelColumn;
  expect(read).toEqual(column);
  values.forEach((value, cell) => {
    const level = read.levels[cell]!;
    expect(level === 0).toBe(value === 0);
    expect(Math.abs(read.values[level]! - value)).toBeLessThanOrEqual(read.range[1] / 253 / 1.99);
  });
});

test('counts of at most 254 values are exact, and missing ones are level 0', () => {
  const values = Float64Array.of(3, NaN, 0, 253, 7);
  const column = levelColumn(values, fileOrder(5), { zero: false });
  expect(column).toMatchObject({ counts: true, missing: 1, range: [0, 253] });
  expect([...column.levels].map((level) => column.values[level])).toEqual([3, NaN, 0, 253, 7]);
});

test('one outlier takes little of the resolution of the others', () => {
  const next = random(5);
  const values = Float64Array.from({ length: 5000 }, () => next());
  values[0] = 1e6;
  const column = levelColumn(values, fileOrder(5000), { zero: false });
  expect(column.range[1]).toBe(1e6);
  const distances = Array.from(values, (value, cell) =>
    Math.abs(column.values[column.levels[cell]!]! - value),
  ).filter((_, cell) => cell > 0 && values[cell]! < 0.99);
  expect(Math.max(...distances)).toBeLessThan(0.005);
});

test('a column without any value is all missing', () => {
  const column = levelColumn(new Float64Array(9).fill(NaN), fileOrder(9), { zero: false });
  expect(again(column)).toEqual(column);
  expect(column).toMatchObject({ missing: 9, range: [0, 0] });
});

test('categories are codes with their counts, of more than 255 in two bytes', () => {
  const of = (count: number) =>
    ({
      kind: 'categorical',
      codes: Int32Array.from({ length: 1200 }, (_, cell) => (cell % (count + 1)) - 1),
      categories: Array.from({ length: count }, (_, code) => `<b>${code}</b>`),
      categoryType: 'string',
      ordered: false,
    }) as const;
  const few = obsColumn(of(3), fileOrder(1200));
  expect(again(few)).toEqual(few);
  expect(few).toMatchObject({ counts: [300, 300, 300], missing: 300, codes: expect.any(Uint8Array) });
  const many = obsColumn(of(1000), fileOrder(1200));
  expect(again(many)).toEqual(many);
  expect(many).toMatchObject({ codes: expect.any(Uint16Array) });
  expect(() => obsColumn(of(70_000), fileOrder(1200))).toThrow(NoColours);
});

test('true and false are two categories, missing ones among them', () => {
  const column = {
    kind: 'boolean',
    values: Uint8Array.of(1, 0, 1),
    missing: Uint8Array.of(0, 0, 1),
  } as const;
  expect(obsColumn(column, fileOrder(3))).toMatchObject({
    codes: Uint8Array.of(2, 1, 0),
    categories: ['False', 'True'],
    counts: [1, 1],
    missing: 1,
  });
});

test.each([
  ['both', [1, 0, 1], 2],
  ['false alone', [0, 0, 0], 1],
  ['true alone, the other is missing', [1, 1, 0], 1],
])('of true and false those that occur are counted: %s', (_, values, categories) => {
  const missing = Uint8Array.of(0, 0, categories === 1 ? 1 : 0);
  const column = { kind: 'boolean', values: Uint8Array.from(values), missing } as const;
  expect(obsFacts(column)).toEqual({ kind: 'categories', categories });
});

test('a mask is a bit a cell', () => {
  const rows = Uint8Array.from({ length: 77 }, (_, row) => (row % 3 === 0 ? 1 : 0));
  const column = maskColumn(rows, fileOrder(77));
  expect(again(column)).toEqual(column);
  expect(column.count).toBe(26);
  expect(column.bits[0]).toBe(0b01001001);
});

test('bytes that are cut, lengthened or of another kind are refused', () => {
  const bytes = encodeColumn(maskColumn(new Uint8Array(100).fill(1), fileOrder(100)));
  const damaged = [
    bytes.slice(0, 3),
    bytes.slice(0, 20),
    bytes.slice(0, -1),
    Uint8Array.from([...bytes, 0]),
    Uint8Array.from(bytes, (byte, at) => (at === 8 ? 0 : byte)),
  ];
  for (const one of damaged) expect(() => decodeColumn(one)).toThrow(ColumnFormatError);
});

test('of a million cells positions take 2 MB at most, a gene of 58 % of them 0.7 MB, one of 9 % 0.25 MB', () => {
  const cells = 1_000_000;
  const embedding = clusters(cells);
  const order = mapOrder(embedding);
  const packed = (column: MapColumn) => gzipSync(encodeColumn(column), { level: 4 }).length;
  expect(packed(positionColumn(embedding, [0, 1], order, true))).toBeLessThan(2_000_000);
  const next = random(11);
  const gene = (share: number) =>
    levelColumn(
      Float32Array.from({ length: cells }, () =>
        next() < share ? Math.log1p(1 + Math.floor(-2 * Math.log(next()))) : 0,
      ),
      order,
      { zero: true },
    );
  expect(packed(gene(0.58))).toBeLessThan(700_000);
  expect(packed(gene(0.09))).toBeLessThan(250_000);
});
