import { comparison, markers } from '@cellfolio/analyses';
import { listedNames } from '@cellfolio/model';
import { one, step, withoutGroups } from './analysis-steps.ts';
import type { GroupMention, GroupName, Mention } from './mentions.ts';
import {
  cellsOf,
  columnsIn,
  type Draft,
  type Filter,
  filterName,
  filterOf,
  genesOf,
  groupOf,
  groupsIn,
  inCells,
  namedGroups,
  type Reading,
  says,
  sharedColumn,
  take,
  takeGroups,
  takeGroupsOf,
  takeRestriction,
  titleOf,
  usualGrouping,
  wordBefore,
} from './reading.ts';

/** Rules of comparisons and of markers. @module */

export interface Sides {
  readonly a: { readonly name: string; readonly filter: object };
  readonly b?: { readonly name: string; readonly filter: object };
}

const apart = new Set(['vs', 'versus', 'against', 'with', 'to', 'than', 'from']);

/** The two groups that a question compares, of one column; or those of a column that has two. */
export function pairIn(
  reading: Reading,
): readonly [GroupName, GroupName] | { readonly problem: string } | undefined {
  const groups = groupsIn(reading);
  const columns = new Set(groups.flatMap(({ options }) => options.map(({ column }) => column)));
  const sets = Array.from(columns).map((column) => {
    const of = groups.filter((one) => groupOf(one, column) !== undefined);
    return { column, of, names: [...new Set(of.map((one) => groupOf(one, column)!.name))] };
  });
  const several = sets.filter(({ names }) => names.length > 1);
  const pair = several.find(({ of }) => of.some((one) => apart.has(wordBefore(reading, one)))) ?? several[0];
  if (pair !== undefined) {
    const { column, names, of } = pair;
    const others = several.filter((set) => set.of.some((one) => !of.includes(one)));
    if (names.length > 2 || others.length > 0) return { problem: tooManySides(names) };
    takeGroups(reading, of);
    return [
      { column, name: names[0]! },
      { column, name: names[1]! },
    ];
  }
  const by = columnsIn(reading, false).find(({ column }) => namedGroups(reading, column).length === 2);
  if (by === undefined) return undefined;
  take(reading, by);
  const [first = '', second = ''] = namedGroups(reading, by.column);
  return [
    { column: by.column, name: first },
    { column: by.column, name: second },
  ];
}

function tooManySides(names: readonly string[]): string {
  return `A comparison has two sides: name two groups of one column, or one to be compared with all other cells. The question has ${listedNames(names, 5, 40)}.`;
}

/** Both sides of a comparison; of one group against all others B is absent. */
export function takeSides(
  reading: Reading,
): (Sides & { readonly cells?: object; readonly text: string }) | { readonly problem: string } {
  const pair = pairIn(reading);
  if (pair !== undefined && 'problem' in pair) return pair;
  if (pair !== undefined) {
    const rest = takeRestriction(reading);
    if ('problem' in rest) return rest;
    const [a, b] = pair.map((group) => sideOf(reading, group, rest));
    return { a: a!, b: b!, text: `${a!.name} and ${b!.name}` };
  }
  const [first] = groupsIn(reading);
  const by = columnsIn(reading, false).find((mention) => !isEach(reading, mention));
  if (first === undefined || by !== undefined) {
    const names = by === undefined ? [] : namedGroups(reading, by.column);
    const which = by === undefined ? '' : ` ${titleOf(reading, by.column)} has ${listedNames(names, 5, 40)}.`;
    return { problem: `Name two groups to be compared, or one to be compared with all other cells.${which}` };
  }
  return takeOneSide(reading, first);
}

/** `within each cell type`: the comparison is made in each of its groups. */
function isEach({ words }: Reading, { from }: Mention): boolean {
  return ['each', 'every', 'per', 'within'].includes(words[from - 1]?.form ?? '');
}

/** A group against all other cells, or against those of the other groups in the question. */
function takeOneSide(reading: Reading, first: GroupMention) {
  takeGroups(reading, [first]);
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  const a = sideOf(reading, groupOf(first)!, { groups: [] });
  return { a, ...cellsOf(reading, rest), text: `${a.name} and all other cells${inCells(reading, rest)}` };
}

export function sideOf(reading: Reading, group: GroupName, rest: Filter): Sides['a'] {
  const filter = { ...rest, groups: [...rest.groups, group] };
  return {
    name: filterName(reading, filter),
    filter: { ...filterOf(reading, filter), subset_group_name: 'Group' },
  };
}

export function comparisonOf(reading: Reading): Draft | undefined {
  // Named genes are drawn, not tested.
  if (genesOf(reading).length + columnsIn(reading, true).length > 0) return undefined;
  const sides = takeSides(reading);
  if ('problem' in sides) return sides;
  const within = columnsIn(reading, false).find((mention) => !reading.used.has(mention));
  if (within !== undefined) take(reading, within);
  const { text, ...of } = sides;
  const each = within === undefined ? '' : ` within each group of ${titleOf(reading, within.column)}`;
  const args = { ...of, ...(within && { within: within.column }) };
  return one(comparison, args, `Which genes differ between ${text}${each}?`);
}

export function markersOfGroups(reading: Reading): Draft | undefined {
  const groups = groupsIn(reading);
  const [by, split, ...more] = columnsIn(reading, false);
  if (more.length > 0)
    return { problem: 'Markers are of the groups of one column, split by one more at most.' };
  if (by === undefined && groups.length > 0) return markersOfSome(reading, groups);
  take(reading, ...[by, split].filter((mention) => mention !== undefined));
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  const groupby = by?.column ?? usualGrouping(reading);
  if (groupby === undefined) return withoutGroups;
  const args = { ...cellsOf(reading, rest), groupby, ...(split && { split: { column: split.column } }) };
  return one(
    markers,
    args,
    `Which genes mark each group of ${titleOf(reading, groupby)}${inCells(reading, rest)}?`,
  );
}

/** Markers of some groups: each against all other cells, or two against each other. */
function markersOfSome(reading: Reading, groups: readonly GroupMention[]): Draft | undefined {
  if (says(reading, 'vs', 'versus', 'against', 'compared with', 'compared to')) return comparisonOf(reading);
  const [first] = groups;
  const { column } = groupOf(first!, sharedColumn(groups))!;
  const names = takeGroupsOf(reading, column);
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  return {
    steps: names.map((name) => {
      const a = sideOf(reading, { column, name }, { groups: [] });
      const purpose = `Which genes mark ${a.name} against all other cells${inCells(reading, rest)}?`;
      return step(comparison, { ...cellsOf(reading, rest), a }, purpose);
    }),
  };
}

/** A comparison that only its shape tells: `tumor vs normal`. */
export function comparisonDraft(reading: Reading): Draft | undefined {
  if (!says(reading, 'vs', 'versus', 'against', 'compared with', 'compared to')) return undefined;
  return comparisonOf(reading);
}
