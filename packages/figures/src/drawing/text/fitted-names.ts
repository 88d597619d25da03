import { ellipsisedInside, graphemesOf, wrappedLines } from './fit-text.ts';
import type { FontStyle } from './svg-text.ts';
import { textWidth } from './text-width.ts';

/**
 * Adjacent names, each cut to `width`, or to its own width, like {@link ellipsisedInside}. If two different ones would
 * look alike, the distinguishing part is kept, also after an ellipsis.
 */
export function fittedNames(
  names: readonly string[],
  width: number | readonly number[],
  size: number,
  style: FontStyle = 'regular',
): string[] {
  const isFitAt = (place: number) => (cut: string) =>
    textWidth(cut, size, style) <= (typeof width === 'number' ? width : width[place]!);
  return distinctLabels(
    names,
    names.map((name, place) =>
      ellipsisedInside(name, typeof width === 'number' ? width : width[place]!, size, style),
    ),
    isFitAt,
  );
}

/** The same on at most `maxLines` lines, like {@link wrappedLines}; names that would look alike get one. */
export function fittedLines(names: readonly string[], width: number, size: number, maxLines = 2): string[][] {
  const lines = names.map((name) => wrappedLines(name, width, size, maxLines));
  const cut = lines.map((own) => own.join('\n'));
  return distinctLabels(names, cut, () => (text) => textWidth(text, size) <= width).map((text) =>
    text.split('\n'),
  );
}

/**
 * Recuts different names that were cut to the same text: from their first difference. `isFitAt`: whether a text fits at
 * the position of a name.
 */
export function distinctLabels(
  names: readonly string[],
  cut: readonly string[],
  isFitAt: (place: number) => (text: string) => boolean,
): string[] {
  const apart = [...cut];
  const places = new Map<string, number[]>();
  cut.forEach((text, place) => places.set(text, [...(places.get(text) ?? []), place]));
  for (const alike of places.values()) {
    const different = [...new Set(alike.map((place) => names[place]!))];
    if (different.length > 1)
      cutFromDifference(names, alike, isFitAt).forEach((text, i) => (apart[alike[i]!] = text));
  }
  return apart;
}

const leadPart = 0.35;
const maxLetters = 4;

/**
 * Recuts names that looked alike: their beginning, and each place where they differ, after an ellipsis, the last with
 * as much as fits. `earlier`: places before which the names differ from others, but not from each other.
 */
function cutFromDifference(
  names: readonly string[],
  alike: readonly number[],
  isFitAt: (place: number) => (text: string) => boolean,
  earlier: readonly number[] = [],
): string[] {
  const letters = alike.map((place) => graphemesOf(names[place]!));
  const same = sharedLetters(letters);
  const texts = letters.map((own, i) => shownFrom(own, [...earlier, same], isFitAt(alike[i]!)));
  const groups = new Map<string, number[]>();
  texts.forEach((text, i) => groups.set(text, [...(groups.get(text) ?? []), i]));
  for (const again of groups.values()) {
    const isApart = new Set(again.map((i) => names[alike[i]!])).size === 1;
    if (isApart || again.length === alike.length) continue;
    const places = again.map((i) => alike[i]!);
    const distinguished = cutFromDifference(names, places, isFitAt, [...earlier, same]);
    distinguished.forEach((text, nth) => (texts[again[nth]!] = text));
  }
  return texts;
}

function sharedLetters(all: readonly (readonly string[])[]): number {
  const [first = []] = all;
  let same = 0;
  while (same < first.length && all.every((one) => one[same] === first[same])) same++;
  return same;
}

function shownFrom(
  letters: readonly string[],
  places: readonly number[],
  isFit: (text: string) => boolean,
): string {
  const text = (from: number, to: number): string => letters.slice(from, to).join('');
  const last = places.at(-1)!;
  const rest = letters.length - last;
  const leads = leadsOf(letters, Math.ceil(places[0]! * leadPart));
  for (let each = maxLetters; each > 0; each--) {
    const parts = places.slice(0, -1).map((place, i) => text(place, Math.min(place + each, places[i + 1]!)));
    for (const lead of leads) {
      const head = [text(0, lead).trimEnd(), ...parts].join('…');
      const shown = (count: number) =>
        `${head}…${text(last, last + count).trimEnd()}${count < rest ? '…' : ''}`;
      const count = longest(rest, (letterCount) => isFit(shown(letterCount)));
      if (count !== undefined) return shown(wholeWords(letters, last, count));
    }
  }
  return `…${letters[last] ?? ''}`;
}

function isBreak(letters: readonly string[], at: number): boolean {
  return /[\s/,_-]/.test(letters[at - 1] ?? '');
}

/** Numbers of letters that a cut name may begin with, the most first: whole words where one fits, and none. */
function leadsOf(letters: readonly string[], maxLetters: number): number[] {
  const all = Array.from({ length: maxLetters }, (_, i) => maxLetters - i);
  const words = all.filter((lead) => isBreak(letters, lead));
  return [...(words.length > 0 ? words : all), 0];
}

/** Number of the `count` letters from `from` that whole words have, unless that is less than half. */
function wholeWords(letters: readonly string[], from: number, count: number): number {
  if (from + count >= letters.length) return count;
  for (let letterCount = count; letterCount >= count / 2; letterCount--)
    if (isBreak(letters, from + letterCount)) return letterCount;
  return count;
}

function longest(all: number, isFit: (letterCount: number) => boolean): number | undefined {
  if (isFit(all)) return all;
  let [fitting, tooLong] = [Math.min(3, all), all];
  if (!isFit(fitting)) return undefined;
  while (tooLong - fitting > 1) {
    const middle = (fitting + tooLong) >> 1;
    if (isFit(middle)) fitting = middle;
    else tooLong = middle;
  }
  return fitting;
}
