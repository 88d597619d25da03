import { countText, maxNameLength, quotedHead } from '@cellfolio/model';
import { readChunks, type ReadTextOptions } from './read-chunks.ts';
import { TextFileError } from './text-file-error.ts';

/** Rows of a .tsv file, each as its fields. */
export interface TextTable {
  readonly rows: readonly (readonly string[])[];
  readonly encoding: 'utf-8' | 'windows-1252';
}

/** A field longer than this is an accident or an attack; the names of cells and genes are in the first two. */
const LONGEST_FIELD = 2000;
const NAMES = 2;
const MOST_BYTES = 512 * 1024 * 1024;
const MOST_COLUMNS = 1000;

/**
 * A whole table of barcodes or features: tab-separated, no quoting, as Cell Ranger writes it. Line ends may be
 * mixed; a byte-order mark is passed over; text that is not UTF-8 is taken as Windows-1252.
 *
 * Throws TextFileError.
 */
export async function readTable(path: string, options: ReadTextOptions = {}): Promise<TextTable> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of readChunks(path, options)) {
    size += chunk.length;
    if (size > MOST_BYTES)
      throw new TextFileError({
        code: 'too-long',
        path,
        problem: 'is far larger than any list of cells or genes.',
      });
    chunks.push(chunk);
  }
  const { text, encoding } = decode(Buffer.concat(chunks));
  if (text.includes('\0')) {
    throw new TextFileError({
      code: 'binary',
      path,
      problem: 'is not text. A .tsv file lists one barcode or feature a line.',
    });
  }
  const lines = text.split(/\r\n|\n|\r/);
  while (lines.length > 0 && lines.at(-1)!.trim() === '') lines.pop();
  if (lines.length === 0)
    throw new TextFileError({ code: 'empty', path, problem: 'the file holds no lines.' });
  return { rows: lines.map((line, position) => fieldsOf(path, line, position + 1)), encoding };
}

function fieldsOf(path: string, line: string, number: number): readonly string[] {
  const fields = line.split('\t', MOST_COLUMNS + 1).map((field) => field.trim());
  if (fields.length > MOST_COLUMNS)
    throw new TextFileError({
      code: 'malformed',
      path,
      line: number,
      problem: `has over ${MOST_COLUMNS} columns.`,
    });
  const most = (place: number) => (place < NAMES ? maxNameLength : LONGEST_FIELD);
  const long = fields.findIndex((field, place) => field.length > most(place));
  if (long >= 0) {
    const field = fields[long]!;
    throw new TextFileError({
      code: 'too-long',
      path,
      line: number,
      problem: `holds a ${long < NAMES ? 'name' : 'text'} of ${countText(field.length)} characters in column ${long + 1} (${quotedHead(field)}), and ${most(long)} are the most.`,
    });
  }
  return fields;
}

function decode(bytes: Buffer): { text: string; encoding: TextTable['encoding'] } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}
