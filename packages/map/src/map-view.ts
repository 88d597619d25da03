import type { Camera, Size } from './camera.ts';

/**
 * Colours of one map: one byte per cell, in map order, into a palette of 256 × RGBA. A change needs a new array: the
 * renderer recognises uploads by identity. Alpha 0 hides.
 */
export interface Layer {
  /** `outsideSlot` for cells outside the shown ones. */
  readonly slots: Uint8Array;
  /** May change with every painting, at almost no cost. */
  readonly palette: Uint8Array;
  /** Slots from this one on are drawn on top in a second pass: cells that express a gene, in random order. */
  readonly onTopFrom?: number;
}

export interface MapView {
  readonly camera: Camera;
  readonly layer: Layer;
  /** Device pixels. */
  readonly width: number;
  readonly height: number;
  /** Diameter of a cell in device pixels, rounded; default `pointSizeOf`. */
  readonly pointSize?: number;
  /**
   * Shows the mean colour of the cells in each pixel, more opaque with more cells (logarithmic), instead of overlapping
   * cells.
   */
  readonly density: boolean;
  /** RGB, 0 to 255. */
  readonly background: readonly [number, number, number];
  /**
   * One bit per cell, least significant bit first: the others are dimmed and drawn below. Pass a new array for each
   * change.
   */
  readonly selection?: Uint8Array;
  /** Draws only this many cells, spread evenly: for panning. */
  readonly sample?: number;
}

/**
 * Diameter in pixels that keeps cells apart: 1 for a million in a card of 700 × 600, 2 for 100,000, more when enlarged.
 */
export function pointSizeOf(cells: number, { zoom }: Camera, { width, height }: Size): number {
  const pixelsOfCell = (width * height) / Math.max(1, cells);
  return Math.min(12, Math.max(1, Math.round(pixelsOfCell ** 0.35 * Math.sqrt(zoom))));
}

/** Diameter that a view is drawn with: an integer, 1 to 64. */
export function diameterOf(view: MapView, cells: number): number {
  return Math.min(64, Math.max(1, Math.round(view.pointSize ?? pointSizeOf(cells, view.camera, view))));
}

/** Palette (256 × RGBA) of unselected cells: four fifths of the way to the background, alpha unchanged. */
export function dimmedPalette(palette: Uint8Array, background: MapView['background']): Uint8Array {
  const dimmed = palette.slice();
  for (let at = 0; at < dimmed.length; at++) {
    const channel = at & 3;
    if (channel < 3) dimmed[at] = Math.round(0.2 * palette[at]! + 0.8 * background[channel as 0 | 1 | 2]);
  }
  return dimmed;
}

/** Pixel of ImageData; opaque by default. */
export function colourOf(red: number, green: number, blue: number, alpha = 255): number {
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Colours of the 256 slots, followed by their unselected versions. */
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
