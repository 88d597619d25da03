/**
 * Maximum characters (UTF-16 code units) of a name from a file: a column, a category, a gene, an embedding. The API has
 * the same limit, so every stored name can be requested.
 */
export const maxNameLength = 500;

/** Maximum number of categories of a column that is listed, or used as groups of cells. */
export const maxCategories = 5000;

/** Maximum characters of all metadata labels that a dataset offers, and so of the responses that list them. */
export const maxListedCharacters = 500_000;

export const maxFields = 200;

/** Maximum characters of all gene names of a dataset: ten times those of any annotation. */
export const maxGeneNameCharacters = 16_000_000;

/** Code units that are split into graphemes to find the place of a cut: a family emoji has 11. */
const LONGEST_GRAPHEME = 64;

let segmenter: Intl.Segmenter | undefined;

/**
 * Cuts a text to `maxLength` characters, ending in an ellipsis. Never leaves half a surrogate pair, and keeps an accent or a
 * joined emoji with its base, unless the grapheme alone is longer than any in real text.
 */
export function cutText(text: string, maxLength = maxNameLength): string {
  if (text.length <= maxLength) return text;
  return `${headOf(text, maxLength - 1)}…`;
}

/**
 * The first `max` names for a message, each cut to `maxLength` characters, and a count of the others: `A, B and 37 more`.
 */
export function listedNames(names: readonly string[], max = 10, maxLength = 80): string {
  const shown = names.slice(0, max).map((name) => cutText(name, maxLength));
  return shown.join(', ') + (names.length > max ? ` and ${countText(names.length - max)} more` : '');
}

/** First characters of a text for a message, quoted as JSON, so that none of them controls a terminal. */
export function quotedHead(text: string, maxLength = 40): string {
  const head = cutText(text, maxLength).toWellFormed();
  return JSON.stringify(head.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '�'));
}

/**
 * Cuts names to `maxLength` characters each, in order. Cut names that collide get ` (2)`, ` (3)`… except the first, so that
 * different names stay different. Equal names stay equal.
 */
export function boundedNames(names: readonly string[], maxLength = maxNameLength): readonly string[] {
  if (names.every((name) => name.length <= maxLength)) return names;
  const usedNames = new Set(names.filter((name) => name.length <= maxLength));
  const shortened = new Map<string, string>();
  const counts = new Map<string, number>();
  return names.map((name) => {
    if (name.length <= maxLength) return name;
    const cached = shortened.get(name);
    if (cached !== undefined) return cached;
    const head = cutText(name, maxLength - ' (1000000)'.length);
    let shown = head;
    for (let n = counts.get(head) ?? 1; usedNames.has(shown); shown = `${head} (${n})`) counts.set(head, ++n);
    usedNames.add(shown);
    shortened.set(name, shown);
    return shown;
  });
}

function headOf(text: string, maxLength: number): string {
  segmenter ??= new Intl.Segmenter('en');
  const from = onPair(text, Math.max(0, maxLength - LONGEST_GRAPHEME));
  const end = onPair(text, maxLength);
  let cut = from;
  for (const { index, segment } of segmenter.segment(text.slice(from, maxLength + LONGEST_GRAPHEME))) {
    if (from + index + segment.length > maxLength) break;
    cut = from + index + segment.length;
  }
  // One mark over another without end is no letter of any script.
  return text.slice(0, cut > from ? cut : end).trimEnd();
}

/** The position, or the one before it if it is inside a surrogate pair. */
function onPair(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}

/** 12345.6789 as `12,345.679`: at most three decimals, in the messages of all packages. */
export function countText(count: number): string {
  // By hand: `Intl` takes up to a tenth of a second for its first number on a phone.
  const [whole = '', decimals] = String(Math.round(count * 1000) / 1000).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}

/** `1 dataset`, `3 datasets`; `many` where it is not `one` with an s, as in `1 cell has`, `3 cells have`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${pluralWord(count, one, many)}`;
}

/** The word without its number, such as a verb: `is` or `are`. */
export function pluralWord(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/**
 * Formats a share with one decimal, also above ten percent and for round numbers, so that shares in a table or sentence
 * can be compared. A part that rounds to nothing is `< 0.1 %`, one that rounds to all `> 99.9 %`. With `whole` 0 it is
 * `0 %`: the sentence must say that there are none. `whole`: 1 if `part` is already a share.
 */
export function percentText(part: number, whole = 1): string {
  if (whole === 0) return '0 %';
  const percent = (100 * part) / whole;
  if (part > 0 && percent < 0.1) return '< 0.1 %';
  if (part < whole && percent > 99.9) return '> 99.9 %';
  return `${percent.toFixed(1)} %`;
}

/**
 * The smallest double with full precision. A smaller p-value is shown as `< 2.2e-308`: a computed 0 means less than a
 * number can express, never zero.
 */
export const minPValue = 2.2250738585072014e-308;

/** Whether the first bytes of a file are UTF-16 or UTF-32 text: a byte-order mark, or a zero in each character. */
export function isUtf16(head: Uint8Array): boolean {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const units = head.subarray(0, 16);
  const isZero = (parity: number) =>
    units.length === 16 && units.every((byte, at) => (byte === 0) === (at % 2 === parity));
  return isZero(0) || isZero(1);
}

export const utf16Advice =
  'Save it as UTF-8: “CSV UTF-8” in Excel, “UTF-8” as the encoding in an editor, -Encoding utf8 in PowerShell.';

/**
 * Whether a path is one that systems put beside user data: `._matrix.mtx` and `.DS_Store` of macOS, the folder
 * `__MACOSX` of its archives.
 */
export function isSystemFile(path: string): boolean {
  return /(?:^|\/)(?:\._[^/]*|\.DS_Store|__MACOSX)(?:\/|$)/i.test(path);
}
