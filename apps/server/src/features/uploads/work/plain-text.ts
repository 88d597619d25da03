/** Longest text that is worth showing; a file may hold names of any length. */
const LONGEST = 2000;
const LONGEST_NAME = 120;
/** Of the names that can be chosen for one part: reports of all files go into one answer, every second. */
const MOST_LISTED = 20_000;

/** Text with parts from a stranger's file: without characters that steer what shows it, and of bearable length. */
export function plainText(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '�');
  return shortened(plain, LONGEST);
}

/** A file's or column's name inside a sentence; the middle of a long one is left out, so that its ending shows. */
export function plainName(name: string): string {
  return shortened(name.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '�'), LONGEST_NAME);
}

/** The first names, as many as have so many characters together. */
export function namesWithin(names: readonly string[], most = MOST_LISTED): string[] {
  let left = most;
  const past = names.findIndex(({ length }) => (left -= length) < 0);
  return past < 0 ? [...names] : names.slice(0, past);
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const ending = Math.floor(most / 4);
  return `${text.slice(0, most - ending - 1).toWellFormed()}…${text.slice(-ending).toWellFormed()}`;
}
