import type { CategoricalColumn, CellMask, Embedding, GeneColumn } from '@cellfolio/model';

/** A figure: all that was decided about it, as plain JSON, and the columns it is drawn from. */
export type Figure = GeneUmapFigure | CategoryUmapFigure | GeneViolinFigure;

export type FigureSpec = GeneUmapSpec | CategoryUmapSpec | GeneViolinSpec;

export interface GeneUmapFigure {
  readonly spec: GeneUmapSpec;
  readonly columns: { readonly embedding: Embedding; readonly gene: GeneColumn; readonly mask?: CellMask };
}

export interface CategoryUmapFigure {
  readonly spec: CategoryUmapSpec;
  readonly columns: {
    readonly embedding: Embedding;
    readonly column: CategoricalColumn;
    readonly mask?: CellMask;
  };
}

/** A violin figure needs no columns: its spec holds the densities. */
export interface GeneViolinFigure {
  readonly spec: GeneViolinSpec;
  readonly columns: Record<never, never>;
}

/** What every spec says. Lengths are CSS pixels; the same spec is drawn at any resolution. */
export interface CommonSpec {
  /** Raised when a spec of an older version would be drawn differently. */
  readonly version: 1;
  readonly title: string;
  readonly datasetName: string;
  /** The line that counts the cells. */
  readonly summary: string;
  readonly size: { readonly width: number; readonly height: number };
}

/** Where the cells of an embedding lie. */
export interface ScatterSpec extends CommonSpec {
  readonly axes: readonly [string, string];
  /** Range of the finite coordinates of all cells of the dataset, so that subsets keep their place. */
  readonly extent: { readonly x: readonly [number, number]; readonly y: readonly [number, number] };
  readonly pointRadius: number;
  readonly counts: CellCounts;
}

export interface CellCounts {
  readonly datasetCells: number;
  /** Cells of the dataset, or of the mask where there is one. */
  readonly cells: number;
  /** Of these, cells without finite coordinates: counted but not drawn. */
  readonly withoutPosition: number;
}

/** Range of the colour bar. */
export interface ExpressionDomain {
  /** 0, or the lowest value where some are negative. */
  readonly low: number;
  /** Value of the last shade. */
  readonly high: number;
  /** Exact greatest value. */
  readonly max: number;
  /** True where values above `high` take the last shade; the bar then says `≥`. */
  readonly clipped: boolean;
}

export interface GeneUmapSpec extends ScatterSpec {
  readonly kind: 'gene-umap';
  readonly unit: string;
  readonly domain: ExpressionDomain;
  readonly expressing: number;
  /** Cells whose value is NaN or infinite: drawn like cells without expression, and counted apart. */
  readonly withoutValue: number;
  readonly colours: { readonly ramp: readonly string[]; readonly zero: string; readonly outside: string };
}

export interface LegendGroup {
  readonly label: string;
  readonly colour: string;
  /** Cells of the group among those counted. */
  readonly cells: number;
}

export interface CategoryUmapSpec extends ScatterSpec {
  readonly kind: 'category-umap';
  /** One for each category, in the order of the codes, also where no cell has it. */
  readonly groups: readonly LegendGroup[];
  /** Cells without a category. */
  readonly missing: number;
  readonly colours: { readonly missing: string; readonly outside: string };
}

/** Summary of one group; quartiles are numpy's linear percentiles of all its values, zeros included. */
export interface ViolinGroup extends LegendGroup {
  readonly expressing: number;
  /** Of all its values, zeros included. */
  readonly mean: number;
  readonly quartiles: readonly [number, number, number] | null;
  readonly range: readonly [number, number] | null;
  /** Density at evenly spaced values over `range`, greatest 1; null with fewer than two distinct values. */
  readonly density: readonly number[] | null;
}

export interface GeneViolinSpec extends CommonSpec {
  readonly kind: 'gene-violin';
  readonly unit: string;
  readonly groupTitle: string;
  readonly domain: readonly [number, number];
  readonly groups: readonly ViolinGroup[];
}
