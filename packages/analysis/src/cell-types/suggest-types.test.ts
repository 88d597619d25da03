import { expect, test } from 'vitest';
import { type BlockStatistics, blockStatistics } from '../markers/block-statistics.ts';
import type { CellGroups } from '../markers/cell-groups.ts';
import { conflictingType } from './conflicting-type.ts';
import { groupProfiles } from './group-profiles.ts';
import { PairedCellCounter } from './paired-cells.ts';
import { type ResolvedType, resolveMarkers } from './resolve-markers.ts';
import { groupEvidence, profileSets, type SuggestionRule } from './suggest-types.ts';

const rule: SuggestionRule = { maxAdjustedP: 0.05, minExpressed: 3, minShare: 0.1, minMargin: 0.1 };
const [geneCount, cellsOfGroup, typeCount, markersOfType] = [1200, 60, 12, 8];

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
}

const types: readonly ResolvedType[] = Array.from({ length: typeCount }, (_, type) => ({
  type,
  rows: Int32Array.from({ length: markersOfType }, (__, at) => type * markersOfType + at),
  weights: new Float64Array(markersOfType).fill(1),
  missing: [],
}));

function simulated(
  groupTypes: readonly (readonly number[])[],
  { seed, doublets = false }: { seed: number; doublets?: boolean },
): { groups: CellGroups; blocks: BlockStatistics[]; genes: (readonly [number, number])[][] } {
  const random = generator(seed);
  const cellCount = groupTypes.length * cellsOfGroup;
  const codes = Uint16Array.from({ length: cellCount }, (_, cell) => Math.floor(cell / cellsOfGroup));
  const genes = Array.from({ length: geneCount }, (_, gene) => {
    const usual = gene < typeCount * markersOfType ? 0.04 : random() ** 2;
    const type = Math.floor(gene / markersOfType);
    return Array.from(codes.keys()).flatMap((cell): [number, number][] => {
      const own = groupTypes[codes[cell]!]!;
      const isOn =
        gene < typeCount * markersOfType && (doublets ? own : [own[cell % own.length]]).includes(type);
      return random() < (isOn ? 0.7 : usual) ? [[cell, Math.log1p(1 + 3 * random())]] : [];
    });
  });
  const groups = {
    names: groupTypes.map((_, group) => String(group)),
    sizes: new Float64Array(groupTypes.length).fill(cellsOfGroup),
    codes,
    cellCount,
  };
  const starts = Float64Array.from([0, ...genes.map(({ length }) => length)]);
  for (let gene = 0; gene < geneCount; gene++) starts[gene + 1]! += starts[gene]!;
  const entries = genes.flat();
  const block = {
    cellCount,
    firstGene: 0,
    starts,
    cells: Int32Array.from(entries, ([cell]) => cell),
    values: Float32Array.from(entries, ([, value]) => value),
  };
  return { groups, blocks: [blockStatistics(block, groups, 't-test')], genes };
}

function evidenceOf({ groups, blocks }: ReturnType<typeof simulated>, candidates = types) {
  const groupPlaces = groups.names.map((_, group) => group);
  const profiles = groupProfiles(blocks, groups, groupPlaces);
  const sets = profileSets(candidates, profiles);
  return groupPlaces.map((group) => groupEvidence(profiles, group, sets, rule));
}

test('groups that express the markers of a type are assigned to it, and ora agrees', () => {
  const planted = [3, 0, 7, 11, 5];
  const allEvidence = evidenceOf(
    simulated(
      planted.map((type) => [type]),
      { seed: 5 },
    ),
  );
  expect(allEvidence.map(({ order }) => order[0])).toEqual(planted);
  for (const [group, { reasons, expressed, margin, top, linear }] of allEvidence.entries()) {
    expect(reasons).toEqual([]);
    expect(expressed[planted[group]!]).toBe(markersOfType);
    expect(margin).toBeGreaterThan(0.5);
    expect(top.adjustedPs[planted[group]!]).toBeLessThan(0.001);
    expect(linear.adjustedPs[planted[group]!]).toBeLessThan(1e-10);
  }
});

test('markers without a signal are Unclear: types of genes drawn at random are suggested for few groups', () => {
  const random = generator(9);
  let [groups, suggested] = [0, 0];
  for (let round = 0; round < 10; round++) {
    const randomTypes = types.map((type) => ({
      ...type,
      rows: Int32Array.from(type.rows, () => Math.floor(random() * geneCount)),
    }));
    for (const { reasons } of evidenceOf(
      simulated([[3], [0], [7], [11]], { seed: round + 1 }),
      randomTypes,
    )) {
      groups++;
      if (reasons.length === 0) suggested++;
    }
  }
  expect(suggested / groups).toBeLessThan(0.15);
});

test('each rule says why a group is Unclear', () => {
  const data = simulated([[3], [0], [7]], { seed: 2 });
  const twin = { ...types[3]!, type: typeCount };
  const [close] = evidenceOf(data, [...types, twin]);
  expect([close!.reasons, close!.margin]).toEqual([['small-margin'], 0]);
  const two = types.map((type) => ({
    ...type,
    rows: type.rows.slice(0, 2),
    weights: type.weights.slice(0, 2),
  }));
  expect(evidenceOf(data, two)[0]!.reasons).toContain('few-markers');
  const [nothing] = evidenceOf(simulated([[], [], []], { seed: 3 }));
  expect(nothing!.reasons).toContain('not-significant');
});

test('a group of two types is detected, and its cells distinguish doublets from a mixture', () => {
  const lineages = types.map((_, type) => (type < 6 ? 'one' : 'other'));
  const counted = [true, false].map((doublets) => {
    const data = simulated([[3, 8], [0], [7], [11]], { seed: 4, doublets });
    const allEvidence = evidenceOf(data);
    const looksLike = allEvidence.map((evidence) => conflictingType(evidence, types, lineages, rule));
    expect([allEvidence[0]!.order[0], looksLike[0]].toSorted()).toEqual([3, 8]);
    expect(looksLike.slice(1)).toEqual([undefined, undefined, undefined]);
    const counter = new PairedCellCounter(data.groups, [
      { group: 0, markers: [types[3]!.rows, types[8]!.rows] },
    ]);
    for (const row of counter.rows) {
      const entries = data.genes[row]!;
      counter.add(
        row,
        Int32Array.from(entries, ([cell]) => cell),
        Float32Array.from(entries, ([, value]) => value),
      );
    }
    return counter.counted()[0]!;
  });
  const [doublets, mixture] = counted;
  expect(doublets!.both).toBeGreaterThan(0.9 * cellsOfGroup);
  expect(mixture!.both).toBeLessThan(0.15 * cellsOfGroup);
  expect(mixture!.one + mixture!.other).toBeGreaterThan(0.9 * cellsOfGroup);
});

test('types of one lineage are no conflict, nor such that share a marker where a lineage is not known', () => {
  const data = simulated([[3, 8], [0], [7], [11]], { seed: 4, doublets: true });
  const [evidence] = evidenceOf(data);
  const none = types.map(() => '');
  expect(
    conflictingType(
      evidence!,
      types,
      types.map(() => 'one'),
      rule,
    ),
  ).toBeUndefined();
  expect(conflictingType(evidence!, types, none, rule)).toBeDefined();
  const shares = { ...types[8]!, rows: Int32Array.from([...types[8]!.rows, types[3]!.rows[0]!]) };
  const sharing = types.with(8, shares);
  expect(conflictingType(evidence!, sharing, none, rule)).toBeUndefined();
});

test('markers that a dataset lacks are named, and types with too few left are left out', () => {
  const list = [
    { type: 'A', lineage: '', reference: '', genes: ['G1', 'g1', 'GONE'], weights: [2, 1, 1] },
    { type: 'B', lineage: '', reference: '', genes: ['G2', 'G3'], weights: [1, 1] },
  ];
  const find = (symbol: string) => (/^G\d$/i.test(symbol) ? Number(symbol.slice(1)) : undefined);
  expect(resolveMarkers(list, find, 2)).toEqual({
    types: [{ type: 1, rows: Int32Array.of(2, 3), weights: Float64Array.of(1, 1), missing: [] }],
    leftOut: [0],
    markers: 4,
    missing: 1,
  });
});
