import { CsvError, parse } from 'csv-parse/sync';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { countText, maxNameLength, quotedHead } from '@cellfolio/model';
import { fileHead, foreignText } from '../foreign-content.ts';
import { decodedText, type TextEncoding } from '../text-encoding.ts';

const mebibyte = 1024 * 1024;
/**
 * Maximum compression ratio: numeric text packs to a third or a tenth; a hundredfold expansion indicates an attempt to
 * fill the disk.
 */
const defaultRatio = 100;

export interface ReadTextOptions {
  signal?: AbortSignal | undefined;
  onBytes?: ((read: number, all: number) => void) | undefined;
  /** Maximum ratio of unpacked to packed size; default 100. */
  maxRatio?: number;
  /** Unpacks gzip within gzip once more. */
  twice?: boolean;
}

/**
 * Bytes of a text file, gunzipped if necessary, regardless of its name. Throws TextFileError `not-found`, `empty`,
 * `bomb`, `truncated` or `unreadable`; the signal's reason when aborted.
 */
export async function* readChunks(path: string, options: ReadTextOptions = {}): AsyncGenerator<Buffer> {
  const { signal, onBytes, maxRatio = defaultRatio, twice = false } = options;
  const { size, packed } = await look(path);
  const file = createReadStream(path, { highWaterMark: mebibyte });
  let read = 0;
  file.on('data', (chunk) => {
    read += chunk.length;
    onBytes?.(read, size);
  });
  const unpacked = (from: Readable) => pipeline(from, createGunzip({ chunkSize: mebibyte }), () => undefined);
  let source: Readable = packed ? unpacked(file) : file;
  if (packed && twice && isGzip(fileHead(path)?.head)) source = unpacked(source);
  let bytes = 0;
  try {
    for await (const chunk of source) {
      signal?.throwIfAborted();
      bytes += (chunk as Buffer).length;
      if (packed && bytes > 64 * mebibyte && bytes > size * maxRatio) throw bomb(path, maxRatio);
      yield chunk as Buffer;
    }
  } catch (cause) {
    if (cause instanceof TextFileError || signal?.aborted === true) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    if (code.startsWith('Z_')) {
      throw new TextFileError({
        code: 'truncated',
        path,
        problem: 'the gzip data ends early or is damaged. Pack or upload the file again.',
        cause,
      });
    }
    throw new TextFileError({ code: 'unreadable', path, problem: `cannot be read (${code}).`, cause });
  } finally {
    file.destroy();
  }
}

/**
 * {@link readChunks}, checked to be text. Throws TextFileError `binary` that identifies a file that is not text, or is
 * UTF-16 text.
 */
export async function* textChunks(path: string, options: ReadTextOptions = {}): AsyncGenerator<Buffer> {
  const foreign = foreignText(path);
  if (foreign !== undefined) {
    const problem = `is ${foreign.what}, and not the text that its name says. ${foreign.hint}`;
    throw new TextFileError({ code: 'binary', path, problem });
  }
  yield* readChunks(path, options);
}

function isGzip(head: Buffer | undefined): boolean {
  return head?.[0] === 0x1f && head[1] === 0x8b;
}

async function look(path: string): Promise<{ size: number; packed: boolean }> {
  try {
    const { size } = await stat(path);
    if (size === 0) throw new TextFileError({ code: 'empty', path, problem: 'the file is empty.' });
    await using handle = await open(path);
    const start = Buffer.alloc(2);
    await handle.read(start, 0, 2, 0);
    return { size, packed: isGzip(start) };
  } catch (cause) {
    if (cause instanceof TextFileError) throw cause;
    throw new TextFileError({ code: 'not-found', path, problem: 'there is no such file.', cause });
  }
}

function bomb(path: string, maxRatio: number): TextFileError {
  return new TextFileError({
    code: 'bomb',
    path,
    problem: `unpacks to more than ${maxRatio} times its size, which nothing that is read here does.`,
  });
}

export interface TextTable {
  rows: readonly (readonly string[])[];
  encoding: TextEncoding;
}

/** Advice for a table of values with the name of a list. */
export const tableHint = 'If it is a table of values, rename it to .csv: the separator is detected.';

/**
 * Maximum field length: longer ones are accidents or attacks; the names of cells and genes are in the first two fields.
 */
const maxFieldLength = 2000;
const names = 2;
const maxBytes = 512 * 1024 * 1024;
const maxColumns = 1000;

/**
 * Reads a whole table of barcodes or features: tab-separated, without quoting, as Cell Ranger writes it, or, named
 * `.csv`, comma-separated, as Parse Biosciences does. Accepts mixed line ends; skips a byte-order mark; reads text that
 * is not UTF-8 as Windows-1252. Throws TextFileError.
 */
export async function readTable(path: string, options: ReadTextOptions = {}): Promise<TextTable> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of textChunks(path, options)) {
    size += chunk.length;
    if (size > maxBytes)
      throw new TextFileError({
        code: 'too-long',
        path,
        problem: 'is far larger than any list of cells or genes.',
      });
    chunks.push(chunk);
  }
  const { text, encoding } = decodedText(Buffer.concat(chunks));
  if (text.includes('\0')) {
    throw new TextFileError({
      code: 'binary',
      path,
      problem: 'is not text. A .tsv file lists one barcode or feature a line.',
    });
  }
  const lines = /\.csv(\.gz)?$/i.test(path) ? commaFields(path, text) : tabFields(text);
  if (lines.length === 0)
    throw new TextFileError({ code: 'empty', path, problem: 'the file holds no lines.' });
  return { rows: lines.map((fields, position) => boundedFields(path, fields, position + 1)), encoding };
}

function tabFields(text: string): string[][] {
  const lines = text.split(/\r\n|\n|\r/);
  while (lines.length > 0 && lines.at(-1)!.trim() === '') lines.pop();
  return lines.map((line) => line.split('\t', maxColumns + 1).map((field) => field.trim()));
}

function commaFields(path: string, text: string): string[][] {
  try {
    return parse(text, { relax_column_count: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new TextFileError({
      code: 'malformed',
      path,
      problem: `is not a table of commas: ${error.message}.`,
    });
  }
}

function boundedFields(path: string, fields: readonly string[], number: number): readonly string[] {
  if (fields.length > maxColumns)
    throw new TextFileError({
      code: 'malformed',
      path,
      line: number,
      problem: `has over ${maxColumns} columns, and lists of cells or genes have few. ${tableHint}`,
    });
  const maxLength = (place: number) => (place < names ? maxNameLength : maxFieldLength);
  const long = fields.findIndex((field, place) => field.length > maxLength(place));
  if (long >= 0) {
    const field = fields[long]!;
    throw new TextFileError({
      code: 'too-long',
      path,
      line: number,
      problem: `holds a ${long < names ? 'name' : 'text'} of ${countText(field.length)} characters in column ${long + 1} (${quotedHead(field)}), and ${maxLength(long)} are the most.`,
    });
  }
  return fields;
}

type TextFileErrorCode =
  | 'not-found'
  | 'empty'
  | 'binary'
  | 'not-matrix-market'
  | 'unsupported'
  | 'malformed'
  | 'out-of-range'
  | 'truncated'
  | 'not-counts'
  | 'ambiguous'
  | 'repeated'
  | 'mismatch'
  | 'bomb'
  | 'too-long'
  | 'unreadable';

/** A .mtx or .tsv file that cannot be used. The message names the file and, if possible, the line. */
export class TextFileError extends Error {
  override readonly name = 'TextFileError';
  readonly code: TextFileErrorCode;
  readonly path: string;
  /** 1-based. */
  readonly line: number | undefined;
  readonly problem: string;

  constructor(options: {
    code: TextFileErrorCode;
    path: string;
    problem: string;
    line?: number;
    cause?: unknown;
  }) {
    const { code, path, line, problem, cause } = options;
    super(
      `${path}${line === undefined ? '' : `, line ${line}`}: ${problem}`,
      cause === undefined ? {} : { cause },
    );
    this.code = code;
    this.path = path;
    this.line = line;
    this.problem = problem;
  }
}
