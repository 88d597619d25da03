import { expect, test } from 'vitest';
import { expressionModel } from './expression-model.ts';
import { countEntries, sparseRows } from './sparse-rows.ts';

const model = expressionModel(2000, 0.08, 3);
const request = { model, cellCount: 15_000, seed: 11 };
const blocks = [...sparseRows(request)];

test('the blocks hold as many entries as were counted beforehand, in more than one block', () => {
  const entries = blocks.reduce((sum, { indices }) => sum + indices.length, 0);
  expect(blocks.length).toBeGreaterThan(1);
  expect(entries).toBe(countEntries(request));
  expect(entries / (request.cellCount * model.geneCount)).toBeCloseTo(0.08, 2);
});

test('every cell is there once and its genes rise', () => {
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

test('a gene is found in the share of cells that its mean asks for', () => {
  const found = new Float64Array(model.geneCount);
  for (const { indices } of blocks) for (const gene of indices) found[gene]!++;
  for (let gene = 0; gene < 200; gene++) {
    const chance =
      model.levels.reduce((sum, { detected }) => sum + detected[gene]!, 0) / model.levels.length / 2 ** 32;
    const error = Math.sqrt((chance * (1 - chance)) / request.cellCount);
    expect(Math.abs(found[gene]! / request.cellCount - chance)).toBeLessThan(5 * error + 1e-4);
  }
});

test('the same seed gives the same values', () => {
  const small = { model, cellCount: 50, seed: 4 };
  expect([...sparseRows(small)]).toEqual([...sparseRows(small)]);
  expect([...sparseRows({ ...small, seed: 5 })]).not.toEqual([...sparseRows(small)]);
});
