import { noteDifferences } from '@cellfolio/model/testing';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackStrings } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { compileLibrary, type GeneSet, geneSetColumns, logFactorials } from './gene-sets.ts';
import { GeneBackground } from './gene-background.ts';
import {
  hypergeometricLogTail,
  bySignificance,
  type EnrichmentResult,
  overRepresentation,
} from './over-representation.ts';
import { parseGmt } from './parse-gmt.ts';

interface Row {
  readonly term: string;
  readonly overlap: string;
  readonly p: number;
  readonly adjusted: number;
  readonly odds: number;
  /** null is infinity. */
  readonly combined: number | null;
}
/** Written by fixtures/analysis/enrichment_reference.py. */
interface Reference {
  readonly small: {
    title: string;
    background: string[];
    sets: Record<string, string[]>;
    query: string[];
    rows: (Row & { genes: string[] })[];
  }[];
  /** Population, marked, drawn, hits, ln P(X ≥ hits); null is minus infinity. */
  readonly tails: [number, number, number, number, number | null][];
  readonly farTails: {
    backgroundSize: number;
    querySize: number;
    sets: Record<string, [number, number]>;
    rows: Row[];
  };
  readonly published: {
    file: string;
    stride: number;
    largest: number;
    querySize: number;
    overlap: string[];
    p: number[];
    adjusted: number[];
    odds: number[];
    combined: number[];
  }[];
}
const reference = JSON.parse(
  readFileSync(join(import.meta.dirname, 'enrichment-reference.json'), 'utf8'),
) as Reference;

/** A library against a background, and the test of genes that belongs to them. */
function compiled(sets: readonly GeneSet[], genes: readonly string[]) {
  const background = new GeneBackground(genes);
  const library = compileLibrary(geneSetColumns(sets), background);
  return { library, test: (query: readonly string[]) => overRepresentation(library, background, query) };
}

const setsOf = (sets: Record<string, string[]>): GeneSet[] =>
  Object.entries(sets).map(([name, genes]) => ({ name, genes }));
const named = (from: number, to: number, prefix = 'GENE') =>
  Array.from({ length: to - from }, (_, i) => `${prefix}${from + i}`);

interface TestedRow {
  readonly term: string;
  readonly overlap: string;
  readonly genes: readonly string[];
  readonly pValue: number;
  readonly logPValue: number;
  readonly adjustedPValue: number;
  readonly oddsRatio: number;
  readonly combinedScore: number;
}

/** The columns as rows, in the order of the positions given. */
function rowsOf(result: EnrichmentResult, order: Iterable<number> = result.terms.keys()): TestedRow[] {
  return Array.from(order, (row) => {
    const places = result.overlaps.subarray(result.overlapStarts[row]!, result.overlapStarts[row + 1]!);
    return {
      term: result.terms[row]!,
      overlap: `${places.length}/${result.setSizes[row]!}`,
      genes: Array.from(places, (place) => result.queryGenes[place]!),
      pValue: result.pValues[row]!,
      logPValue: result.logPValues[row]!,
      adjustedPValue: result.adjustedPValues[row]!,
      oddsRatio: result.oddsRatios[row]!,
      combinedScore: result.combinedScores[row]!,
    };
  });
}

/** Equal to a millionth of the number itself, however small it is. */
function expectNear(ours: number, theirs: number): void {
  noteDifferences('enrichment', [ours], [theirs]);
  expect(Math.abs(ours - theirs), `${ours} for ${theirs}`).toBeLessThanOrEqual(1e-6 * Math.abs(theirs));
}

function expectRow(ours: TestedRow, theirs: Omit<Row, 'term'>): void {
  expect(ours.overlap).toBe(theirs.overlap);
  expectNear(ours.pValue, theirs.p);
  expectNear(ours.adjustedPValue, theirs.adjusted);
  expectNear(ours.oddsRatio, theirs.odds);
  expect(ours.combinedScore === Infinity).toBe(theirs.combined === null);
  expectNear(Math.min(ours.combinedScore, Number.MAX_VALUE), theirs.combined ?? Number.MAX_VALUE);
}

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

const shared = process.env['CELLFOLIO_SHARED'] ?? join(import.meta.dirname, '../../../../../shared');

test.for(reference.published)(
  'the numbers for the library $file are those of gseapy',
  (expected, { skip }) => {
    const path = join(shared, 'data/gene_sets', expected.file);
    if (!existsSync(path)) {
      console.warn(`SKIPPED: ${path} is not there; set CELLFOLIO_SHARED`);
      skip();
    }
    const { sets, warnings } = parseGmt(readFileSync(path, 'utf8'), expected.file);
    expect(warnings).toEqual([]);
    const known = [...new Set(sets.flatMap(({ genes }) => genes))].sort();
    const background = known
      .slice(0, Math.floor((known.length * 9) / 10))
      .concat(named(0, 20_000, 'OTHER'))
      .slice(0, 20_000);
    const byName = [...sets].sort((a, b) => (a.name < b.name ? -1 : 1));
    const largest = byName.reduce((best, set) => (set.genes.length > best.genes.length ? set : best));
    const query = known
      .filter((_, i) => i % expected.stride === 0)
      .concat(largest.genes.slice(0, expected.largest));
    expect(new Set(query).size).toBe(expected.querySize);

    const rows = rowsOf(compiled(sets, background).test(query));
    expect(rows.length).toBe(expected.p.length);
    expect(rows.length).toBeGreaterThan(45);
    rows.forEach((row, i) => {
      expectRow(row, {
        overlap: expected.overlap[i]!,
        p: expected.p[i]!,
        adjusted: expected.adjusted[i]!,
        odds: expected.odds[i]!,
        combined: expected.combined[i]!,
      });
    });
  },
);

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

test('the most significant rows come first where they are asked for, equal ones by term', () => {
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
