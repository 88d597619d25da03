import type { Camera, Size } from './camera.ts';

/**
 * What colours one map: one byte a cell, in map order, into a palette of 256 × RGBA. What changes is a new array: the
 * renderer knows what it has uploaded by the array. An alpha of 0 hides.
 */
export interface Layer {
  /** `outsideSlot` for cells that are not among those that are shown. */
  readonly slots: Uint8Array;
  /** May change with every painting, at next to no cost. */
  readonly palette: Uint8Array;
  /** Slots from this one on are drawn in a second pass, on top: cells that express a gene, random among themselves. */
  readonly onTopFrom?: number;
}

/** One picture of a map. */
export interface MapView {
  readonly camera: Camera;
  readonly layer: Layer;
  /** Device pixels. */
  readonly width: number;
  readonly height: number;
  /** Diameter of a cell in device pixels, rounded; `pointSizeOf` where absent. */
  readonly pointSize?: number;
  /** Mean colour of the cells of each pixel, the more opaque the more there are (logarithm), in place of cells over cells. */
  readonly density: boolean;
  /** RGB of 0 to 255. */
  readonly background: readonly [number, number, number];
  /** One bit a cell, least significant bit first: the others are dimmed and lie below. A new array when it changes. */
  readonly selection?: Uint8Array;
  /** Draws only so many cells, spread evenly: while panning. */
  readonly sample?: number;
}

/** Diameter in pixels that keeps cells apart: 1 for a million in a card of 700 × 600, 2 for 100,000, more when enlarged. */
export function pointSizeOf(cells: number, { zoom }: Camera, { width, height }: Size): number {
  const pixelsOfCell = (width * height) / Math.max(1, cells);
  return Math.min(12, Math.max(1, Math.round(pixelsOfCell ** 0.35 * Math.sqrt(zoom))));
}

/** @returns the diameter that a view is drawn with: whole, 1 to 64 */
export function diameterOf(view: MapView, cells: number): number {
  return Math.min(64, Math.max(1, Math.round(view.pointSize ?? pointSizeOf(cells, view.camera, view))));
}

/**
 * @param palette 256 × RGBA
 * @returns the palette of cells that are not selected: four fifths of the way to the background, alpha as it was
 */
export function dimmedPalette(palette: Uint8Array, background: MapView['background']): Uint8Array {
  const dimmed = palette.slice();
  for (let at = 0; at < dimmed.length; at++) {
    const channel = at & 3;
    if (channel < 3) dimmed[at] = Math.round(0.2 * palette[at]! + 0.8 * background[channel as 0 | 1 | 2]);
  }
  return dimmed;
}

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
