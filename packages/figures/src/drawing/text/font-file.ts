import { readFileSync } from 'node:fs';
import { fontFiles, type FontStyle } from './svg-text.ts';

/** A TrueType font (OpenType specification 1.9). */
export interface FontFile {
  unitsPerEm: number;
  glyphCount: number;
  /** Glyph of each code point of the basic plane; 0, the box of missing ones, if the font has none. */
  glyphOf: Uint16Array;
  /** Bytes of a table; undefined if the font has none. */
  table(tag: string): Buffer | undefined;
  /** In font units. */
  advanceOf(glyph: number): number;
}

const cache = new Map<FontStyle, FontFile>();

export function fontFile(style: FontStyle): FontFile {
  const cached = cache.get(style);
  if (cached !== undefined) return cached;
  const font = readFont(readFileSync(fontFiles[style]));
  cache.set(style, font);
  return font;
}

function readFont(data: Buffer): FontFile {
  const tables = new Map<string, Buffer>();
  for (let i = 0; i < data.readUInt16BE(4); i++) {
    const entry = 12 + 16 * i;
    const at = data.readUInt32BE(entry + 8);
    const bytes = data.subarray(at, at + data.readUInt32BE(entry + 12));
    tables.set(data.toString('latin1', entry, entry + 4), bytes);
  }
  const required = (tag: string): Buffer => {
    const table = tables.get(tag);
    if (table === undefined) throw new RangeError(`the font has no ${tag} table`);
    return table;
  };
  const metricCount = required('hhea').readUInt16BE(34);
  const hmtx = required('hmtx');
  return {
    unitsPerEm: required('head').readUInt16BE(18),
    glyphCount: required('maxp').readUInt16BE(4),
    glyphOf: readGlyphs(required('cmap')),
    table: (tag) => tables.get(tag),
    advanceOf: (glyph) => hmtx.readUInt16BE(4 * Math.min(glyph, metricCount - 1)),
  };
}

/** Reads the format 4 subtable. */
function readGlyphs(cmap: Buffer): Uint16Array {
  const glyphOf = new Uint16Array(65_536);
  const map = characterMap(cmap);
  const segments = map.readUInt16BE(6) / 2;
  const ends = 14;
  const starts = ends + 2 * segments + 2;
  const deltas = starts + 2 * segments;
  const ranges = deltas + 2 * segments;
  for (let s = 0; s < segments; s++) {
    const start = map.readUInt16BE(starts + 2 * s);
    const end = map.readUInt16BE(ends + 2 * s);
    const delta = map.readUInt16BE(deltas + 2 * s);
    const range = map.readUInt16BE(ranges + 2 * s);
    for (let code = start; code <= end && code < 0xffff; code++) {
      let glyph = code;
      if (range !== 0) {
        glyph = map.readUInt16BE(ranges + 2 * s + range + 2 * (code - start));
        if (glyph === 0) continue;
      }
      glyphOf[code] = (glyph + delta) & 0xffff;
    }
  }
  return glyphOf;
}

function characterMap(cmap: Buffer): Buffer {
  for (let i = 0; i < cmap.readUInt16BE(2); i++) {
    const subtable = cmap.subarray(cmap.readUInt32BE(4 + 8 * i + 4));
    if (subtable.readUInt16BE(0) === 4) return subtable;
  }
  throw new RangeError('the font has no format 4 character map');
}
