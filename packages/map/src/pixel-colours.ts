import { type MapView, dimmedPalette } from './map-view.ts';

/** A pixel of ImageData; opaque unless told otherwise. */
export function colourOf(red: number, green: number, blue: number, alpha = 255): number {
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Colours of the 256 slots, then of the same where they are not selected. */
export function coloursOf({ layer, background }: MapView): Uint32Array {
  const colours = new Uint32Array(512);
  for (const [start, palette] of [
    [0, layer.palette],
    [256, dimmedPalette(layer.palette, background)],
  ] as const)
    for (let slot = 0; slot < 256; slot++) {
      const at = 4 * slot;
      colours[start + slot] = colourOf(palette[at]!, palette[at + 1]!, palette[at + 2]!, palette[at + 3]);
    }
  return colours;
}
