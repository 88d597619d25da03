import type { DatasetAnalysis, FigureContent, FilterRequest } from '@cellfolio/contract';
import type { MapContent } from './map-content.ts';
import type { GeneIndex } from '@/features/genes/index.ts';

/** Outcome of a step; an error says why it failed. */
export type StepEnd = 'done' | 'canceled' | Error;

/** Cells that a step is restricted to. */
export interface StepCells {
  readonly name: string;
  readonly filter: FilterRequest;
}

/** A step of a plan as the page runs it; without cells on the active ones. */
export type RunnableStep = { readonly cells?: StepCells } & (
  | { readonly analysis: string; readonly request: object }
  | { readonly content: FigureContent }
);

/** The page that runs the steps of a plan on its dataset. */
export interface AskHost {
  readonly analysis: DatasetAnalysis;
  readonly index: GeneIndex;
  /** Storage key of the user and the dataset. */
  readonly draftKey: string;
  /** Runs a step as its panel would. */
  run: (step: RunnableStep) => Promise<StepEnd>;
  /** Stops the step that runs. */
  cancel: () => void;
  /** Why a step cannot be run here; undefined where it can. */
  refusal?: (step: RunnableStep) => string | undefined;
  /** Present where questions can go to a model: the cells that they are about, and how its map is colored. */
  readonly model?: {
    readonly cells: { readonly subset: FilterRequest } | undefined;
    readonly colorMap: (content: MapContent) => void;
  };
  /** Opens the form of the step with its parameters; undefined where it has none. */
  formOf?: (step: RunnableStep) => (() => void) | undefined;
}

/** The planner of the steps of a question. */
export type AskWay = 'rules' | 'model';

/** Shown below the field: the plan of a question, or an answered question of the history. */
export type ShownQuestion = { readonly count: number } & (
  | { readonly text: string; readonly way: AskWay }
  | { readonly id: string }
);
