import type { Caution, DatasetAnalysis, FigureSource, ResultFact } from '@cellfolio/contract';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { z } from 'zod';
import type { ColumnKind, HeldTable, TableColumns } from '@/features/tables/index.ts';
import type { ReadAnswer } from './read-answer.ts';

/** The fields of a form as typed. */
export type AnalysisForm = Readonly<Record<string, string>>;

export interface AnyAnswer {
  source: FigureSource | null;
  warnings: Caution[];
  facts: ResultFact[];
}

/** What differs between analyses: panel, results, downloads and progress are the same for all of them. */
export interface AnalysisModule<
  Form extends object = AnalysisForm,
  Request extends object = object,
  Answer extends AnyAnswer = AnyAnswer,
> {
  /** Under which forms and analyses are remembered. */
  readonly id: string;
  readonly title: string;
  /** In the middle of a sentence. */
  readonly name: string;
  /** In the notification of its end. */
  readonly noticeName: string;
  /** While it runs. */
  readonly running: string;
  readonly icon: LucideIcon;
  readonly path: `/api/${string}`;
  readonly request: z.ZodType<unknown, Request>;
  readonly answer: z.ZodType<Answer>;
  /** The field of the answer that has its table as CSV. It is read away from the page, and empty in `Answer`. */
  readonly csvField: keyof Answer & string;
  readonly form: {
    readonly defaults: Form;
    requestOf(form: Form, dataset: DatasetAnalysis): Request;
    /** Whether the form is complete for a dataset. */
    isComplete(form: Form, dataset: DatasetAnalysis): boolean;
    readonly Fields: ComponentType<{
      analysis: DatasetAnalysis;
      form: Form;
      /** The analyses of this dataset that were run, newest first. */
      runs: readonly RunBefore[];
      onChange: (change: Partial<Form>) => void;
    }>;
    /** The change that puts a list of genes into the form; absent where it takes none. */
    withGenes?(genes: readonly string[]): Partial<Form>;
  };
  /** Describes the running request. */
  runningText(request: Request): string;
  /** What a notice says when it begins; absent where none is shown. */
  startedText?(request: Request): string;
  /** The notice of every failure asks for a retry; without it, that of a refusal says why. */
  readonly alwaysRetried?: true;
  /** Summary of the request in one line; `cells` describes its cells. */
  asked(request: Request, cells: string): string;
  /** Headings of its table, by those of the CSV file. */
  readonly columns: ReadonlyMap<string, ColumnKind>;
  /** By the headings of p-values from permutations, what these can be told apart to; absent without such. */
  pValueBounds?(answer: Answer): ReadonlyMap<string, number>;
  /** Names of its files without their endings, and of its figure. */
  readonly files: { readonly table: string; readonly figure: string };
  readonly figure:
    | 'Dot Plot'
    | 'Bar Plot'
    | 'Volcano Plot'
    | 'Composition Plot'
    | 'Pseudotime Map'
    | 'Heatmap'
    | 'Module Heatmap';
  /** The figures that its genes can be drawn as, the first as they came; absent where there is one. */
  readonly plots?: readonly PlotChoice[];
  readonly searchPlaceholder: string;
  /** What the genes of a group are in the name of a list; markers unless given. */
  readonly groupGenes?: string;
  /** A row among those that are shown, all of them or those of one group. */
  rowNoun(ofGroup: boolean): string;
  allRows(rowCount: number): string;
  /** Reads the answer. */
  read(answer: Answer): ReadAnswer;
  /** What was tested with and against, above the result. */
  readonly Facts?: ComponentType<FactsProps<Answer, Request>>;
  /** What to judge the tests by, in a tab of its own; absent of an answer where `has` is false. */
  readonly diagnostics?: {
    has(answer: Answer): boolean;
    readonly Panel: ComponentType<FigurePanelProps<Answer>>;
  };
  /** Stands for its figure on the page, where a picture would not do. */
  readonly Figure?: ComponentType<FigurePanelProps<Answer>>;
  /** Of the tab that `Figure` stands in, where it is not that of its figure. */
  readonly panelTitle?: string;
  /** Whether a result opens with its panel rather than with its preview. */
  readonly opensWithPanel?: true;
  /** What can be asked next of a result. */
  followUps?(result: FollowUpResult<Answer>): readonly FollowUp[];
  /** Further figures of the whole result, drawn when they are looked at. */
  readonly furtherFigures?: readonly FurtherFigure<Answer>[];
  /** The figures of one row; absent where rows have none. */
  readonly figuresOfRow?: readonly RowFigure[];
  /** The figure of genes that are selected, with what a button calls it; absent where genes have none. */
  readonly figureOfGenes?: {
    readonly name: string;
    /** What its groups are, in a sentence. */
    readonly about: string;
    /** Genes that fit into one. */
    readonly most: number;
    /** @param group that the table or the figure shows; empty for all */
    source(source: FigureSource, genes: readonly string[], group: string): FigureSource;
  };
  /** Names the figure of some of the rows; absent where a figure is always of the whole result. */
  figureOfRows?(source: FigureSource, table: TableColumns, rows: ArrayLike<number>): FigureSource | null;
  /** Names the figure as it is set on the page; absent where nothing of it can be set. */
  figureAsSet?(source: FigureSource, figure: FigureSetting): FigureSource;
}

export interface PlotChoice {
  readonly kind: string;
  readonly title: string;
  /** Of its files, without their endings. */
  readonly file: string;
}

/** How the figure of a result is drawn. */
export interface FigureSetting {
  /** One of `plots`. */
  readonly kind: string;
  /** What genes are coloured by, and counted; undefined for what was asked for. */
  readonly thresholds: FigureThresholds | undefined;
  /** The group that is drawn; undefined for that of the table, or the one with most that passes. */
  readonly part: string | undefined;
}

export interface RowFigure {
  /** What a button calls it. */
  readonly name: string;
  /** What it is of, in a sentence. */
  readonly about: string;
  source(
    source: FigureSource,
    table: TableColumns,
    row: number,
  ): { readonly source: FigureSource; readonly title: string } | null;
}

export interface FigureThresholds {
  readonly adjustedP: number;
  readonly foldChange: number;
}

export interface FactsProps<Answer, Request> {
  answer: Answer;
  /** Runs another request of the same analysis on the cells of the result. */
  onRun: (request: Request) => void;
}

interface FurtherFigure<Answer = AnyAnswer> {
  readonly figure: 'Heatmap' | 'Dot Plot' | 'Ends' | 'Composition';
  /** Name of its files without their endings. */
  readonly file: string;
  /** Named after the figure that came with the result; `null` where there is nothing to draw. */
  sourceOf(source: FigureSource, answer: Answer): FigureSource | null;
}

/** What the figure of a result on the page is made of. */
export interface FigurePanelProps<Answer> {
  answer: Answer;
  table: TableColumns;
  /** The group that the table shows; empty for all. */
  group: string;
  plots: readonly PlotChoice[];
  figure: FigureSetting;
  onFigure: (change: Partial<FigureSetting>) => void;
  /** Rows that are selected, in the figure or in the table. */
  selected: ReadonlySet<number>;
  onSelect: (rows: readonly number[], how: 'only' | 'also' | 'turn') => void;
  /** Where its genes are looked up. */
  dataset: { readonly filename: string; readonly version: string };
  /** Puts a gene into Gene Visualization. */
  onGene: (gene: string) => void;
  /** The same for several, as many as one call plots. */
  onGenes: (genes: readonly string[]) => void;
}

/** An analysis that was run, as forms may take it. */
export interface RunBefore {
  readonly module: { readonly id: string };
  readonly request: object;
  /** What its user calls it, else what was asked of which cells. */
  readonly label: string;
}

export type FollowUpResult<Answer> = Pick<FigurePanelProps<Answer>, 'answer' | 'table' | 'group'>;

/** An analysis that goes on from a result: a change of its form. */
export interface FollowUp {
  readonly label: string;
  /** Tells it apart from others at length. */
  readonly title: string;
  readonly module: AnalysisModule;
  readonly change: Partial<AnalysisForm>;
  readonly disabled: boolean;
}

/** Erases the types of an analysis: it only receives values of its own making. */
export function defineAnalysis<Form extends object, Request extends object, Answer extends AnyAnswer>(
  module: AnalysisModule<Form, Request, Answer>,
): AnalysisModule {
  return module as unknown as AnalysisModule;
}

export interface AnalysisResult {
  readonly module: AnalysisModule;
  readonly answer: AnyAnswer;
  readonly table: HeldTable;
  readonly id: string;
  readonly datasetName: string;
  /** 'Global' for the whole dataset. */
  readonly subsetName: string;
  /** Of the dataset. */
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Whether it was run before, and computed again when it was opened. */
  readonly again: boolean;
}

/** The further figures of a result that have something to draw. */
export function furtherFigures({
  module,
  answer,
}: Pick<AnalysisResult, 'module' | 'answer'>): (FurtherFigure & { readonly source: FigureSource })[] {
  return (module.furtherFigures ?? []).flatMap((further) => {
    const source = answer.source && further.sourceOf(answer.source, answer);
    return source === null ? [] : [{ ...further, source }];
  });
}

/** What came out, as it is of any analysis. */
export function readResult({ module, answer }: AnalysisResult): ReadAnswer {
  return module.read(answer);
}

/** The figure that is chosen where there is a choice. */
export function plotOf(
  { module }: Pick<AnalysisResult, 'module'>,
  { kind }: FigureSetting,
): PlotChoice | undefined {
  return module.plots?.find((plot) => plot.kind === kind);
}

/** The forms of all analyses, by the ids of these. */
export type AnalysisForms = Readonly<Record<string, AnalysisForm>>;

/** Reads stored forms, which are untrusted. */
export function readForms(modules: readonly AnalysisModule[], value: unknown): AnalysisForms | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const stored = new Map<string, unknown>(Object.entries(value));
  return Object.fromEntries(modules.map(({ id, form }) => [id, readForm(stored.get(id), form.defaults)]));
}

function readForm(value: unknown, defaults: AnalysisForm): AnalysisForm {
  const stored = new Map<string, unknown>(Object.entries(value ?? {}));
  const fields = Object.entries(defaults).map(([field, standard]) => {
    const text = stored.get(field);
    return [field, typeof text === 'string' ? text : standard];
  });
  return Object.fromEntries(fields) as AnalysisForm;
}
