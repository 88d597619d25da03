export interface FigureWords {
  readonly title: string;
  readonly reading: string;
  readonly cautions: readonly string[];
}

/** PNG text keywords as registered in its specification (W3C). */
export const pngKeywords = { title: 'Title', description: 'Description' } as const;

export function descriptionOf({ reading, cautions }: FigureWords): string {
  return [reading, ...cautions].join('\n');
}

function wordsOf(title: string | undefined, description: string | undefined): FigureWords | undefined {
  if (title === undefined || description === undefined) return undefined;
  const [reading = '', ...cautions] = description.split('\n');
  return { title, reading, cautions };
}

/**
 * Words stored in a figure's PNG or SVG; undefined for files from before figures had words, and for any other file.
 * Reads the bytes up to the picture.
 */
export function wordsOfFile(bytes: Uint8Array): FigureWords | undefined {
  return isPng(bytes) ? wordsOfPng(bytes) : wordsOfSvg(bytes);
}

const signature = [137, 80, 78, 71, 13, 10, 26, 10];

function isPng(bytes: Uint8Array): boolean {
  return signature.every((byte, at) => bytes[at] === byte);
}

function wordsOfPng(bytes: Uint8Array): FigureWords | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts = new Map<string, string>();
  for (let at = signature.length; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    const type = latin(bytes.subarray(at + 4, at + 8));
    if (type === 'IDAT') break;
    if (type === 'iTXt') {
      const [keyword, text] = internationalText(bytes.subarray(at + 8, at + 8 + length));
      texts.set(keyword, text);
    }
    at += 12 + length;
  }
  return wordsOf(texts.get(pngKeywords.title), texts.get(pngKeywords.description));
}

/**
 * Keyword and text of an uncompressed chunk: the keyword is followed by two bytes, a language and a translated keyword,
 * each terminated by 0.
 */
function internationalText(data: Uint8Array): [string, string] {
  const keyword = data.indexOf(0);
  const language = data.indexOf(0, keyword + 3);
  const translated = data.indexOf(0, language + 1);
  return [latin(data.subarray(0, keyword)), new TextDecoder().decode(data.subarray(translated + 1))];
}

function latin(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

/** Title and description come first in an SVG; a description has at most a few thousand characters. */
const headBytes = 64 * 1024;

function wordsOfSvg(bytes: Uint8Array): FigureWords | undefined {
  const head = new TextDecoder().decode(bytes.subarray(0, headBytes));
  const match = /^<svg [^>]*>\s*<title>([^<]*)<\/title>\s*<desc>([^<]*)<\/desc>/.exec(head);
  return match ? wordsOf(unescapedXml(match[1]!), unescapedXml(match[2]!)) : undefined;
}

const characters: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&amp;', '&'],
]);

function unescapedXml(text: string): string {
  return text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => characters.get(entity)!);
}
