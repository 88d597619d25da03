import { csvCommentText, csvText } from '@cellfolio/contract';
import {
  type ColumnKind,
  NumberCollector,
  type TableColumn,
  type TableColumns,
  TextCollector,
} from './table-columns.ts';

/** As `CsvReader`, of a text that is there as a whole. */
export function readCsv(text: string, known: ReadonlyMap<string, ColumnKind>): TableColumns {
  const reader = new CsvReader(known);
  reader.add(text);
  return reader.end();
}

/**
 * Reads RFC 4180 with one header line, below comment lines that begin with `#`, into columns, piece after piece: a table of
 * millions of rows is longer than a string can be. Short rows are filled up with empty text, what is beyond the header is
 * dropped. An apostrophe before what a spreadsheet would take for a formula is taken off: it is there for spreadsheets
 * alone.
 */
export class CsvReader {
  readonly #known: ReadonlyMap<string, ColumnKind>;
  readonly #notes: string[] = [];
  #header: string[] | undefined;
  #collectors: (TextCollector | NumberCollector)[] = [];
  #rowCount = 0;
  /** The beginning of a row whose end has not come. */
  #rest = '';

  /** @param known kinds of columns by their headings; others are text */
  constructor(known: ReadonlyMap<string, ColumnKind>) {
    this.#known = known;
  }

  add(piece: string): void {
    let text = this.#rest + piece;
    if (this.#header === undefined) text = this.#withoutNotes(text);
    // Quotes in a comment quote nothing: a part of one waits for the rest.
    const end = this.#header === undefined && text.startsWith('#') ? 0 : endOfRows(text);
    this.#rest = text.slice(end);
    this.#read(text.slice(0, end));
  }

  end(): TableColumns {
    this.#read(this.#rest);
    this.#rest = '';
    return this.take();
  }

  /** Rows that were read and not taken. */
  get rowCount(): number {
    return this.#rowCount;
  }

  /** The rows that were read since the last time, with categories of their own. */
  take(): TableColumns {
    const columns = this.#collectors.map((collector, place) => {
      const name = this.#header![place]!;
      return Object.assign(
        { name },
        this.#kindOf(name),
        collector instanceof TextCollector
          ? { codes: collector.codes, categories: collector.categories }
          : { numbers: collector.numbers },
      );
    }) as TableColumn[];
    const taken = { columns, rowCount: this.#rowCount, notes: this.#notes };
    this.#collectors = this.#newCollectors();
    this.#rowCount = 0;
    return taken;
  }

  #newCollectors(): (TextCollector | NumberCollector)[] {
    return (this.#header ?? []).map((name) => {
      const { kind } = this.#kindOf(name);
      return kind === 'text' || kind === 'genes' ? new TextCollector() : new NumberCollector();
    });
  }

  #kindOf(name: string): ColumnKind {
    return this.#known.get(name) ?? { label: name, kind: 'text' };
  }

  /** @param text whole rows */
  #read(text: string): void {
    const lines = new Fields(text);
    if (this.#header === undefined) {
      if (lines.done) return;
      this.#header = lines.row();
      this.#collectors = this.#newCollectors();
    }
    const collectors = this.#collectors;
    for (; !lines.done; this.#rowCount++) {
      let place = 0;
      for (let more = true; more; place++) {
        const field = lines.field();
        more = lines.continues();
        collectors[place]?.add(csvText(field));
      }
      for (; place < collectors.length; place++) collectors[place]!.add('');
    }
  }

  /** Keeps whole lines of comments, and returns what follows them. */
  #withoutNotes(text: string): string {
    const comments = /^(?:#[^\n]*\n)*/.exec(text)![0];
    const lines = comments.split('\n').slice(0, -1);
    this.#notes.push(...lines.map((line) => csvCommentText(line)));
    return text.slice(comments.length);
  }
}

/** Where the last whole row ends: behind the last line break outside quotes. */
function endOfRows(text: string): number {
  if (!text.includes('"')) return text.lastIndexOf('\n') + 1;
  let end = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) quoted = !quoted;
    else if (code === 10 && !quoted) end = at + 1;
  }
  return end;
}

/** The fields of a text, one after the other. */
class Fields {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
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
