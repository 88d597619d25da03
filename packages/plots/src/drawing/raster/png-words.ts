import { descriptionOf, type FigureWords, pngKeywords } from '../../words-of-file.ts';
import { pngChunk } from './encode-png.ts';

/** Signature and header of a PNG, behind which texts may stand. */
const headBytes = 33;

/** A PNG with the words of its figure as texts, which viewers and the page read out of the file. */
export function withWords(png: Uint8Array, words: FigureWords): Uint8Array {
  return Buffer.concat([
    png.subarray(0, headBytes),
    textChunk(pngKeywords.title, words.title),
    textChunk(pngKeywords.description, descriptionOf(words)),
    png.subarray(headBytes),
  ]);
}

/** Text in UTF-8, not compressed, in no language that is said. */
function textChunk(keyword: string, text: string): Uint8Array {
  return pngChunk('iTXt', Buffer.from(`${keyword}\0\0\0\0\0${text}`, 'utf8'));
}
