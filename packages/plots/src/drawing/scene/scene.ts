import type { FontStyle } from '../text/svg-text.ts';

/**
 * Content of a figure, in CSS pixels from the top left. Both renderers, pixels and SVG, use the same scene, so that
 * they cannot diverge.
 */
export interface Scene {
  readonly width: number;
  readonly height: number;
  /** Area of cells, bars or dots. In a scatter the points are painted first, marks over them. */
  readonly panel: Rectangle;
  readonly marks: readonly Mark[];
}

export type VectorMark = Mark | AreaMark | PixelsMark;

export interface VectorScene extends Omit<Scene, 'marks'> {
  readonly marks: readonly VectorMark[];
}

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Mark = TextMark | RectangleMark | DotMark | TriangleMark | RampMark;

export interface TextMark {
  readonly kind: 'text';
  readonly text: string;
  readonly full?: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly style: FontStyle;
  readonly colour: string;
  readonly anchor: 'start' | 'middle' | 'end';
  /** Rotated by a quarter, to be read from bottom to top. */
  readonly upright?: boolean;
}

export interface RectangleMark extends Rectangle {
  readonly kind: 'rectangle';
  readonly colour: string;
}

export interface DotMark {
  readonly kind: 'dot';
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly colour: string;
  readonly edge?: { readonly width: number; readonly colour: string };
}

export interface TriangleMark {
  readonly kind: 'triangle';
  readonly corners: readonly [number, number, number, number, number, number];
  readonly colour: string;
}

/** Bar of shades, the first at the bottom, or at the left if `across`. */
interface RampMark extends Rectangle {
  readonly kind: 'ramp';
  readonly shades: readonly string[];
  readonly across?: boolean;
}

/** Picture of rows of pixels, the first at the top: one byte each, the index of its shade. */
export interface PixelsMark extends Rectangle {
  readonly kind: 'pixels';
  readonly columns: number;
  readonly rows: number;
  readonly levels: Uint8Array;
  readonly shades: readonly string[];
}

/** Area between two lines over rising positions: three arrays of equal length. */
export interface AreaMark {
  readonly kind: 'area';
  readonly xs: readonly number[];
  readonly tops: readonly number[];
  readonly bottoms: readonly number[];
  readonly colour: string;
}
