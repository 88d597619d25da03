import type {
  CellTypesRequest,
  ComparedGenes,
  CoExpressionRequest,
  CompositionFigure,
  CompositionRequest,
  GradientRequest,
  LigandReceptorRequest,
  MarkersFigure,
  PathwayFigure,
  PathwayRequest,
  PerturbationsFigure,
  PerturbationsRequest,
  RankedEnrichmentRequest,
  TrajectoryRequest,
} from '@cellfolio/analyses';
import type { z } from 'zod';
import type { CategoryPalette } from './drawing/colour/category-colours.ts';
import type { Figure } from './drawing/figure.ts';
import type { CategoricalColumn, Caution, CellMask, Embedding, GeneColumn } from '@cellfolio/model';
import type { ComparisonParameters, MarkerParameters } from '@cellfolio/analysis/parameters';
import type { GeneLines, GeneSums } from './drawing/gene-matrix/kept-genes.ts';
import type { CoExpressionInput } from './co-expression-input.ts';
import type { EndsInput, EndsQuestion } from './decile-input.ts';
import type { PseudobulkInput } from './pseudobulk-input.ts';
import type { RankedEnrichmentInput } from './ranked-enrichment/ranked-sets.ts';
import type { CellTypesInput } from './cell-type-heatmap/spec.ts';
import type { InteractionsInput } from './ligand-receptor/spec.ts';
import type { ScoreChoice } from './scores.ts';
import type { TitleBlock } from './drawing/file-figure.ts';
import type { MapShown } from './shown.ts';
import type { GradientInput } from './gradient-input.ts';
import type { TrajectoryInput } from './trajectory-input.ts';

export interface Plot {
  kind: string;
  /** Throws FigureInputError if the inputs do not describe the same cells, or cannot be drawn. */
  figure(values: object, setting: FigureSetting, content: object): Figure;
  /** For kinds whose content names its `cellNumbers`: the numbers, from the results among the inputs. */
  numbers?: ((values: object) => CellNumbers) | undefined;
}

export interface CellNumbers {
  /** NaN or infinite for cells without one. */
  readonly values: Float64Array;
  readonly words: string;
}

export function plot<Content extends { kind: string; schema: z.ZodType; inputs(content: never): PlotInputs }>(
  kind: Content['kind'],
  figure: (
    values: ValuesOf<ReturnType<Content['inputs']>>,
    setting: FigureSetting,
    content: z.output<Content['schema']>,
  ) => Figure,
  numbers?: (values: ValuesOf<ReturnType<Content['inputs']>>) => CellNumbers,
): Plot {
  return { kind, figure: figure as Plot['figure'], numbers: numbers as Plot['numbers'] };
}

/** Inputs of a figure, as data: one resolver on the server provides each of them for any dataset. */
export type PlotInput =
  | { readonly from: 'embedding' }
  /** The principal components of the cells, where the dataset has them. */
  | { readonly from: 'components' }
  /** One gene, by its symbol or id. */
  | { readonly from: 'gene'; readonly gene: string }
  /** The same where only its sums in groups of cells are drawn: by a column of obs, or the column that is `groups`. */
  | { readonly from: 'gene-sums'; readonly gene: string; readonly by: string | undefined }
  /** The same of a heatmap, which draws some of its cells. */
  | { readonly from: 'gene-lines'; readonly gene: string; readonly by: string | undefined }
  /** A column of obs by the part it plays; `groups` are the cell types, else the clusters, else all cells as one group. */
  | {
      readonly from: 'column';
      readonly of: 'groups' | 'cellType' | 'cluster';
      readonly chosen?: readonly string[];
    }
  /** Any column of obs, by its name. */
  | { readonly from: 'obs'; readonly column: string }
  /** A score of each cell. */
  | { readonly from: 'score'; readonly score: ScoreChoice }
  /** The result of a marker analysis; of the markers those that are named, all where none are. */
  | {
      readonly from: 'markers';
      readonly parameters: MarkerParameters;
      readonly markers?: NamedMarkers | undefined;
    }
  /** The result of a comparison; within categories of a column that of one, where none is named of that with most differing genes. */
  | {
      readonly from: 'comparison';
      readonly parameters: ComparisonParameters;
      readonly part?: string | undefined;
    }
  /** The cells that a comparison compares by their sides; within categories of a column by these and sides, or of one that is named. */
  | {
      readonly from: 'compared-sides';
      readonly parameters: ComparisonParameters;
      readonly part?: string | undefined;
    }
  /** The samples, the model and the checks of a comparison by sums of samples; one gene of it where one is named. */
  | {
      readonly from: 'pseudobulk';
      readonly parameters: ComparisonParameters;
      readonly part?: string | undefined;
      readonly gene?: string | undefined;
      /** Number of genes with the smallest p-values; default none. */
      readonly most?: number | undefined;
    }
  /** The cells at the ends of a ranking. */
  | { readonly from: 'ends'; readonly parameters: EndsQuestion }
  /** The result of a comparison of what samples are made of. */
  | { readonly from: 'composition'; readonly parameters: CompositionRequest }
  /** The result of a ligand–receptor analysis, with the version of the set of pairs. */
  | {
      readonly from: 'ligand-receptor';
      readonly parameters: LigandReceptorRequest & { readonly pairs_version?: string | undefined };
    }
  /** Suggested cell types, with the version of the set of markers. */
  | {
      readonly from: 'cell-types';
      readonly parameters: CellTypesRequest & { readonly markers_version?: string | undefined };
    }
  /** The result of a gene set enrichment, with the version of the library that it was tested against. */
  | {
      readonly from: 'pathway';
      readonly parameters: PathwayRequest & { readonly library_version?: string | undefined };
    }
  /** The result of a ranked enrichment with the walk of one set, where none is named of that with the greatest score. */
  | {
      readonly from: 'ranked-enrichment';
      readonly parameters: RankedEnrichmentRequest & { readonly library_version?: string | undefined };
      readonly term?: string | undefined;
    }
  /** The perturbations of a screen against its controls. */
  | { readonly from: 'perturbations'; readonly parameters: PerturbationsRequest }
  /** Cells in an order along a path. */
  | { readonly from: 'trajectory'; readonly parameters: TrajectoryRequest }
  /** Genes along an axis. */
  | { readonly from: 'gradient'; readonly parameters: GradientRequest }
  /** Modules of genes that vary together. */
  | { readonly from: 'co-expression'; readonly parameters: CoExpressionRequest };

type NamedMarkers = readonly { group: string; genes: readonly string[] }[];

export type PlotInputs = Readonly<Record<string, PlotInput | readonly PlotInput[]>>;

export interface InputValues {
  readonly embedding: Embedding;
  readonly components: Embedding | null;
  readonly gene: NamedGene & { readonly gene: GeneColumn };
  /** Its sums over the drawn cells if available, else its values. */
  readonly 'gene-sums': NamedGene & ({ readonly gene: GeneColumn } | { readonly sums: GeneSums });
  readonly 'gene-lines': NamedGene & ({ readonly gene: GeneColumn } | { readonly lines: GeneLines });
  readonly column: {
    readonly column: CategoricalColumn;
    /** Name in obs; absent if the dataset has no groups. */
    readonly columnName?: string;
    readonly title: string;
    readonly palette: CategoryPalette;
    readonly chosen: readonly string[];
  };
  readonly obs: {
    readonly title: string;
    readonly columnName: string;
  } & (
    | { readonly column: CategoricalColumn; readonly palette: CategoryPalette }
    /** One number a cell; NaN where it is missing. */
    | { readonly scores: Float64Array; readonly unit: string }
  );
  readonly score: {
    readonly title: string;
    /** Genes or parts of the score. */
    readonly subtitle: string;
    /** One per cell, in shared memory; NaN outside the subset. */
    readonly scores: Float64Array;
    readonly cautions: readonly Caution[];
  };
  readonly markers: MarkersFigure & { readonly cautions?: readonly Caution[] };
  readonly pathway: PathwayFigure & { readonly cautions?: readonly Caution[] };
  readonly comparison: ComparedGenes;
  /** Cells on no side have no category. */
  readonly 'compared-sides': { readonly column: CategoricalColumn; readonly a: string; readonly b: string };
  readonly pseudobulk: PseudobulkInput;
  readonly ends: EndsInput;
  readonly composition: CompositionFigure & { readonly cautions?: readonly Caution[] };
  readonly 'ranked-enrichment': RankedEnrichmentInput;
  readonly 'ligand-receptor': InteractionsInput;
  readonly 'cell-types': CellTypesInput;
  readonly trajectory: TrajectoryInput;
  readonly gradient: GradientInput;
  readonly 'co-expression': CoExpressionInput;
  readonly perturbations: PerturbationsFigure & { readonly cautions?: readonly Caution[] };
}

interface NamedGene {
  symbol: string;
  unit: string;
}

type ValueOf<Input> = Input extends { from: infer From extends keyof InputValues }
  ? InputValues[From]
  : never;

export type ValuesOf<Inputs extends PlotInputs> = {
  readonly [Name in keyof Inputs]: Inputs[Name] extends readonly (infer One)[]
    ? readonly ValueOf<One>[]
    : ValueOf<Inputs[Name]>;
};

export interface FigureSetting {
  datasetName: string;
  mask?: CellMask;
  subset?: string;
  /** Ends of the colour bar or value axis, instead of the figure's own. */
  range?: readonly [number, number];
  /** Group labels in draw order, instead of the figure's own; others follow. */
  order?: readonly string[];
  shown?: MapShown;
  /** Simulated data, which every figure of it says. */
  simulated?: boolean;
  /** Title block of its files. */
  file?: TitleBlock;
}
