import type { FontStyle } from '../text/svg-text.ts';

/**
 * What a figure consists of, in CSS pixels from the top left. Both renderings, pixels and SVG,
 * are made from the same scene, so that they cannot drift apart.
 */
export interface Scene {
  readonly width: number;
  readonly height: number;
  /** Where cells, bars or dots lie. Of a scatter the points are painted first, marks over them. */
  readonly panel: Rectangle;
  readonly marks: readonly Mark[];
}

/** What is drawn without points may hold areas and pictures too. */
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
  /** Whole text where `text` was shortened. */
  readonly full?: string;
  readonly x: number;
  /** Of the baseline. */
  readonly y: number;
  readonly size: number;
  readonly style: FontStyle;
  readonly colour: string;
  readonly anchor: 'start' | 'middle' | 'end';
  /** Turned by a quarter, to be read from bottom to top. */
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
  /** A line inside the rim, part of the radius. */
  readonly edge?: { readonly width: number; readonly colour: string };
}

export interface TriangleMark {
  readonly kind: 'triangle';
  readonly corners: readonly [number, number, number, number, number, number];
  readonly colour: string;
}

/** A bar of shades, the first at the bottom, or at the left where it is `across`. */
interface RampMark extends Rectangle {
  readonly kind: 'ramp';
  readonly shades: readonly string[];
  readonly across?: boolean;
}

/** A picture of rows of pixels, the first at the top: a byte each, which is the place of its shade. */
export interface PixelsMark extends Rectangle {
  readonly kind: 'pixels';
  readonly columns: number;
  readonly rows: number;
  readonly levels: Uint8Array;
  /** 256 of them. */
  readonly shades: readonly string[];
}

/** The area between two lines over rising places: three arrays of one length. */
export interface AreaMark {
  readonly kind: 'area';
  readonly xs: readonly number[];
  readonly tops: readonly number[];
  readonly bottoms: readonly number[];
  readonly colour: string;
}
