import { pluralWord } from '@/lib/format.ts';
/** Indices of the sets that contain the cells; the cells are in no other set. */
export type Combination = readonly number[];

/** Describes the cells of some combinations of sets; `all` are the combinations with cells. */
export function setWords(
  names: readonly string[],
  all: readonly Combination[],
  selected: readonly Combination[],
): string {
  const chosen = new Set(selected.map(keyOf));
  const are = (within: (combination: Combination) => boolean) =>
    all.every((combination) => within(combination) === chosen.has(keyOf(combination)));
  const simpleSet = simpleSets(names).find(([, within]) => are(within));
  if (simpleSet) return simpleSet[0];
  return selected.map((inside) => combinationWords(names, inside)).join('; or ');
}

type SimpleSet = [words: string, within: (combination: Combination) => boolean];

/** Selections with a short description: the union or intersection of some sets, without the others. */
function simpleSets(names: readonly string[]): SimpleSet[] {
  const ofAll: SimpleSet[] = [
    [listed(names, 'or'), (inside) => inside.length > 0],
    [listed(names, 'and'), (inside) => inside.length === names.length],
    [`exactly one of ${listed(names, 'and')}`, (inside) => inside.length === 1],
    [`none of ${listed(names, 'and')}`, (inside) => inside.length === 0],
  ];
  const sets: SimpleSet[] = [];
  for (let bits = 1; bits < 2 ** names.length; bits++) {
    const has = (place: number) => ((bits >> place) & 1) === 1;
    const [some, others] = [names.filter((_, at) => has(at)), names.filter((_, at) => !has(at))];
    const common = (inside: Combination) => names.every((_, at) => !has(at) || inside.includes(at));
    const only = (inside: Combination) => inside.every(has) && inside.length > 0;
    sets.push([listed(some, 'or'), (inside) => inside.some(has)], [listed(some, 'and'), common]);
    if (others.length > 0) sets.push([`${listed(some, 'or')} without ${listed(others, 'and')}`, only]);
  }
  return [...ofAll, ...sets.toSorted(([a], [b]) => a.length - b.length)];
}

/** Such as “A and B without C”. */
export function combinationWords(names: readonly string[], inside: Combination): string {
  const within = names.filter((_, place) => inside.includes(place));
  const without = names.filter((_, place) => !inside.includes(place));
  if (within.length === 0) return `none of ${listed(names, 'and')}`;
  return without.length === 0
    ? listed(within, 'and')
    : `${listed(within, 'and')} without ${listed(without, 'and')}`;
}

export function keyOf(combination: Combination): string {
  return combination.join();
}

function listed(names: readonly string[], word: 'and' | 'or'): string {
  if (names.length < 2) return names.join();
  return `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)!}`;
}

export type SetChoice = 'all' | 'any' | 'one';

/** Why no cell is chosen; `counts` holds the cells of each set. */
export function emptyWords(
  names: readonly string[],
  { counts, all }: { counts: readonly number[]; all: readonly Combination[] },
  choice: SetChoice,
): string {
  if (choice === 'any') return '0 cells in any: the sets have no cells.';
  if (choice === 'one') return '0 cells in one only: each cell is in at least two sets.';
  const empty = names.filter((_, place) => counts[place] === 0);
  if (empty.length > 0) {
    return `0 cells in all: ${listed(empty, 'and')} ${pluralWord(empty.length, 'has', 'have')} no cells.`;
  }
  for (let a = 0; a < names.length; a++) {
    for (let b = a + 1; b < names.length; b++) {
      if (all.some((inside) => inside.includes(a) && inside.includes(b))) continue;
      return `0 cells in all: no cell is in both ${names[a]!} and ${names[b]!}.`;
    }
  }
  return `0 cells in all: any two of the sets share cells, but no cell is in all ${names.length}.`;
}
