import { isCsvFormula } from '@cellfolio/contract';
import {
  type ColumnKind,
  NumberCollector,
  type TableColumn,
  type TableColumns,
  TextCollector,
} from './table-columns.ts';

/**
 * Reads RFC 4180 with one header line, below comment lines that begin with `#`, into columns. Short rows are filled up
 * with empty text, what is beyond the header is dropped. An apostrophe before what a spreadsheet would take for a formula
 * is taken off: it is there for spreadsheets alone.
 * @param known kinds of columns by their headings; others are text
 */
export function readCsv(text: string, known: ReadonlyMap<string, ColumnKind>): TableColumns {
  const comments = /^(?:#[^\n]*\n)*/.exec(text)![0];
  const notes = comments
    .split('\n')
    .slice(0, -1)
    .map((line) => withoutGuards(line.replace(/^# ?/, '')));
  const lines = new Fields(text, comments.length);
  const header = lines.done ? [] : lines.row();
  const kinds = header.map((name): ColumnKind => known.get(name) ?? { label: name, kind: 'text' });
  const collectors = kinds.map(({ kind }) =>
    kind === 'text' || kind === 'genes' ? new TextCollector() : new NumberCollector(),
  );
  let rowCount = 0;
  for (; !lines.done; rowCount++) {
    let place = 0;
    for (let more = true; more; place++) {
      const field = lines.field();
      more = lines.continues();
      collectors[place]?.add(withoutGuard(field));
    }
    for (; place < collectors.length; place++) collectors[place]!.add('');
  }
  const columns = collectors.map((collector, place) =>
    Object.assign(
      { name: header[place]! },
      kinds[place],
      collector instanceof TextCollector
        ? { codes: collector.codes, categories: collector.categories }
        : { numbers: collector.numbers },
    ),
  ) as TableColumn[];
  return { columns, rowCount, notes };
}

/** The fields of a text, one after the other. */
class Fields {
  readonly #text: string;
  #at: number;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  get done(): boolean {
    return this.#at >= this.#text.length;
  }

  row(): string[] {
    const fields: string[] = [];
    do fields.push(this.field());
    while (this.continues());
    return fields;
  }

  field(): string {
    const text = this.#text;
    const from = this.#at;
    if (text.charCodeAt(from) === 34) {
      const end = closingQuote(text, from + 1);
      this.#at = end + 1;
      return text.slice(from + 1, end).replaceAll('""', '"');
    }
    let end = from;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      // A comma or the end of a line.
      if (code === 44 || code === 10 || code === 13) break;
    }
    this.#at = end;
    return text.slice(from, end);
  }

  /** Goes past what ends a field. @returns whether another one follows in the row */
  continues(): boolean {
    if (this.#text[this.#at] === ',') {
      this.#at++;
      return true;
    }
    if (this.#text[this.#at] === '\r') this.#at++;
    if (this.#text[this.#at] === '\n') this.#at++;
    return false;
  }
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at === -1 ? text.length : at;
}

function withoutGuard(text: string): string {
  return text.startsWith("'") && isCsvFormula(text.slice(1)) ? text.slice(1) : text;
}

/** A line above a table as it was before separators in it were made harmless. */
function withoutGuards(line: string): string {
  return line.replaceAll(/([,;\t] *)'(?=[=+\-@＝＋－＠])/g, '$1');
}
