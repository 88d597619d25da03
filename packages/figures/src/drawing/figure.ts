import type { Caution } from '@cellfolio/model';
import type { MapWindow } from '../shown.ts';
import type { FigureWords } from '../words-of-file.ts';
import type { PointLayer } from './raster/point-layer.ts';
import type { VectorScene } from './scene/scene.ts';

/** A figure: all decisions about it as plain JSON, the columns it is drawn from, and how its kind is drawn. */
export interface Figure<Spec extends CommonSpec = CommonSpec, Columns extends object = object> {
  readonly spec: Spec;
  readonly columns: Columns;
  readonly drawing: Drawing<Spec, Columns>;
}

export interface Drawing<Spec extends CommonSpec = CommonSpec, Columns extends object = object> {
  scene(spec: Spec): VectorScene;
  /**
   * For figures with cells on an embedding, which is then one of its columns: all with the same inks, the lowest first.
   */
  points?(figure: Pick<Figure<Spec, Columns>, 'spec' | 'columns'>): readonly PointLayer[];
  /**
   * Spec laid out within a size in CSS pixels, without title and dataset. Parts without room are left out, and the
   * first line of the figure says so.
   */
  fit(spec: Spec, size: CommonSpec['size']): FittedSpec<Spec>;
  /**
   * Changes to the spec for dark backgrounds. Categories keep their colours, which contrast with both; ramps are
   * reversed, since light colours stand out there.
   */
  dark?(spec: Spec): Partial<Spec>;
}

export interface FittedSpec<Spec extends CommonSpec = CommonSpec> {
  spec: Spec;
  isWhole: boolean;
}

/** Common part of every spec. Lengths are CSS pixels; the same spec is drawn at any resolution. */
export interface CommonSpec {
  /** Raised per kind when a spec of an older version would be drawn differently. */
  readonly version: number;
  readonly kind: string;
  readonly title: string;
  readonly datasetName: string;
  readonly summary: string;
  readonly size: { readonly width: number; readonly height: number };
  /**
   * Set if the figure is part of a page that names it: it then has no title or dataset, and fits within `size`. Its
   * first line says what was left out for that, and its words name the missing parts; `instead` is the only text in a
   * size too small for anything else.
   */
  readonly fitted?: {
    readonly leftOut: string;
    /** Such as `the legend`; absent if nothing is missing. */
    readonly without?: readonly string[];
    readonly instead?: string;
  };
  /** True for simulated data: its name says so, and without a title block the figure does. */
  readonly simulated?: true;
  /** False for a file without title, dataset and summary. */
  readonly titleBlock?: false;
  /** 2 if the first line of a figure in a page needs two lines; absent for one. */
  readonly noteLines?: 2;
  /** Requested range of the colour bar or value axis, if not the figure's own. */
  readonly range?: readonly [number, number];
  /** Limits of the numbers for a careful reader; not drawn. */
  readonly cautions?: readonly Caution[];
  /** The named subset of the dataset that it shows. */
  readonly subset?: { readonly name: string; readonly cells: number };
  /** Description for people who cannot see it, and for a legend; not drawn, but stored in its files. */
  readonly words?: FigureWords;
}

export interface ScatterSpec extends CommonSpec {
  version: 1;
  /** Key in obsm, such as `X_umap`. */
  embedding: string;
  axes: readonly [string, string];
  /**
   * Extent of the drawn coordinates: those of all cells of the dataset, so that subsets keep their place, or of a
   * window.
   */
  extent: { x: readonly [number, number]; y: readonly [number, number] };
  window?: MapWindow;
  /** The second axis is drawn downwards, as images count it. */
  yDown?: true;
  pointRadius: number;
  counts: CellCounts;
  order: DrawOrder;
}

/**
 * Drawing order of cells. Cells without a colour of their own are below all others. The others are in an order
 * independent of the file, groups and values; any of those would make a map look like its extremes.
 */
export const drawOrders = ['shuffled', 'expressing-on-top', 'highlighted-on-top'] as const;
export type DrawOrder = (typeof drawOrders)[number];

interface CellCounts {
  datasetCells: number;
  /** Cells of the dataset, or of the mask if there is one. */
  cells: number;
  /** Cells among these without finite coordinates: counted but not drawn. */
  withoutPosition: number;
  inWindow?: number;
}

export interface HiddenGroups {
  groups: number;
  cells: number;
  missing: number;
}

export interface LegendGroup {
  label: string;
  colour: string;
  cells: number;
}

export interface CategoryGroup extends LegendGroup {
  code: number;
  /** Category in the column, if a user chose another label. */
  name?: string;
}

export interface RestOfGroups {
  groups: number;
  cells: number;
  colour: string;
  /** Category codes, including empty categories. */
  codes: readonly number[];
}
