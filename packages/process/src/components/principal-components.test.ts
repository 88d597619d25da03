import { expect, test } from 'vitest';
import { seededRandom } from '../random.ts';
import { entryMemory, type EntryRows } from './entry-rows.ts';
import { principalComponents, type PrincipalComponents } from './principal-components.ts';
import { symmetricEigen } from './symmetric-eigen.ts';

function rowsOf(cells: readonly (readonly number[])[]): EntryRows {
  const entries = cells.flatMap((row) =>
    row.flatMap((value, gene): [number, number][] => (value === 0 ? [] : [[value, gene]])),
  );
  const { words, values } = entryMemory(entries.length);
  for (const [at, [value, gene]] of entries.entries()) {
    values[2 * at] = value;
    words[2 * at + 1] = gene;
  }
  const pointers = new Float64Array(cells.length + 1);
  for (const [cell, row] of cells.entries())
    pointers[cell + 1] = pointers[cell]! + row.filter((value) => value !== 0).length;
  return { cellCount: cells.length, geneCount: cells[0]!.length, pointers, words, values };
}

function simulated({
  cells,
  genes,
  types = 4,
  share = 0.2,
}: Record<'cells' | 'genes', number> & { types?: number; share?: number }) {
  const random = seededRandom(3);
  return Array.from({ length: cells }, (_, cell) =>
    Array.from({ length: genes }, (_, gene) =>
      random() < share ? Math.fround(random() + (gene % types === cell % types ? (gene % 7) / 2 : 0)) : 0,
    ),
  );
}

function covarianceOf(cells: readonly (readonly number[])[]): Float64Array {
  const genes = cells[0]!.length;
  const means = cells[0]!.map((_, gene) => cells.reduce((sum, row) => sum + row[gene]!, 0) / cells.length);
  const centred = cells.map((row) => row.map((value, gene) => value - means[gene]!));
  const covariance = new Float64Array(genes * genes);
  for (const row of centred)
    for (let one = 0; one < genes; one++)
      for (let other = 0; other < genes; other++)
        covariance[one * genes + other]! += (row[one]! * row[other]!) / (cells.length - 1);
  return covariance;
}

/**
 * Checks that axes are orthonormal, each is only scaled by the covariances, and no greater variance was missed, so that
 * ties do not matter.
 */
function expectExact(cells: readonly (readonly number[])[], actual: PrincipalComponents): void {
  const genes = cells[0]!.length;
  const covariance = covarianceOf(cells);
  const exact = symmetricEigen(covariance, genes);
  const scale = exact.values[0]!;
  const means = cells[0]!.map((_, gene) => cells.reduce((sum, row) => sum + row[gene]!, 0) / cells.length);
  const axis = (at: number) => actual.axes.subarray(at * genes, (at + 1) * genes);
  const wrong = { variance: 0, product: 0, scaled: 0, score: 0 };
  const note = (what: keyof typeof wrong, error: number) => {
    // What is no number is as wrong as can be.
    wrong[what] = Math.max(wrong[what], Number.isNaN(error) ? Infinity : Math.abs(error));
  };
  for (let one = 0; one < actual.components; one++) {
    note('variance', actual.variances[one]! - exact.values[one]!);
    for (let other = 0; other <= one; other++) {
      const product = axis(one).reduce((sum, value, gene) => sum + value * axis(other)[gene]!, 0);
      note('product', product - Number(one === other));
    }
    for (let gene = 0; gene < genes; gene++) {
      let sum = 0;
      for (let other = 0; other < genes; other++)
        sum += covariance[gene * genes + other]! * axis(one)[other]!;
      note('scaled', sum - actual.variances[one]! * axis(one)[gene]!);
    }
    for (const [cell, row] of cells.entries()) {
      const score = row.reduce((sum, value, gene) => sum + (value - means[gene]!) * axis(one)[gene]!, 0);
      note('score', actual.coordinates[cell * actual.components + one]! - score);
    }
  }
  expect(wrong.variance).toBeLessThanOrEqual(1e-9 * scale);
  expect(wrong.product).toBeLessThan(5e-10);
  expect(wrong.scaled).toBeLessThanOrEqual(1e-8 * scale);
  expect(wrong.score).toBeLessThan(5e-9);
}

const withConstantGene = simulated({ cells: 90, genes: 120 }).map((row) => row.with(7, 2.5));
const withEmptyCells = simulated({ cells: 90, genes: 120 }).map((row, cell) =>
  cell % 5 === 0 ? row.map(() => 0) : row,
);
const oneGeneEach = Array.from({ length: 400 }, (_, cell) =>
  Array.from({ length: 100 }, (_, gene) => Number(cell % 100 === gene)),
);
const repeated = simulated({ cells: 10, genes: 150 });

test.each([
  ['fewer genes than a basis has vectors', simulated({ cells: 60, genes: 30 }), 10],
  ['two genes', simulated({ cells: 20, genes: 2, share: 0.9 }), 1],
  ['few cells, multiplied cell by cell', simulated({ cells: 150, genes: 200 }), 6],
  ['many cells, multiplied by their covariances', simulated({ cells: 1500, genes: 101, share: 0.5 }), 5],
  ['fewer cells than vectors are kept', simulated({ cells: 20, genes: 200 }), 19],
  ['a rank below the components that are wanted', [...repeated, ...repeated, ...repeated], 15],
  ['a gene that is everywhere alike', withConstantGene, 5],
  ['cells without any count', withEmptyCells, 5],
  ['ties of all components', oneGeneEach, 12],
  ['no gene that varies', Array.from({ length: 30 }, () => new Array<number>(80).fill(1)), 3],
])('components are exact: %s', async (_, cells, count) => {
  const result = await principalComponents(rowsOf(cells), count, 1);
  expect(result.coordinates).toHaveLength(cells.length * count);
  expectExact(cells, result);
});

test('components are the same by any number of threads, and again', async () => {
  const rows = rowsOf(simulated({ cells: 2500, genes: 450, share: 0.95 }));
  const one = await principalComponents(rows, 4, 1);
  expect(await principalComponents(rows, 4, 2)).toEqual(one);
  expect(await principalComponents(rows, 4, 1)).toEqual(one);
});

test.each([
  ['covariances are found', simulated({ cells: 1500, genes: 101, share: 0.5 })],
  ['entries are multiplied', simulated({ cells: 150, genes: 200 })],
])('progress is reported while %s', async (_, cells) => {
  const reported = [0];
  await principalComponents(rowsOf(cells), 5, 1, (done) => reported.push(done));
  expect(reported).toEqual(reported.toSorted((a, b) => a - b));
  expect(reported.at(-1)).toBeCloseTo(1, 12);
  // After every pass.
  expect(new Set(reported).size).toBeGreaterThan(10);
});
