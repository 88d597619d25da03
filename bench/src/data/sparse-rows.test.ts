import { expect, test } from 'vitest';
import { expressionModel, countEntries, sparseRows } from './sparse-rows.ts';
import { SeededBits } from './seeded-bits.ts';

const model = expressionModel(2000, 0.08, 3);
const request = { model, cellCount: 15_000, seed: 11 };
const blocks = [...sparseRows(request)];

test('several blocks together have the number of entries that was counted beforehand', () => {
  const entries = blocks.reduce((sum, { indices }) => sum + indices.length, 0);
  expect(blocks.length).toBeGreaterThan(1);
  expect(entries).toBe(countEntries(request));
  expect(entries / (request.cellCount * model.geneCount)).toBeCloseTo(0.08, 2);
});

test('every cell occurs once, with rising genes', () => {
  let cells = 0;
  for (const { indptr, indices, values } of blocks) {
    expect(indptr[0]).toBe(0);
    expect(indptr[indptr.length - 1]).toBe(indices.length);
    expect(values).toHaveLength(indices.length);
    cells += indptr.length - 1;
    for (let cell = 0; cell + 1 < indptr.length; cell++)
      for (let i = indptr[cell]! + 1; i < indptr[cell + 1]!; i++)
        if (indices[i]! <= indices[i - 1]!) throw new Error(`genes of cell ${cell} do not rise`);
  }
  expect(cells).toBe(request.cellCount);
});

test('undoing the logarithm gives 10,000 counts in every cell', () => {
  const { indptr, values } = blocks[0]!;
  for (let cell = 0; cell < 100; cell++) {
    let sum = 0;
    for (let i = indptr[cell]!; i < indptr[cell + 1]!; i++) sum += Math.expm1(values[i]!);
    expect(sum).toBeCloseTo(10_000, 0);
  }
});

test('the share of cells with a gene follows from its mean', () => {
  const cellCounts = new Float64Array(model.geneCount);
  for (const { indices } of blocks) for (const gene of indices) cellCounts[gene]!++;
  for (let gene = 0; gene < 200; gene++) {
    const chance =
      model.levels.reduce((sum, { detected }) => sum + detected[gene]!, 0) / model.levels.length / 2 ** 32;
    const error = Math.sqrt((chance * (1 - chance)) / request.cellCount);
    expect(Math.abs(cellCounts[gene]! / request.cellCount - chance)).toBeLessThan(5 * error + 1e-4);
  }
});

test('the same seed gives the same values', () => {
  const small = { model, cellCount: 50, seed: 4 };
  expect([...sparseRows(small)]).toEqual([...sparseRows(small)]);
  expect([...sparseRows({ ...small, seed: 5 })]).not.toEqual([...sparseRows(small)]);
});

test('the model depends on the seed only', () => {
  const means = (seed: number) => [...expressionModel(200, 0.08, seed).means];
  expect(means(1)).toEqual(means(1));
  expect(means(1)).not.toEqual(means(2));
});

test.each([0.02, 0.08, 0.3])('a share of %d of the values is expected to be non-zero', (density) => {
  const { levels, geneCount } = expressionModel(3000, density, 7);
  let sum = 0;
  for (const { detected } of levels) for (const chance of detected) sum += chance / 2 ** 32;
  expect(sum / (levels.length * geneCount)).toBeCloseTo(density, 6);
});

test('few genes are in nearly all cells and most are rare, as in real data', () => {
  const { levels } = expressionModel(20_000, 0.08, 7);
  const chances = [...levels[6]!.detected].map((chance) => chance / 2 ** 32).sort((a, b) => a - b);
  expect(chances[19_990]).toBeGreaterThan(0.9);
  expect(chances[10_000]).toBeLessThan(0.03);
  expect(chances[2000]).toBeLessThan(0.002);
});

test('a deeper cell expresses more genes', () => {
  const expressed = expressionModel(2000, 0.08, 7).levels.map(({ detected }) =>
    detected.reduce((sum, chance) => sum + chance, 0),
  );
  expect(expressed).toEqual([...expressed].sort((a, b) => a - b));
  expect(expressed.at(-1)! / expressed[0]!).toBeGreaterThan(2);
});

test('an unrealistic density is refused', () => {
  expect(() => expressionModel(10, 0, 1)).toThrow(RangeError);
  expect(() => expressionModel(10, 0.6, 1)).toThrow(RangeError);
});

test('draws do not depend on the size of the batches', () => {
  const whole = new Uint32Array(10);
  new SeededBits(5).drawInto(whole);
  const parts = new SeededBits(5);
  const first = new Uint32Array(4);
  const second = new Uint32Array(6);
  parts.drawInto(first);
  parts.drawInto(second);
  expect([...first, ...second]).toEqual([...whole]);
});

test('uniform draws have the mean and spread of uniform numbers, normal ones of normal numbers', () => {
  const bits = new SeededBits(9);
  const moments = (draw: () => number) => {
    const values = Array.from({ length: 20_000 }, draw);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    return { mean, variance };
  };
  const uniform = moments(() => bits.uniform());
  expect(uniform.mean).toBeCloseTo(0.5, 1);
  expect(uniform.variance).toBeCloseTo(1 / 12, 2);
  const normal = moments(() => bits.normal());
  expect(Math.abs(normal.mean)).toBeLessThan(0.03);
  expect(normal.variance).toBeCloseTo(1, 1);
});
