import { isAscii, isUtf8 } from 'node:buffer';
import { countText } from '@cellfolio/model';
import { type TextEncoding, textOfWindows } from '../../text-encoding.ts';
import { textChunks, type ReadTextOptions, TextFileError } from '../../matrix-market/read-text.ts';

/** Maximum line length: room for a million cells with a dozen characters each. */
const maxLineBytes = 64 * 2 ** 20;
/** Maximum compression ratio: gzip packs zeros to a hundredth and less; they are read, but not stored. */
const maxRatio = 500;
const lineFeed = 10;
const carriageReturn = 13;
const hash = 35;

export interface TextLine {
  /** UTF-8, without the line end; the memory is reused for the next lines. */
  bytes: Buffer;
  /** 1-based. */
  number: number;
}

class NotUtf8 extends Error {}

/** Reads lines as UTF-8, or all of them again as Windows-1252 if one is invalid. */
export async function inItsEncoding<T>(read: (encoding: TextEncoding) => Promise<T>): Promise<T> {
  try {
    return await read('utf-8');
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error;
    return read('windows-1252');
  }
}

/**
 * Lines of a text file, gunzipped if necessary, without empty lines and leading comments (`#`). Lines end with LF or
 * CRLF, or with CR if there is no LF. Holds one line and a piece of the file at a time. Throws TextFileError; NotUtf8,
 * which `inItsEncoding` catches; the signal's reason.
 */
export async function* textLines(
  path: string,
  options: ReadTextOptions & { encoding: TextEncoding },
): AsyncGenerator<TextLine> {
  let number = 0;
  let begun = false;
  let pieces: Buffer[] = [];
  let pieceBytes = 0;
  let lineEnd: number | undefined;
  const line = (end: Buffer): TextLine | undefined => {
    number++;
    const whole = pieces.length === 0 ? end : Buffer.concat([...pieces, end]);
    pieces = [];
    pieceBytes = 0;
    let bytes = whole.at(-1) === carriageReturn ? whole.subarray(0, -1) : whole;
    if (number === 1 && bytes.toString('latin1', 0, 3) === '\u00EF\u00BB\u00BF') bytes = bytes.subarray(3);
    if (bytes.length === 0 || (!begun && bytes[0] === hash)) return undefined;
    if (bytes.includes(0)) {
      throw new TextFileError({ code: 'binary', path, line: number, problem: 'is not text.' });
    }
    begun = true;
    if (!isAscii(bytes)) {
      if (options.encoding === 'windows-1252') bytes = Buffer.from(textOfWindows(bytes));
      else if (!isUtf8(bytes)) throw new NotUtf8();
    }
    return { bytes, number };
  };
  for await (const chunk of textChunks(path, { ...options, maxRatio })) {
    lineEnd ??= lineEndIn(chunk);
    const separator = lineEnd ?? lineFeed;
    let from = 0;
    for (let end = chunk.indexOf(separator); end >= 0; end = chunk.indexOf(separator, from)) {
      const textLine = line(chunk.subarray(from, end));
      from = end + 1;
      if (textLine !== undefined) yield textLine;
    }
    pieces.push(chunk.subarray(from));
    pieceBytes += chunk.length - from;
    if (pieceBytes > maxLineBytes) {
      throw new TextFileError({
        code: 'too-long',
        path,
        line: number + 1,
        problem: `has more than ${countText(maxLineBytes)} characters. If it is more than one line, end lines with LF or CRLF.`,
      });
    }
  }
  const last = line(Buffer.alloc(0));
  if (last !== undefined) yield last;
}

/** Line terminator found in a piece of the file; undefined if it has none. A trailing CR may be half of a CRLF. */
function lineEndIn(chunk: Buffer): number | undefined {
  if (chunk.includes(lineFeed)) return lineFeed;
  const at = chunk.indexOf(carriageReturn);
  return at >= 0 && at < chunk.length - 1 ? carriageReturn : undefined;
}
