import { smallSize } from '../scene/style.ts';
import { fontFile } from './font-file.ts';
import type { FontStyle } from './svg-text.ts';

interface Advances {
  unitsPerEm: number;
  /** Advance of each code point of the basic plane; that of the missing glyph if the font has none. */
  byCodePoint: Uint16Array;
  missing: number;
}

const cache = new Map<FontStyle, Advances>();

/** Width of one line of text in the unit of `size`, from the font's advances (without kerning). */
export function textWidth(text: string, size: number, style: FontStyle = 'regular'): number {
  let advances = cache.get(style);
  if (advances === undefined) {
    advances = readAdvances(style);
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

function readAdvances(style: FontStyle): Advances {
  const { unitsPerEm, glyphOf, advanceOf } = fontFile(style);
  return { unitsPerEm, byCodePoint: glyphOf.map(advanceOf), missing: advanceOf(0) };
}
