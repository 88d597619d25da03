import { noteDifferences } from '@cellfolio/model/testing';
import { describe, expect, test } from 'vitest';
import type { CellMask } from '@cellfolio/model';
import type { MarkerMethod } from '../markers/block-statistics.ts';
import {
  blockOf,
  columnOf,
  float64,
  type Packed,
  partOf,
  readReference,
  type ReferenceDataset,
} from '../markers/testing/reference.ts';
import { compareSides } from './compare-sides.ts';
import { type ComparedCells, comparedCells, groupsOfPart, sharedCells } from './compared-cells.ts';
import { partStatistics } from './part-statistics.ts';

type ReferenceColumn = ReferenceDataset['cases'][number]['column'];
type Column = 'logfoldchanges' | 'logfoldchangesOfOne' | 'pctA' | 'pctB' | 'meanA' | 'meanB' | 'auc';

interface ReferencePart extends Readonly<Record<Column, Packed>> {
  name: string;
  a: number;
  b: number;
  tests: Readonly<Record<string, Readonly<Record<'scores' | 'pvals' | 'pvals_adj', Packed>>>>;
}

/** Written by fixtures/analysis/comparisons_reference.py. */
const reference = readReference<{
  matrix: ReferenceDataset['matrix'];
  sides: ReferenceColumn;
  types: ReferenceColumn;
  cases: readonly ReferencePart[];
}>(new URL('comparisons-reference.json', import.meta.url));

const block = blockOf({ matrix: reference.matrix, cases: [] });
const geneCount = block.starts.length - 1;
const { codes: sides } = columnOf({ column: reference.sides } as never);
const types = columnOf({ column: reference.types } as never);
const maskWhere = (isIn: (cell: number) => boolean): CellMask => {
  const bits = Uint8Array.from({ length: block.cellCount }, (_, cell) => Number(isIn(cell)));
  return { bits, count: bits.reduce((sum, bit) => sum + bit, 0) };
};
const a = maskWhere((cell) => sides[cell] === 0);
const b = maskWhere((cell) => sides[cell] === 1);
const active = maskWhere((cell) => sides[cell] !== 2);
const [whole, ...parts] = reference.cases;

function differences(actual: ArrayLike<number>, packed: Packed, share: number, floor = 0): string[] {
  const expected = float64(packed);
  noteDifferences('comparisons', actual, expected, Math.max(1e-300, floor / share));
  const wrong = actual.length === expected.length ? [] : [`${actual.length} numbers`];
  expected.forEach((should, at) => {
    const is = actual[at]!;
    if (Object.is(is, should) || Math.abs(is - should) <= Math.max(floor, share * Math.abs(should))) return;
    wrong.push(`at ${at}: ${is} instead of ${should}`);
  });
  return wrong;
}

function compare(compared: ComparedCells, place: number, name: string, pseudocount: number) {
  const method: MarkerMethod = name.startsWith('wilcoxon') ? 'wilcoxon' : 't-test';
  // Blocks in another order than the genes', as threads hand them in.
  const cuts = [0, 7, 23, geneCount].map((from, at, all) => [from, all[at + 1]] as const).slice(0, -1);
  const blocks = cuts
    .toReversed()
    .map(([from, to]) => partStatistics(partOf(block, from, to!), compared, method)[place]!);
  const tieCorrect = name.endsWith('corrected');
  return compareSides(blocks, compared, { place, method, tieCorrect, pseudocount });
}

function wrongColumns(compared: ComparedCells, place: number, expected: ReferencePart, name: string) {
  const actual = compare(compared, place, name, 1e-9);
  const { logfoldchanges: withOne } = compare(compared, place, name, 1);
  const { scores, pvals, pvals_adj } = expected.tests[name]!;
  const columns = {
    scores: differences(actual.scores, scores, 1e-9, 1e-9),
    // Where doubles end, scipy rounds to 0 earlier.
    pvals: differences(actual.pvals, pvals, 1e-9, 1e-300),
    pvals_adj: differences(actual.pvals_adj, pvals_adj, 1e-9, 1e-300),
    logfoldchanges: differences(actual.logfoldchanges, expected.logfoldchanges, 1e-9, 1e-9),
    logfoldchangesOfOne: differences(withOne, expected.logfoldchangesOfOne, 1e-9, 1e-9),
    pctA: differences(actual.pctInGroup, expected.pctA, 1e-12),
    pctB: differences(actual.pctOutside, expected.pctB, 1e-12),
    meanA: differences(actual.meanA, expected.meanA, 1e-12),
    meanB: differences(actual.meanB, expected.meanB, 1e-12),
    auc: name === 't-test' && !actual.auc ? [] : differences(actual.auc ?? [], expected.auc, 1e-12),
  };
  return Object.entries(columns).filter(([, wrong]) => wrong.length > 0);
}

describe.each(Object.keys(whole!.tests))('%s', (name) => {
  test('A against B is what scanpy has with reference B, for every gene', () => {
    const compared = comparedCells({ a, b }, { minCells: 2 });
    expect(compared.parts).toEqual([{ name: '', a: whole!.a, b: whole!.b }]);
    expect(wrongColumns(compared, 0, whole!, name)).toEqual([]);
  });

  test('A against all other active cells is the same where these are B', () => {
    expect(wrongColumns(comparedCells({ a, active }, { minCells: 2 }), 0, whole!, name)).toEqual([]);
  });

  test('within each category of a column it is what scanpy has on the cells of the category', () => {
    const compared = comparedCells({ a, b }, { minCells: 12, within: types });
    expect(compared.parts).toEqual(
      parts.map(({ name: part, a: inA, b: inB }) => ({ name: part, a: inA, b: inB })),
    );
    expect(parts.flatMap((part, place) => wrongColumns(compared, place, part, name))).toEqual([]);
  });

  test('one category alone needs no parting, and has the same numbers', () => {
    const typeOf = types.categories.indexOf('T');
    const ofType = maskWhere((cell) => types.codes[cell] === typeOf);
    const compared = comparedCells({ a, b, active: ofType }, { minCells: 2, within: types });
    expect(compared.partOf).toBeUndefined();
    expect(wrongColumns(compared, 0, parts.at(-1)!, name)).toEqual([]);
  });
});

test('parts of too few cells are named with their cells, which are on no side, as those without a category are', () => {
  const compared = comparedCells({ a, b }, { minCells: 12, within: types });
  expect(compared.leftOut.map(({ name }) => name)).toEqual(['few']);
  const onSide = compared.sides.filter((side) => side < 2).length;
  const counted = compared.parts.reduce((sum, part) => sum + part.a + part.b, 0);
  const left = compared.leftOut.reduce((sum, part) => sum + part.a + part.b, 0);
  expect(onSide).toBe(counted);
  expect(counted + left + compared.unlabelled).toBe(a.count + b.count);
  expect(compared.unlabelled).toBeGreaterThan(0);
});

test('a category such as Unknown is compared unless it is left out, and then its cells are on no side', () => {
  const categories = types.categories.map((name) => (name === 'T' ? 'Unknown' : name));
  const of = { minCells: 12, within: { ...types, categories } };
  const [with_, without] = [undefined, 'left-out' as const].map((unassigned) =>
    comparedCells({ a, b }, { ...of, ...(unassigned && { unassigned }) }),
  );
  expect(with_!.parts.map(({ name }) => name)).toContain('Unknown');
  expect(without!.parts).toEqual(with_!.parts.filter(({ name }) => name !== 'Unknown'));
  expect(without!.leftOut.map(({ name }) => name).sort()).toEqual(['Unknown', 'few']);
  const code = categories.indexOf('Unknown');
  expect(without!.sides.filter((side, cell) => side < 2 && types.codes[cell] === code)).toHaveLength(0);
});

test('cells of both sets are counted among the active ones, and have no side', () => {
  const both = maskWhere((cell) => cell < 10);
  expect(sharedCells({ a: both, b: both })).toBe(10);
  expect(sharedCells({ a: both, b: both, active: maskWhere((cell) => cell > 7) })).toBe(2);
  expect(sharedCells({ a: both })).toBe(0);
  expect(() => comparedCells({ a: both, b: both }, { minCells: 2 })).toThrow('the sets share cells');
});

test('masks of other cells and places of other parts are refused', () => {
  const short = { bits: new Uint8Array(3), count: 0 };
  expect(() => comparedCells({ a, b: short }, { minCells: 2 })).toThrow(RangeError);
  expect(() => groupsOfPart(comparedCells({ a, b }, { minCells: 2 }), 1)).toThrow(RangeError);
  const partless = { ...comparedCells({ a, b }, { minCells: 2, within: types }), partOf: new Uint16Array(3) };
  expect(() => partStatistics(block, partless, 't-test')).toThrow(RangeError);
});
