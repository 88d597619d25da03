import type { DatasetFacts } from '../dataset-facts.ts';
import { formsOf } from './words.ts';

const maxNames = 3;
const maxCompared = 40;

/** Columns and groups with a name like the text: a part of it, a word in common, or a few letters apart; the nearest first. */
export function nearNames(text: string, { groups, numbers }: DatasetFacts): string[] {
  const forms = formsOf(text);
  const names = new Set([...groups.flatMap(({ column, names: of }) => [column, ...of]), ...numbers]);
  return Array.from(names, (name) => ({ name, distance: distanceOf(forms, formsOf(name)) }))
    .filter(({ distance }) => distance <= 1)
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, maxNames)
    .map(({ name }) => name);
}

/** 0 for equal words, up to 1 for similar ones. */
function distanceOf(text: readonly string[], name: readonly string[]): number {
  const distances = text.map((form) => Math.min(...name.map((other) => wordDistance(form, other))));
  // `cell` is in half of all names, and numbers are alike.
  const telling = distances.filter(
    (_, at) => !/^\d+$/.test(text[at]!) && (text[at] !== 'cell' || text.length === 1),
  );
  const sum = telling.reduce((total, distance) => total + Math.min(distance, 2), 0);
  return telling.length === 0 ? Infinity : sum / telling.length;
}

function wordDistance(one: string, other: string): number {
  if (one === other) return 0;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length > 2 && long.startsWith(short)) return 0.5;
  if (long.length > maxCompared || long.length - short.length > 2) return Infinity;
  const edits = editsBetween(short, long);
  return edits <= (short.length > 5 ? 2 : 1) && short.length > 2 ? edits / 2 : Infinity;
}

/** Number of letters to insert, delete, replace or swap with the next. */
export function editsBetween(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      let edits = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        edits = Math.min(edits, before[j - 2]! + 1);
      next.push(edits);
    }
    [before, row] = [row, next];
  }
  return row[other.length]!;
}
