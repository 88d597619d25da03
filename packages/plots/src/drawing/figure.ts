import type { CategoricalColumn, Caution, CellMask, Embedding, GeneColumn } from '@cellfolio/model';

/** A figure: all that was decided about it, as plain JSON, and the columns it is drawn from. */
export type Figure =
  | GeneUmapFigure
  | ScoreUmapFigure
  | CategoryUmapFigure
  | HighlightUmapFigure
  | GeneViolinFigure
  | ScoreViolinFigure
  | DotPlotFigure
  | EnrichmentBarFigure;

export type FigureSpec = Figure['spec'];

/** Figures whose spec holds all that is drawn. */
interface SelfContained<Spec> {
  readonly spec: Spec;
  readonly columns: Record<never, never>;
}

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

export interface ScoreUmapFigure {
  readonly spec: ScoreUmapSpec;
  readonly columns: {
    readonly embedding: Embedding;
    /** One a cell; NaN where a cell was not scored. */
    readonly scores: Float64Array;
    readonly mask?: CellMask;
  };
}

export interface HighlightUmapFigure {
  readonly spec: HighlightUmapSpec;
  readonly columns: CategoryUmapFigure['columns'];
}

export type GeneViolinFigure = SelfContained<GeneViolinSpec>;
export type ScoreViolinFigure = SelfContained<ScoreViolinSpec>;
export type DotPlotFigure = SelfContained<DotPlotSpec>;
export type EnrichmentBarFigure = SelfContained<EnrichmentBarSpec>;

/** What every spec says. Lengths are CSS pixels; the same spec is drawn at any resolution. */
export interface CommonSpec {
  /** Raised, kind by kind, when a spec of an older version would be drawn differently. */
  readonly version: number;
  readonly title: string;
  readonly datasetName: string;
  /** The line that counts the cells. */
  readonly summary: string;
  readonly size: { readonly width: number; readonly height: number };
  /**
   * Set where the figure is a part of a page that names it: it has no title and no dataset, and all of it lies within
   * `size`. What was left out for that is said on its first line.
   */
  readonly fitted?: { readonly leftOut: string };
  /** The range that was asked for where it is not the figure's own: of the colour bar, or of the axis of values. */
  readonly range?: readonly [number, number];
  /** What a careful reader has to know of the numbers; not drawn. */
  readonly cautions?: readonly Caution[];
}

/** Where the cells of an embedding lie. */
export interface ScatterSpec extends CommonSpec {
  readonly version: 1;
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
  /** True where values other than 0 below a `low` that was asked for take the first shade; the bar then says `≤`. */
  readonly clippedLow?: boolean;
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

export interface CategoryGroup extends LegendGroup {
  readonly code: number;
}

/** Groups beyond those that a legend names. */
export interface RestOfGroups {
  /** Those that have cells. */
  readonly groups: number;
  readonly cells: number;
  readonly colour: string;
}

export interface CategoryUmapSpec extends ScatterSpec {
  readonly kind: 'category-umap';
  /** One for each category, in the order of the codes, also where no cell has it; of more than 200 the largest. */
  readonly groups: readonly CategoryGroup[];
  /** Absent where all are among `groups`. */
  readonly rest?: RestOfGroups;
  /** Cells without a category. */
  readonly missing: number;
  readonly colours: { readonly missing: string; readonly outside: string };
}

export interface ScoreUmapSpec extends ScatterSpec {
  readonly kind: 'score-umap';
  readonly unit: string;
  /** What the score was made of, on a line of its own; empty for none. */
  readonly subtitle: string;
  readonly domain: ScoreDomain;
  /** Cells counted whose score is NaN or infinite: drawn like cells outside. */
  readonly notScored: number;
  readonly colours: { readonly ramp: readonly string[]; readonly outside: string };
  /** What to know of the score before it is interpreted. */
  readonly cautions?: readonly Caution[];
}

/** Range of the colour bar of a score: its 1st to 99th percentile where values beyond stretch it. */
export interface ScoreDomain {
  readonly low: number;
  readonly high: number;
  /** Exact least and greatest score. */
  readonly min: number;
  readonly max: number;
  /** True where scores below `low` take the first shade; the bar then says `≤`. */
  readonly clippedLow: boolean;
  /** True where scores above `high` take the last shade; the bar then says `≥`. */
  readonly clippedHigh: boolean;
}

export interface HighlightUmapSpec extends ScatterSpec {
  readonly kind: 'highlight-umap';
  /** The chosen categories in the order of their codes, also where no cell has one; of more than 200 the largest. */
  readonly groups: readonly CategoryGroup[];
  /** Chosen ones that are not among `groups`. */
  readonly rest?: RestOfGroups & { readonly codes: readonly number[] };
  /** Radius of the chosen cells: a few among very many are drawn larger than these. */
  readonly highlightRadius: number;
  /** Cells of the other categories and of none. */
  readonly others: number;
  readonly colours: { readonly others: string; readonly outside: string };
}

/** Summary of one group; quartiles are numpy's linear percentiles of all its values, zeros included. */
export interface ViolinGroup extends LegendGroup {
  /** Of all its values, zeros included. */
  readonly mean: number;
  readonly quartiles: readonly [number, number, number] | null;
  readonly range: readonly [number, number] | null;
  /**
   * Density at evenly spaced values over `range`, greatest 1; null with fewer than ten cells or two
   * distinct values.
   */
  readonly density: readonly number[] | null;
  /** All values in rising order where the cells are fewer than ten, as so few make no density; null for more. */
  readonly points: readonly number[] | null;
}

interface ViolinSpec extends CommonSpec {
  readonly version: 2;
  readonly unit: string;
  readonly groupTitle: string;
  readonly domain: readonly [number, number];
  /** True where values lie beyond a range that was asked for: they are not drawn. */
  readonly clipped?: boolean;
  /** In the order of the categories, without those that have no cell. */
  readonly groups: readonly ViolinGroup[];
  /** Groups that have cells; more than `groups` holds where the figure was limited to the largest. */
  readonly groupCount: number;
}

export interface GeneViolinSpec extends ViolinSpec {
  readonly kind: 'gene-violin';
  readonly groups: readonly (ViolinGroup & { readonly expressing: number })[];
}

export interface ScoreViolinSpec extends ViolinSpec {
  readonly kind: 'score-violin';
  /** Cells of the groups whose score is NaN or infinite: in no violin. */
  readonly notScored: number;
  readonly cautions?: readonly Caution[];
}

/** Rows are groups, columns genes; matrices are group-major: `mean[group * genes.length + gene]`. */
export interface DotPlotSpec extends CommonSpec {
  readonly kind: 'dot-plot';
  readonly version: 1;
  readonly groupTitle: string;
  readonly groups: readonly { readonly label: string; readonly cells: number }[];
  /** `bracket` is the group whose marker the gene is; neighbours of one bracket are drawn under one. */
  readonly genes: readonly { readonly symbol: string; readonly bracket: string | null }[];
  readonly mean: readonly number[];
  /** 0 to 1. */
  readonly fraction: readonly number[];
  /** Fraction of the largest dot: the greatest, rounded up to a tenth. 0 where no cell expresses any gene. */
  readonly dotMax: number;
  readonly meanDomain: readonly [number, number];
  /** How many there were, where the figure was limited. */
  readonly groupCount: number;
  readonly geneCount: number;
  readonly colours: { readonly ramp: readonly string[] };
  /** Groups of fewer cells are marked with an asterisk. */
  readonly fewCells?: number;
  /** What limits the result that is drawn, the gravest first. */
  readonly cautions?: readonly Caution[];
}

export interface EnrichmentBarSpec extends CommonSpec {
  readonly kind: 'enrichment-bar';
  readonly version: 1;
  readonly subtitle: string;
  readonly threshold: number;
  /** Genes that a set has to share with the list to be here; absent where one is enough. */
  readonly minimumOverlap?: number;
  /** Best first. */
  readonly terms: readonly EnrichmentBarTerm[];
  /** How many there were to choose from. */
  readonly termCount: number;
  /** How many of all have an adjusted p of at most the threshold. */
  readonly significant: number;
}

export interface EnrichmentBarTerm {
  readonly term: string;
  readonly adjustedP: number;
  /** −log10 of the adjusted p, the length of the bar; finite also where `adjustedP` underflowed to 0. */
  readonly score: number;
  /** Such as `12/200`. */
  readonly overlap: string;
  /** −ln p × odds ratio; null where it was not given as a finite number. */
  readonly combinedScore: number | null;
}
