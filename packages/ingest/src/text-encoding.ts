import { isAscii, isUtf8 } from 'node:buffer';
import { type Caution, listedNames, type PackedStrings } from '@cellfolio/model';

/**
 * Encoding of a text. Anything but UTF-8 is read as Windows-1252, the encoding of Excel and R on Windows, which
 * includes Latin-1: each byte is another character, so that different texts stay different.
 */
export type TextEncoding = 'utf-8' | 'windows-1252';

/** Follows the name of a file or part of a file. */
export const windowsText = 'is not UTF-8; it was read as Windows-1252.';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const windows = new TextDecoder('windows-1252');

/** Whole text without its byte-order mark. */
export function decodedText(bytes: Uint8Array): { text: string; encoding: TextEncoding } {
  if (isUtf8(bytes)) return { text: utf8.decode(bytes), encoding: 'utf-8' };
  return { text: windows.decode(bytes), encoding: 'windows-1252' };
}

export function textOfWindows(bytes: Uint8Array): string {
  return windows.decode(bytes);
}

/** UTF-8 bytes of each Windows-1252 byte. */
let windowsBytes: readonly Uint8Array[] | undefined;

/** Converts Windows-1252 strings to UTF-8; undefined if they are UTF-8 already. */
export function recodedStrings(strings: PackedStrings): PackedStrings | undefined {
  if (areUtf8(strings)) return undefined;
  windowsBytes ??= Array.from({ length: 256 }, (_, byte) => Buffer.from(textOfWindows(Uint8Array.of(byte))));
  const { bytes: source, offsets: from } = strings;
  const offsets = new Uint32Array(from.length);
  const bytes = new Uint8Array(source.reduce((size, byte) => size + windowsBytes![byte]!.length, 0));
  let end = 0;
  for (let row = 0; row + 1 < from.length; row++) {
    for (let at = from[row]!; at < from[row + 1]!; at++) {
      const character = windowsBytes[source[at]!]!;
      bytes.set(character, end);
      end += character.length;
    }
    offsets[row + 1] = end;
  }
  return { bytes, offsets };
}

function areUtf8({ bytes, offsets }: PackedStrings): boolean {
  if (isAscii(bytes)) return true;
  // Bytes that are sound together may still have a character that is cut between two strings.
  return isUtf8(bytes) && offsets.every((offset) => (bytes[offset]! & 0xc0) !== 0x80);
}

const maxParts = 5;

export function encodingCaution(parts: ReadonlySet<string>): Caution[] {
  if (parts.size === 0) return [];
  const [are, they] = parts.size === 1 ? ['is', 'it was'] : ['are', 'they were'];
  return [
    {
      code: 'text-encoding',
      message: `The text of ${listedNames([...parts], maxParts)} ${are} not UTF-8; ${they} read as Windows-1252. Where letters are wrong, write the text as UTF-8 and bring the file again.`,
      numbers: { parts: parts.size },
    },
  ];
}
