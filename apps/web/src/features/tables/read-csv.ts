import { csvCommentText, csvText } from '@cellfolio/contract';
import {
  type ColumnKind,
  NumberCollector,
  type TableColumn,
  type TableColumns,
  TextCollector,
} from './table-columns.ts';

export function readCsv(text: string, kinds: ReadonlyMap<string, ColumnKind>): TableColumns {
  const reader = new CsvReader(kinds);
  reader.add(text);
  return reader.end();
}

/**
 * Incremental reader of RFC 4180 with one header line, below comment lines that begin with `#`, into columns: a table
 * of millions of rows exceeds the maximum string length. Short rows are padded with empty text, fields beyond the
 * header are dropped. An apostrophe that protects a spreadsheet from reading text as a formula is removed.
 */
export class CsvReader {
  readonly #kinds: ReadonlyMap<string, ColumnKind>;
  readonly #notes: string[] = [];
  #header: string[] | undefined;
  #collectors: (TextCollector | NumberCollector)[] = [];
  #rowCount = 0;
  #rest = '';

  /** `kinds`: kinds of columns by heading; all others are text. */
  constructor(kinds: ReadonlyMap<string, ColumnKind>) {
    this.#kinds = kinds;
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

  get rowCount(): number {
    return this.#rowCount;
  }

  /** Rows read since the last call, with their own categories. */
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
    const batch = { columns, rowCount: this.#rowCount, notes: this.#notes };
    this.#collectors = this.#newCollectors();
    this.#rowCount = 0;
    return batch;
  }

  #newCollectors(): (TextCollector | NumberCollector)[] {
    return (this.#header ?? []).map((name) => {
      const { kind } = this.#kindOf(name);
      return kind === 'text' || kind === 'genes' ? new TextCollector() : new NumberCollector();
    });
  }

  #kindOf(name: string): ColumnKind {
    return this.#kinds.get(name) ?? { label: name, kind: 'text' };
  }

  /** `text`: whole rows. */
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

  #withoutNotes(text: string): string {
    const comments = /^(?:#[^\n]*\n)*/.exec(text)![0];
    const lines = comments.split('\n').slice(0, -1);
    this.#notes.push(...lines.map((line) => csvCommentText(line)));
    return text.slice(comments.length);
  }
}

/** End of the last whole row: after the last line break outside quotes. */
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

  /** Skips the end of a field; returns whether the row has another one. */
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
