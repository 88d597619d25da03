import type { Caution } from '@cellfolio/model';
import type { MapWindow } from '../shown.ts';
import type { FigureWords } from '../words-of-file.ts';
import type { PointLayer } from './raster/point-layer.ts';
import type { VectorScene } from './scene/scene.ts';

/** A figure: all that was decided about it, as plain JSON, the columns it is drawn from, and how its kind is drawn. */
export interface Figure<Spec extends CommonSpec = CommonSpec, Columns extends object = object> {
  readonly spec: Spec;
  readonly columns: Columns;
  readonly drawing: Drawing<Spec, Columns>;
}

/** How the figures of a kind are drawn. */
export interface Drawing<Spec extends CommonSpec = CommonSpec, Columns extends object = object> {
  scene(spec: Spec): VectorScene;
  /** Of what has cells on an embedding, which is then one of its columns: all with the same inks, the lowest first. */
  points?(figure: Pick<Figure<Spec, Columns>, 'spec' | 'columns'>): readonly PointLayer[];
  /**
   * The spec laid out within a size in CSS pixels, without title and dataset. What finds no room is left out, and the
   * first line of the figure says so.
   */
  fit(spec: Spec, size: CommonSpec['size']): FittedSpec<Spec>;
  /**
   * What changes in the spec on a dark ground. Categories keep their colours, which stand out from both grounds; ramps
   * turn round, since on a dark ground it is the light that stands out.
   */
  dark?(spec: Spec): Partial<Spec>;
}

export interface FittedSpec<Spec extends CommonSpec = CommonSpec> {
  readonly spec: Spec;
  /** True where all groups, terms and names of the figure are there. */
  readonly isWhole: boolean;
}

/** What every spec says. Lengths are CSS pixels; the same spec is drawn at any resolution. */
export interface CommonSpec {
  /** Raised, kind by kind, when a spec of an older version would be drawn differently. */
  readonly version: number;
  readonly kind: string;
  readonly title: string;
  readonly datasetName: string;
  /** The line that counts the cells. */
  readonly summary: string;
  readonly size: { readonly width: number; readonly height: number };
  /**
   * Set where the figure is a part of a page that names it: it has no title and no dataset, and all of it lies within
   * `size`. What was left out for that is said on its first line, and parts that it goes without in its words; `instead`
   * is all that is said in a size that can hold nothing else.
   */
  readonly fitted?: {
    readonly leftOut: string;
    /** Such as `the legend`; absent where there are none. */
    readonly without?: readonly string[];
    readonly instead?: string;
  };
  /** 2 where the first line of a part of a page is two lines, as it has more to say than one holds; absent for one. */
  readonly noteLines?: 2;
  /** The range that was asked for where it is not the figure's own: of the colour bar, or of the axis of values. */
  readonly range?: readonly [number, number];
  /** What a careful reader has to know of the numbers; not drawn. */
  readonly cautions?: readonly Caution[];
  /** The cells that it is of, where they are a part of the dataset with a name. */
  readonly subset?: { readonly name: string; readonly cells: number };
  /** What it shows, for who cannot see it and for a legend; not drawn, but in its files. */
  readonly words?: FigureWords;
}

/** Where the cells of an embedding lie. */
export interface ScatterSpec extends CommonSpec {
  readonly version: 1;
  /** Key in obsm, such as `X_umap`. */
  readonly embedding: string;
  readonly axes: readonly [string, string];
  /**
   * Of the coordinates that are drawn: those of all cells of the dataset, so that subsets keep their place, or a window.
   */
  readonly extent: { readonly x: readonly [number, number]; readonly y: readonly [number, number] };
  /** The part of the map that was asked for; absent for all of it. */
  readonly window?: MapWindow;
  readonly pointRadius: number;
  readonly counts: CellCounts;
  readonly order: DrawOrder;
}

/**
 * Which cells lie on top of others. Cells without a colour of their own lie below all of them; among themselves those
 * on top lie in no order of the file, of the groups or of the values, which would make a map look like its extremes.
 */
export const drawOrders = ['shuffled', 'expressing-on-top', 'highlighted-on-top'] as const;
export type DrawOrder = (typeof drawOrders)[number];

interface CellCounts {
  readonly datasetCells: number;
  /** Cells of the dataset, or of the mask where there is one. */
  readonly cells: number;
  /** Of these, cells without finite coordinates: counted but not drawn. */
  readonly withoutPosition: number;
  /** Of these, cells in the window, where there is one. */
  readonly inWindow?: number;
}

/** Groups that a map leaves out because it was asked to. */
export interface HiddenGroups {
  readonly groups: number;
  readonly cells: number;
  /** Cells without a group that are left out. */
  readonly missing: number;
}

export interface LegendGroup {
  readonly label: string;
  readonly colour: string;
  /** Cells of the group among those counted. */
  readonly cells: number;
}

export interface CategoryGroup extends LegendGroup {
  readonly code: number;
  /** As the column has it, where somebody chose another label. */
  readonly name?: string;
}

/** Groups beyond those that a legend names. */
export interface RestOfGroups {
  /** Those that have cells. */
  readonly groups: number;
  readonly cells: number;
  readonly colour: string;
  /** Of their categories, also those without cells. */
  readonly codes: readonly number[];
}
