import { noteDifferences } from '@cellfolio/model/testing';
import { unpackStrings } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { logFactorials } from './gene-sets.ts';
import { bySignificance, hypergeometricLogTail } from './over-representation.ts';
import { compiled, expectRow, named, reference, rowsOf, setsOf } from './over-representation.test-data.ts';

test.each(reference.small)('the rows are those of gseapy: $title', ({ background, sets, query, rows }) => {
  const result = compiled(setsOf(sets), background).test(query);
  expect(result.terms).toEqual(rows.map(({ term }) => term));
  expect(result.backgroundSize).toBe(background.length);
  rowsOf(result).forEach((row, i) => {
    expectRow(row, rows[i]!);
    // gseapy upper-cases mouse symbols; here they stay as the dataset spells them.
    expect(row.genes.map((gene) => gene.toUpperCase()).sort()).toEqual(rows[i]!.genes);
    expect(background).toEqual(expect.arrayContaining([...row.genes]));
  });
});

test.each(reference.tails)(
  'of %i genes %i are in the set, %i drawn: the chance of %i hits or more is right to 1e-9 of itself',
  (population, marked, drawn, hits, expected) => {
    const ours = hypergeometricLogTail({ population, marked, drawn, hits }, logFactorials(population));
    const theirs = expected ?? -Infinity;
    expect(ours === -Infinity).toBe(theirs === -Infinity);
    const [a, b] = [Math.max(ours, -1e9), Math.max(theirs, -1e9)];
    // An error in the logarithm is one in relative terms of the probability.
    noteDifferences('enrichment-tails', [a], [b], 1);
    expect(Math.abs(a - b)).toBeLessThan(1e-9);
    // And where nearly everything is in the tail, what is left out of it is right too.
    expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-6 * Math.abs(b));
  },
);

test('p-values keep their digits down to 1e-300, and below the smallest number are 0 as in gseapy', () => {
  const { backgroundSize, querySize, sets, rows } = reference.farTails;
  const library = compiled(
    Object.entries(sets).map(([name, [from, to]]) => ({ name, genes: named(from, to) })),
    named(0, backgroundSize),
  );
  const result = library.test(named(0, querySize));
  expect(result.terms).toEqual(rows.map(({ term }) => term));
  rowsOf(result).forEach((row, i) => expectRow(row, rows[i]!));
  expect(rows.some(({ p }) => p > 0 && p < 1e-300)).toBe(true);
  expect(result.pValues.filter((pValue) => pValue === 0).length).toBe(4);
  // Their logarithms still tell them apart.
  expect(
    rowsOf(result, bySignificance(result))
      .slice(0, 4)
      .map(({ term }) => term),
  ).toEqual(['first 499 of 500', 'first 300 of 300', 'first 299 of 300', 'first 290 of 300']);
  expect(result.logPValues.every((logPValue) => Number.isFinite(logPValue))).toBe(true);
});

const mouse = compiled(
  [
    { name: 'b', genes: ['GFAP', 'Gfap', 'AQP4'] },
    { name: 'a', genes: ['snap25', 'AQP4'] },
    { name: 'none', genes: ['ALB'] },
  ],
  ['Gfap', 'Aqp4', 'GFAP', 'Snap25', 'Actb'],
);

test('genes are compared whatever their case; the first spelling in the dataset stands for those that differ in case only', () => {
  expect(unpackStrings(mouse.library.names)).toEqual(['a', 'b']);
  const result = mouse.test(['aqp4', ' GFAP ', 'gfap', 'Alb', 'ALB', '', 'constructor']);
  expect(result.backgroundSize).toBe(4);
  expect(result.queryGenes).toEqual(['Aqp4', 'Gfap']);
  expect(result.notInBackground).toEqual(['Alb', 'constructor']);
  expect(rowsOf(result).map(({ term, overlap, genes }) => ({ term, overlap, genes }))).toEqual([
    { term: 'a', overlap: '1/2', genes: ['Aqp4'] },
    { term: 'b', overlap: '2/2', genes: ['Aqp4', 'Gfap'] },
  ]);
});

test('hostile names are names like others', () => {
  const names = ['__proto__', 'constructor', '<script>alert(1)</script>', '=cmd|calc', '"a",b\nc'];
  const library = compiled(
    names.map((name) => ({ name, genes: ['__PROTO__', 'A'] })),
    ['a', 'b', '__proto__'],
  );
  const rows = rowsOf(library.test(['__proto__']));
  expect(rows.map(({ term }) => term).sort()).toEqual([...names].sort());
  expect(rows.every(({ genes, overlap }) => genes[0] === '__proto__' && overlap === '1/2')).toBe(true);
});

test('a library whose sets share no gene with the background has no rows, and neither has an empty query', () => {
  const empty = compiled([{ name: 'x', genes: ['A'] }], ['B']);
  expect(empty.test(['B']).terms).toEqual([]);
  expect(mouse.test([]).terms).toEqual([]);
  expect(compiled([], []).test(['B'])).toMatchObject({
    terms: [],
    queryGenes: [],
    notInBackground: ['B'],
    backgroundSize: 0,
  });
});

test('of sets with the same name the last counts, as in a dict', () => {
  const library = compiled(
    [
      { name: 'x', genes: ['A'] },
      { name: 'x', genes: ['B'] },
    ],
    ['A', 'B'],
  );
  expect(library.test(['A']).terms).toEqual([]);
  expect(library.test(['B']).terms).toEqual(['x']);
});

test('the most significant rows come first on request, equal ones by term', () => {
  const result = compiled(
    [
      { name: 'c', genes: ['A', 'B'] },
      { name: 'a', genes: ['A', 'B', 'C', 'D'] },
      { name: 'b', genes: ['B', 'A'] },
    ],
    ['A', 'B', 'C', 'D', 'E'],
  ).test(['A', 'B']);
  expect(result.terms).toEqual(['a', 'b', 'c']);
  expect(bySignificance(result)).toEqual(Int32Array.of(1, 2, 0));
});
