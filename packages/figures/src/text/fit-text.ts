import type { FontStyle } from './font-files.ts';
import { textWidth } from './text-width.ts';

/**
 * A name fit to be drawn on one line: control and direction-override characters and lone surrogates
 * become spaces, runs of space one. Such characters are not allowed in SVG or would reorder its text.
 */
export function cleanLabel(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff\ufffd]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A category's name; one without a visible character is called blank rather than left unseen. */
export function categoryLabel(category: string): string {
  return cleanLabel(category) || '(blank)';
}

/** The text, cut to `width` with an ellipsis where it is too long. */
export function ellipsised(text: string, width: number, size: number, style: FontStyle = 'regular'): string {
  if (textWidth(text, size, style) <= width) return text;
  // By grapheme, so that an accent or a joined emoji is never torn from its base.
  const graphemes = [...new Intl.Segmenter('en').segment(text)].map((part) => part.segment);
  let kept = graphemes.length;
  while (kept > 0) {
    const cut = `${graphemes.slice(0, kept).join('').trimEnd()}…`;
    if (textWidth(cut, size, style) <= width) return cut;
    kept--;
  }
  return '…';
}

/** The text on at most two lines of `width`, broken after a space, slash, comma, hyphen or underscore. */
export function wrappedOnTwo(text: string, width: number, size: number): string[] {
  if (textWidth(text, size) <= width) return [text];
  let broken = 0;
  for (let i = 1; i < text.length; i++) {
    if (!/[\s/,_-]/.test(text[i - 1]!)) continue;
    if (textWidth(text.slice(0, i).trimEnd(), size) > width) break;
    broken = i;
  }
  // A first line mostly empty looks like a mistake.
  if (textWidth(text.slice(0, broken), size) < width / 3) return [ellipsised(text, width, size)];
  return [text.slice(0, broken).trimEnd(), ellipsised(text.slice(broken), width, size)];
}
