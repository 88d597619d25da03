export class InvalidList extends Error {
  override readonly name: string = 'InvalidList';

  constructor(fileName: string, reason: string) {
    super(`${fileName}: ${reason}`);
  }
}

interface TextRow {
  cells: readonly string[];
  /** 1-based. */
  line: number;
}

/**
 * Rows of CSV (RFC 4180) or tab-separated text, without blank rows and comments (#). The first row determines the
 * separator: tab, comma or semicolon.
 */
export function readDelimited(input: string): TextRow[] {
  const text = input.replace(/^\uFEFF/, '');
  const first = text.split(/\r\n|\r|\n/).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  const separator = ['\t', ',', ';'].find((one) => first.includes(one)) ?? ',';
  const rows: TextRow[] = [];
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const began = line;
    const cells: string[] = [];
    for (;;) {
      const { cell, end, lines } = readCell(text, at, separator);
      cells.push(cell);
      line += lines;
      at = end;
      if (text[at] !== separator) break;
      at++;
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    at++;
    line++;
    const isBlank = cells.length === 1 && cells[0]!.trim() === '';
    if (!isBlank && !cells[0]!.startsWith('#')) rows.push({ cells, line: began });
  }
  return rows;
}

function readCell(text: string, from: number, separator: string) {
  if (text[from] !== '"') {
    let end = from;
    while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++;
    return { cell: text.slice(from, end).trim(), end, lines: 0 };
  }
  let close = text.indexOf('"', from + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  const last = close < 0 ? text.length : close;
  const quoted = text.slice(from + 1, last);
  let end = last + 1;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++;
  const lines = quoted.split('\n').length - 1;
  return { cell: quoted.replaceAll('""', '"').trim(), end: Math.min(end, text.length), lines };
}

/** Index of each column, by the first of its headings that the file has, ignoring case; -1 if it has no such column. */
export function columnPlaces<Name extends string>(
  header: readonly string[],
  headings: Readonly<Record<Name, readonly string[]>>,
): Record<Name, number> {
  const names = header.map((name) => name.trim().toLowerCase());
  const places = Object.entries<readonly string[]>(headings).map(([name, synonyms]) => [
    name,
    synonyms.map((heading) => names.indexOf(heading)).find((at) => at >= 0) ?? -1,
  ]);
  return Object.fromEntries(places) as Record<Name, number>;
}

export function quotedHeadings(header: readonly string[]): string {
  return header
    .slice(0, 8)
    .map((name) => JSON.stringify(name.trim().toLowerCase().slice(0, 40)))
    .join(', ');
}

export function isNoSymbol(name: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  return name.length > 100 || /[\u0000-\u001f\u007f]/.test(name);
}
