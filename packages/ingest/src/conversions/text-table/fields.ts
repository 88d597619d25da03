const quote = 34;
const blank = 32;

/** Ends of a line's fields: positions of the delimiters outside quotes, then the length. Returns their number. */
export function fieldEnds(line: Uint8Array, delimiter: number, ends: Int32Array): number {
  let count = 0;
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const byte = line[at]!;
    if (byte === quote) quoted = !quoted;
    else if (byte === delimiter && !quoted) {
      if (count < ends.length) ends[count] = at;
      count++;
    }
  }
  if (count < ends.length) ends[count] = line.length;
  return count + 1;
}

export function fieldCount(line: Uint8Array, delimiter: number): number {
  return fieldEnds(line, delimiter, new Int32Array(0));
}

/** Field text without quotes and surrounding blanks. */
export function fieldText(line: Buffer, from: number, to: number): string {
  return blankText(line, from, to).trim();
}

/** Field text without quotes; blanks are kept. */
export function blankText(line: Buffer, from: number, to: number): string {
  const whole = line.toString('utf8', from, to);
  const text = whole.trim();
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return whole;
  return text.slice(1, -1).replaceAll('""', '"');
}

export function fieldTexts(line: Buffer, delimiter: number): string[] {
  const ends = new Int32Array(fieldCount(line, delimiter));
  fieldEnds(line, delimiter, ends);
  return Array.from(ends, (end, field) => fieldText(line, field === 0 ? 0 : ends[field - 1]! + 1, end));
}

/** A number with at most this many digits is exact when composed digit by digit. */
const exactDigits = 15;

/**
 * Number in a field; NaN if missing (empty, `NA`, `NaN`); undefined for text. Integers, most of any count table, are
 * read digit by digit: creating a string per field takes several times as long.
 */
export function fieldNumber(line: Buffer, from: number, to: number): number | undefined {
  let start = from;
  let end = to;
  while (end > start && line[end - 1]! <= blank) end--;
  while (start < end && line[start]! <= blank) start++;
  if (line[start] === quote && end - start >= 2 && line[end - 1] === quote) {
    start++;
    end--;
  }
  if (start === end) return NaN;
  if (end - start <= exactDigits) {
    let value = 0;
    let at = start;
    for (; at < end; at++) {
      const digit = line[at]! - 48;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (at === end) return value;
  }
  return numberOf(line.toString('latin1', start, end).trim());
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?$/;
const missing = /^(|na|nan|n\/a|null)$/i;

/** {@link fieldNumber} for a string. */
export function numberOf(text: string): number | undefined {
  if (decimal.test(text)) return Number(text);
  return missing.test(text) ? NaN : undefined;
}
