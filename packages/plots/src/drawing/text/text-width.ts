import { readFileSync } from 'node:fs';
import { smallSize } from '../scene/style.ts';
import { fontFiles, type FontStyle } from './svg-text.ts';

interface Advances {
  readonly unitsPerEm: number;
  /** Advance of each code point of the basic plane; 0 if the font has no glyph. */
  readonly byCodePoint: Uint16Array;
  readonly missing: number;
}

const cache = new Map<FontStyle, Advances>();

/** Width of one line of text in the unit of `size`, from the font's advances (without kerning). */
export function textWidth(text: string, size: number, style: FontStyle = 'regular'): number {
  let advances = cache.get(style);
  if (advances === undefined) {
    advances = readAdvances(readFileSync(fontFiles[style]));
    cache.set(style, advances);
  }
  let units = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    units += advances.byCodePoint[code] || advances.missing;
  }
  return (units / advances.unitsPerEm) * size;
}

export function widest(texts: readonly string[], style: FontStyle = 'regular'): number {
  return texts.reduce((largest, text) => Math.max(largest, textWidth(text, smallSize, style)), 0);
}

/** Reads `head`, `hhea`, `hmtx` and the format 4 subtable of `cmap` (OpenType specification 1.9). */
function readAdvances(font: Buffer): Advances {
  const tables = new Map<string, number>();
  for (let i = 0; i < font.readUInt16BE(4); i++) {
    const entry = 12 + 16 * i;
    tables.set(font.toString('latin1', entry, entry + 4), font.readUInt32BE(entry + 8));
  }
  const at = (tag: string): number => {
    const offset = tables.get(tag);
    if (offset === undefined) throw new RangeError(`the font has no ${tag} table`);
    return offset;
  };
  const metricCount = font.readUInt16BE(at('hhea') + 34);
  const hmtx = at('hmtx');
  const advanceOf = (glyph: number): number => font.readUInt16BE(hmtx + 4 * Math.min(glyph, metricCount - 1));
  const byCodePoint = new Uint16Array(65_536);
  const map = characterMap(font, at('cmap'));
  const segments = font.readUInt16BE(map + 6) / 2;
  const ends = map + 14;
  const starts = ends + 2 * segments + 2;
  const deltas = starts + 2 * segments;
  const ranges = deltas + 2 * segments;
  for (let s = 0; s < segments; s++) {
    const start = font.readUInt16BE(starts + 2 * s);
    const end = font.readUInt16BE(ends + 2 * s);
    const delta = font.readUInt16BE(deltas + 2 * s);
    const range = font.readUInt16BE(ranges + 2 * s);
    for (let code = start; code <= end && code < 0xffff; code++) {
      let glyph = code;
      if (range !== 0) {
        glyph = font.readUInt16BE(ranges + 2 * s + range + 2 * (code - start));
        if (glyph === 0) continue;
      }
      byCodePoint[code] = advanceOf((glyph + delta) & 0xffff);
    }
  }
  return { unitsPerEm: font.readUInt16BE(at('head') + 18), byCodePoint, missing: advanceOf(0) };
}

function characterMap(font: Buffer, cmap: number): number {
  for (let i = 0; i < font.readUInt16BE(cmap + 2); i++) {
    const subtable = cmap + font.readUInt32BE(cmap + 4 + 8 * i + 4);
    if (font.readUInt16BE(subtable) === 4) return subtable;
  }
  throw new RangeError('the font has no format 4 character map');
}
