import { countText } from '@cellfolio/model';
import { readChunks, type ReadTextOptions, TextFileError } from '../../matrix-market/read-text.ts';

/** A line of a million cells with a dozen characters each fits. */
const maxLineBytes = 64 * 2 ** 20;
/** Mostly zeros, which gzip packs to a hundredth and less; they are read through, and not stored. */
const maxRatio = 500;
const lineFeed = 10;
const carriageReturn = 13;
const hash = 35;

export interface TextLine {
  /** Without its end; of memory that is used again for the next lines. */
  readonly bytes: Buffer;
  /** From 1. */
  readonly number: number;
}

/**
 * The lines of a text file, unpacked where it is gzip, without empty ones and without comments (`#`) at its beginning.
 * Holds one line and a piece of the file at a time. Throws TextFileError; the signal's reason.
 */
export async function* textLines(path: string, options: ReadTextOptions = {}): AsyncGenerator<TextLine> {
  let number = 0;
  let begun = false;
  let pieces: Buffer[] = [];
  let pieceBytes = 0;
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
    return { bytes, number };
  };
  for await (const chunk of readChunks(path, { ...options, maxRatio })) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      const found = line(chunk.subarray(from, end));
      from = end + 1;
      if (found !== undefined) yield found;
    }
    pieces.push(chunk.subarray(from));
    pieceBytes += chunk.length - from;
    if (pieceBytes > maxLineBytes) {
      throw new TextFileError({
        code: 'too-long',
        path,
        line: number + 1,
        problem: `has more than ${countText(maxLineBytes)} characters, and lines may end with LF or CRLF alone.`,
      });
    }
  }
  const last = line(Buffer.alloc(0));
  if (last !== undefined) yield last;
}
