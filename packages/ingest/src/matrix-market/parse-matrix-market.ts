import { textChunks, type ReadTextOptions, TextFileError } from './read-text.ts';

export interface MatrixMarketHeader {
  rows: number;
  columns: number;
  entries: number;
  field: 'integer' | 'real';
}

/** Some entries in file order, with 0-based indices. The arrays are reused for the next ones. */
export interface Entries {
  header: MatrixMarketHeader;
  count: number;
  rows: Int32Array;
  columns: Int32Array;
  values: Float64Array;
}

/**
 * Entries per batch: an entry has at least six characters, so that a chunk of a mebibyte cannot hold more, including
 * leftovers of the previous one.
 */
const batch = 262_144;
const maxLineLength = 65_536;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const tab = 9;
const zero = 48;
const nine = 57;
const percent = 37;

/**
 * Reads a Matrix Market coordinate file (https://math.nist.gov/MatrixMarket/formats.html) sequentially, in batches of
 * entries; the last batch may be empty. Accepts LF, CRLF and CR, also mixed; skips a byte-order mark; unpacks gzip.
 * Throws TextFileError that names the line; the signal's reason when aborted.
 */
export async function* matrixEntries(path: string, options: ReadTextOptions = {}): AsyncGenerator<Entries> {
  const parser = new MatrixMarketParser(path);
  for await (const chunk of textChunks(path, options)) {
    parser.push(chunk);
    if (parser.batched > 0) yield parser.take();
  }
  parser.finish();
  yield parser.take();
}

/** Reads only the header. Throws TextFileError. */
export async function readMatrixMarketHeader(path: string): Promise<MatrixMarketHeader> {
  const parser = new MatrixMarketParser(path);
  for await (const chunk of textChunks(path)) {
    parser.push(chunk.subarray(0, 4 * maxLineLength));
    if (parser.hasHeader) break;
  }
  return parser.header;
}

/** By the keyword in the file; STARsolo labels its fractional counts `float`. */
const fields = new Map<string, MatrixMarketHeader['field']>([
  ['integer', 'integer'],
  ['real', 'real'],
  ['float', 'real'],
  ['double', 'real'],
]);

class MatrixMarketParser {
  readonly #path: string;
  #rows = new Int32Array(0);
  #columns = new Int32Array(0);
  #values = new Float64Array(0);
  #rest: Buffer = Buffer.alloc(0);
  #line = 0;
  #field: MatrixMarketHeader['field'] | undefined;
  #header: MatrixMarketHeader | undefined;
  #batched = 0;
  #seen = 0;

  constructor(path: string) {
    this.#path = path;
  }

  get hasHeader(): boolean {
    return this.#header !== undefined;
  }

  get batched(): number {
    return this.#batched;
  }

  /** Throws TextFileError if the file ended before its sizes. */
  get header(): MatrixMarketHeader {
    if (this.#header !== undefined) return this.#header;
    if (this.#line === 0) this.#headerLine(this.#rest.toString('latin1'));
    throw this.#error('truncated', 'the file ends before the line with the sizes of the matrix.');
  }

  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const complete = lastLineEnd(bytes);
    this.#rest = bytes.subarray(complete);
    if (this.#rest.length > maxLineLength) throw this.#tooLong();
    this.#lines(bytes.subarray(0, complete));
  }

  take(): Entries {
    const count = this.#batched;
    this.#batched = 0;
    return {
      header: this.header,
      count,
      rows: this.#rows,
      columns: this.#columns,
      values: this.#values,
    };
  }

  finish(): void {
    // The last line may have no end.
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    if (rest.length > 0) this.#lines(Buffer.concat([rest, Buffer.of(lineFeed)]));
    const { header } = this;
    if (this.#seen !== header.entries) {
      throw this.#error(
        'truncated',
        `the file declares ${header.entries} entries and holds ${this.#seen}. It was cut short; upload or write it again.`,
      );
    }
  }

  #lines(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && this.#header === undefined) {
      const end = lineEnd(bytes, at);
      this.#headerLine(bytes.toString('latin1', at, end));
      at = pastLineEnd(bytes, end);
    }
    if (this.#header !== undefined) this.#entryLines(bytes, at, this.#header);
  }

  #headerLine(raw: string): void {
    this.#line++;
    const text = (this.#line === 1 ? raw.replace(/^\u00EF\u00BB\u00BF/, '') : raw).trim();
    if (this.#line === 1) {
      this.#field = this.#banner(text);
      return;
    }
    if (text === '' || text.startsWith('%')) return;
    const sizes = text.split(/\s+/);
    const [rows, columns, entries] = sizes.map((size) => (/^\d{1,15}$/.test(size) ? Number(size) : -1));
    if (sizes.length !== 3 || rows === undefined || rows < 0 || columns! < 0 || entries! < 0) {
      throw this.#error(
        'malformed',
        `should hold the numbers of rows, columns and entries, and reads ${quoted(text)}.`,
      );
    }
    if (rows > 2_147_483_647 || columns! > 2_147_483_647)
      throw this.#error('unsupported', `declares ${rows} x ${columns} values, more than can be handled.`);
    if (entries! > rows * columns!) {
      throw this.#error('malformed', `declares ${entries} entries for ${rows} x ${columns} values.`);
    }
    if (rows === 0 || columns === 0) throw this.#error('empty', 'the matrix has no rows or no columns.');
    this.#header = { rows, columns: columns!, entries: entries!, field: this.#field! };
    const capacity = Math.min(batch, entries!);
    this.#rows = new Int32Array(capacity);
    this.#columns = new Int32Array(capacity);
    this.#values = new Float64Array(capacity);
  }

  #banner(text: string): MatrixMarketHeader['field'] {
    const [mark, object, format, field, symmetry] = text.toLowerCase().split(/\s+/);
    if (mark !== '%%matrixmarket' || object !== 'matrix') {
      throw this.#error(
        'not-matrix-market',
        'is not a Matrix Market file: its first line should begin with "%%MatrixMarket matrix". Is this the matrix.mtx of Cell Ranger or STARsolo?',
      );
    }
    if (format !== 'coordinate')
      throw this.#error(
        'unsupported',
        'holds a dense array; write it as "coordinate" (sparse), as Cell Ranger does.',
      );
    if (field === 'pattern')
      throw this.#error(
        'unsupported',
        'declares "pattern": the file says which values are not zero, and holds no counts. Export the counts again, as "integer" or "real".',
      );
    const fieldKind = fields.get(field ?? '');
    if (fieldKind === undefined)
      throw this.#error(
        'unsupported',
        `holds ${quoted(field ?? '')} values; counts are "integer" or "real".`,
      );
    if (symmetry !== 'general')
      throw this.#error('unsupported', `is declared ${quoted(symmetry ?? '')}; a count matrix is "general".`);
    return fieldKind;
  }

  #entryLines(bytes: Buffer, start: number, header: MatrixMarketHeader): void {
    let at = start;
    while (at < bytes.length) {
      this.#line++;
      let byte = bytes[at]!;
      while (byte === space || byte === tab) byte = bytes[++at]!;
      if (byte === lineFeed || byte === carriageReturn || byte === percent) {
        at = pastLineEnd(bytes, lineEnd(bytes, at));
        continue;
      }
      const lineStart = at;
      let row = 0;
      let digits = at;
      while (byte >= zero && byte <= nine) {
        row = row * 10 + (byte - zero);
        byte = bytes[++at]!;
      }
      let fine = at > digits && (byte === space || byte === tab);
      while (byte === space || byte === tab) byte = bytes[++at]!;
      let column = 0;
      digits = at;
      while (byte >= zero && byte <= nine) {
        column = column * 10 + (byte - zero);
        byte = bytes[++at]!;
      }
      fine &&= at > digits;
      fine &&= byte === space || byte === tab;
      while (byte === space || byte === tab) byte = bytes[++at]!;
      digits = at;
      let value = 0;
      while (byte >= zero && byte <= nine) {
        value = value * 10 + (byte - zero);
        byte = bytes[++at]!;
      }
      if (byte !== lineFeed && byte !== carriageReturn && byte !== space && byte !== tab) {
        const end = lineEnd(bytes, at);
        value = decimal(bytes.toString('latin1', digits, end).trim());
        at = end;
        byte = bytes[at]!;
      } else fine &&= at > digits;
      while (byte === space || byte === tab) byte = bytes[++at]!;
      if (!fine || (byte !== lineFeed && byte !== carriageReturn)) {
        const text = bytes.toString('latin1', lineStart, Math.min(lineEnd(bytes, lineStart), lineStart + 80));
        throw this.#error('malformed', `should hold a row, a column and a count, and reads ${quoted(text)}.`);
      }
      this.#entry(row, column, value, header);
      at = pastLineEnd(bytes, at);
    }
  }

  #entry(row: number, column: number, value: number, header: MatrixMarketHeader): void {
    if (row < 1 || row > header.rows || column < 1 || column > header.columns) {
      throw this.#error(
        'out-of-range',
        `names row ${row}, column ${column} of a matrix of ${header.rows} x ${header.columns}; both count from 1.`,
      );
    }
    if (!(value >= 0) || value === Infinity) {
      throw this.#error(
        'not-counts',
        `holds ${valueText(value)}. Counts are numbers, none negative: use the raw matrix, not a scaled one.`,
      );
    }
    if (header.field === 'integer' && !Number.isInteger(value)) {
      throw this.#error(
        'not-counts',
        `holds ${value}, but the first line declares "integer". Declare "real" where fractions are right, as after a correction for ambient RNA.`,
      );
    }
    if (++this.#seen > header.entries)
      throw this.#error('malformed', `is one entry more than the ${header.entries} that the file declares.`);
    const to = this.#batched++;
    this.#rows[to] = row - 1;
    this.#columns[to] = column - 1;
    this.#values[to] = value;
  }

  #error(code: ConstructorParameters<typeof TextFileError>[0]['code'], problem: string): TextFileError {
    return new TextFileError({ code, path: this.#path, problem, line: Math.max(1, this.#line) });
  }

  #tooLong(): TextFileError {
    return new TextFileError({
      code: this.#line === 0 ? 'not-matrix-market' : 'too-long',
      path: this.#path,
      line: this.#line + 1,
      problem: `is longer than ${maxLineLength} characters; this is not a Matrix Market file of counts.`,
    });
  }
}

function valueText(value: number): string {
  if (Number.isNaN(value)) return 'a value that is not a number';
  return Number.isFinite(value)
    ? String(value)
    : 'a value that is not finite: infinite, or larger than any number';
}

/** NaN for anything but a decimal number. */
function decimal(text: string): number {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : NaN;
}

/** End of the last complete line. A trailing CR may be half of a CRLF, so it waits. */
function lastLineEnd(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= 0; at--) {
    if (bytes[at] === lineFeed) return at + 1;
    if (bytes[at] === carriageReturn && at < bytes.length - 1) return at + 1;
  }
  return 0;
}

function lineEnd(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== lineFeed && bytes[at] !== carriageReturn) at++;
  return at;
}

function pastLineEnd(bytes: Buffer, end: number): number {
  return bytes[end] === carriageReturn && bytes[end + 1] === lineFeed ? end + 2 : end + 1;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
