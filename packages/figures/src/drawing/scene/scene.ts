import type { FontStyle } from '../text/svg-text.ts';

/**
 * Content of a figure, in CSS pixels from the top left. Both renderers, pixels and SVG, use the same scene, so that
 * they cannot diverge.
 */
export interface Scene {
  width: number;
  height: number;
  /** Area of cells, bars or dots. In a scatter the points are painted first, marks over them. */
  panel: Rectangle;
  marks: readonly Mark[];
}

export type VectorMark = Mark | AreaMark | PixelsMark;

export interface VectorScene extends Omit<Scene, 'marks'> {
  marks: readonly VectorMark[];
}

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type Mark = TextMark | RectangleMark | DotMark | TriangleMark | RampMark;

export interface TextMark {
  kind: 'text';
  text: string;
  full?: string;
  x: number;
  y: number;
  size: number;
  style: FontStyle;
  colour: string;
  anchor: 'start' | 'middle' | 'end';
  /** Rotated by a quarter, to be read from bottom to top. */
  upright?: boolean;
}

export interface RectangleMark extends Rectangle {
  kind: 'rectangle';
  colour: string;
}

export interface DotMark {
  kind: 'dot';
  x: number;
  y: number;
  radius: number;
  colour: string;
  edge?: { width: number; colour: string };
}

export interface TriangleMark {
  kind: 'triangle';
  corners: readonly [number, number, number, number, number, number];
  colour: string;
}

/** Bar of shades, the first at the bottom, or at the left if `across`. */
interface RampMark extends Rectangle {
  kind: 'ramp';
  shades: readonly string[];
  across?: boolean;
}

/** Picture of rows of pixels, the first at the top: one byte each, the index of its shade. */
export interface PixelsMark extends Rectangle {
  kind: 'pixels';
  columns: number;
  rows: number;
  levels: Uint8Array;
  shades: readonly string[];
}

/** Area between two lines over rising positions: three arrays of equal length. */
export interface AreaMark {
  kind: 'area';
  xs: readonly number[];
  tops: readonly number[];
  bottoms: readonly number[];
  colour: string;
}
