import { boundedNames, type CategoricalColumn, cutText } from '@cellfolio/model';
import { smallSize } from '../scene/style.ts';
import type { FontStyle } from './svg-text.ts';
import { textWidth } from './text-width.ts';

/**
 * Text for one line of a figure, of at most 500 characters: control and direction-override characters and lone
 * surrogates become spaces, and runs of spaces one. Such characters are invalid in SVG or would reorder its text.
 */
export function cleanLabel(text: string): string {
  return cutText(text)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff\ufffd]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

export function categoryLabel(category: string): string {
  return cleanLabel(category) || '(blank)';
}

/** Names of adjacent categories; no two are cut to the same text. */
export function categoryLabels(categories: readonly string[]): string[] {
  return boundedNames(categories).map(categoryLabel);
}

export function columnLabels(
  { categories, labels = categories }: Pick<CategoricalColumn, 'categories' | 'labels'>,
  codes: readonly number[],
): string[] {
  return categoryLabels(codes.map((code) => labels[code]!));
}

export function ellipsised(text: string, width: number, size: number, style: FontStyle = 'regular'): string {
  return shortened(text, (cut) => textWidth(cut, size, style) <= width, 1);
}

/**
 * Cuts a text to `width`, with an ellipsis in its middle: category names often share their beginning and differ at the
 * end. For adjacent names use `fittedNames`.
 */
export function ellipsisedInside(
  text: string,
  width: number,
  size: number,
  style: FontStyle = 'regular',
): string {
  return shortened(text, (cut) => textWidth(cut, size, style) <= width, 0.6);
}

const pairGap = 24;

/** Widths for two texts at both ends of a line: half each, and what one does not need is for the other. */
export function sharedRoom(texts: readonly [string, string], width: number): [number, number] {
  const half = (width - pairGap) / 2;
  const [one, other] = texts.map((text) => textWidth(text, smallSize)) as [number, number];
  return [Math.max(half, width - pairGap - other), Math.max(half, width - pairGap - one)];
}

let segmenter: Intl.Segmenter | undefined;

/** Keeps an accent or a joined emoji with its base. Fast path for visible ASCII, which most names are. */
export function graphemesOf(text: string): string[] {
  if (/^[ -~]*$/.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter('en');
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/**
 * Drops as little as needed; `before` is the share of the kept ones before the ellipsis. Cuts between words if that
 * keeps at least half of what a cut inside words would, otherwise between graphemes.
 */
function shortened(text: string, isFit: (cut: string) => boolean, before: number): string {
  if (isFit(text)) return text;
  const graphemes = graphemesOf(text);
  const keeping = (count: number): string => {
    const head = Math.ceil(count * before);
    const start = graphemes.slice(0, head).join('').trimEnd();
    const end = graphemes
      .slice(graphemes.length - (count - head))
      .join('')
      .trimStart();
    return `${start}…${count > head ? end : ''}`;
  };
  // With each grapheme that is kept the cut grows, so the longest that fits is found by halves.
  let fitting = 0;
  let tooLong = graphemes.length;
  while (tooLong - fitting > 1) {
    const middle = (fitting + tooLong) >> 1;
    if (isFit(keeping(middle))) fitting = middle;
    else tooLong = middle;
  }
  return cutBetweenWords(text, isFit, before, fitting / 2) ?? keeping(fitting);
}

/** The cut nearest to the share `before`, of those between words that keep nearly the most letters. */
function cutBetweenWords(
  text: string,
  isFit: (cut: string) => boolean,
  before: number,
  minLetters: number,
): string | undefined {
  const breaks = breaksOf(text);
  const cuts: { cut: string; letters: number; share: number }[] = [];
  // The more words stand before the ellipsis, the fewer have room behind it.
  const ends = before === 1 ? [text.length] : breaks;
  let tail = 0;
  for (const head of breaks) {
    for (; tail < ends.length; tail++) {
      const end = text.slice(ends[tail]);
      const cut = `${text.slice(0, head).replace(/[\s,]+$/, '')}…${end}`;
      if (ends[tail]! <= head || !isFit(cut)) continue;
      cuts.push({ cut, letters: head + end.length, share: head / (head + end.length) });
      break;
    }
  }
  const maxLetters = Math.max(minLetters, 0.85 * Math.max(0, ...cuts.map(({ letters }) => letters)));
  return cuts
    .filter(({ letters }) => letters >= maxLetters)
    .toSorted((a, b) => Math.abs(a.share - before) - Math.abs(b.share - before))[0]?.cut;
}

/** Indices where a text may be broken: after a space, slash, comma, hyphen or underscore, but not inside a number. */
export function breaksOf(text: string): number[] {
  return Array.from(
    text.matchAll(/[\s/,_-]+/g),
    ({ 0: separator, index }) => index + separator.length,
  ).filter((at) => at < text.length && !/^\d,\d$/.test(text.slice(at - 2, at + 1)));
}

/** Whether lines contain every letter of the text, so that it was only wrapped, not shortened. */
export function isWhole(lines: readonly string[], text: string): boolean {
  return lines.join('').replace(/\s/g, '') === text.replace(/\s/g, '');
}

/** The text on at most `maxLines` lines of `width`, broken at {@link breaksOf}; the last one may be cut. */
export function wrappedLines(text: string, width: number, size: number, maxLines = 2): string[] {
  const lines: string[] = [];
  let rest = text;
  while (lines.length < maxLines - 1 && textWidth(rest, size) > width) {
    const isRoom = (at: number): boolean => textWidth(rest.slice(0, at).trimEnd(), size) <= width;
    const at = breaksOf(rest).findLast(isRoom) ?? 0;
    const isShort = textWidth(rest.slice(0, at), size) < width / 3;
    // A line mostly empty looks like a mistake, unless it lets all of the text be seen.
    if (at === 0 || (isShort && textWidth(rest.slice(at), size) > width)) break;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at);
  }
  return [...lines, ellipsisedInside(rest, width, size)];
}

/** Wraps words on as many lines of `width` as needed; a longer word has its own line. */
export function wrappedWords(
  text: string,
  width: number,
  size: number,
  style: FontStyle = 'regular',
): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)!} ${word}`;
    if (lines.length > 0 && textWidth(longer, size, style) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
