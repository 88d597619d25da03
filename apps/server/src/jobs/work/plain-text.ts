/** Longest text that is worth showing; a file may hold names of any length. */
const LONGEST = 2000;
const LONGEST_NAME = 120;

/** Text with parts from a stranger's file: without characters that steer what shows it, and of bearable length. */
export function plainText(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '�');
  return shortened(plain, LONGEST);
}

/** A file's or column's name inside a sentence; the middle of a long one is left out, so that its ending shows. */
export function plainName(name: string): string {
  return shortened(name.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '�'), LONGEST_NAME);
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const ending = Math.floor(most / 4);
  return `${text.slice(0, most - ending - 1).toWellFormed()}…${text.slice(-ending).toWellFormed()}`;
}
