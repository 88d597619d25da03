import type { Caution, DatasetAnalysis, FigureSource, ResultFact } from '@cellfolio/contract';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { z } from 'zod';
import type { ColumnKind, HeldTable, TableColumns } from '@/features/tables/index.ts';
import type { ReadAnswer } from './read-answer.ts';

export type AnalysisForm = Readonly<Record<string, string>>;

export interface AnyAnswer {
  source: FigureSource | null;
  warnings: Caution[];
  facts: ResultFact[];
}

/** The parts that differ between analyses: panel, results, downloads and progress are common to all. */
export interface AnalysisModule<
  Form extends object = AnalysisForm,
  Request extends object = object,
  Answer extends AnyAnswer = AnyAnswer,
> {
  /** Storage key of its forms and analyses. */
  readonly id: string;
  readonly title: string;
  readonly name: string;
  readonly noticeName: string;
  readonly running: string;
  readonly icon: LucideIcon;
  readonly path: `/api/${string}`;
  readonly request: z.ZodType<unknown, Request>;
  readonly answer: z.ZodType<Answer>;
  /** The field of the response with its table as CSV. It is read off the main thread, and empty in `Answer`. */
  readonly csvField: keyof Answer & string;
  readonly form: {
    readonly defaults: Form;
    requestOf(form: Form, dataset: DatasetAnalysis): Request;
    isComplete(form: Form, dataset: DatasetAnalysis): boolean;
    readonly Fields: ComponentType<{
      analysis: DatasetAnalysis;
      form: Form;
      runs: readonly RunBefore[];
      onChange: (change: Partial<Form>) => void;
    }>;
    /** The Group By of a form in which none is chosen yet; absent when none is suggested. */
    groupByOf?(dataset: DatasetAnalysis): string | undefined;
    /** Form changes that insert a list of genes; absent when the form takes none. */
    withGenes?(genes: readonly string[]): Partial<Form>;
  };
  runningText(request: Request): string;
  /** Notice at the start; absent for none. */
  startedText?(request: Request): string;
  /** The notice of every failure asks for a retry; without it, that of a refusal gives the reason. */
  readonly alwaysRetried?: true;
  /** Summary of the request in one line; `cells` describes its cells. */
  asked(request: Request, cells: string): string;
  /** Column headings, by those of the CSV file. */
  readonly columns: ReadonlyMap<string, ColumnKind>;
  /** Resolution of permutation p-values, by column heading; absent without such. */
  pValueBounds?(answer: Answer): ReadonlyMap<string, number>;
  /** Names of its files without extension, and of its figure. */
  readonly files: { readonly table: string; readonly figure: string };
  readonly figure:
    | 'Dot Plot'
    | 'Bar Plot'
    | 'Volcano Plot'
    | 'Composition Plot'
    | 'Pseudotime Map'
    | 'Heatmap'
    | 'Module Heatmap';
  /** Alternative figures of its genes, the default first; absent if there is only one. */
  readonly plots?: readonly PlotChoice[];
  readonly searchPlaceholder: string;
  /** Description of a group's genes in the name of a list; default: markers. */
  readonly groupGenes?: string;
  /** Noun for a row among all rows, or among those of one group. */
  rowNoun(ofGroup: boolean): string;
  allRows(rowCount: number): string;
  read(answer: Answer): ReadAnswer;
  readonly Facts?: ComponentType<FactsProps<Answer, Request>>;
  /** Diagnostics of the tests, in a separate tab; absent for a response where `has` is false. */
  readonly diagnostics?: {
    has(answer: Answer): boolean;
    readonly Panel: ComponentType<FigurePanelProps<Answer>>;
  };
  /** Replaces the figure's image on the page. */
  readonly Figure?: ComponentType<FigurePanelProps<Answer>>;
  /** Title of the tab that contains `Figure`, if different from that of its figure. */
  readonly panelTitle?: string;
  /** Whether a result opens with its panel rather than with its preview. */
  readonly opensWithPanel?: true;
  followUps?(result: FollowUpResult<Answer>): readonly FollowUp[];
  /** Further figures of the whole result, drawn when viewed. */
  readonly furtherFigures?: readonly FurtherFigure<Answer>[];
  /** The figures of one row; absent when rows have none. */
  readonly figuresOfRow?: readonly RowFigure[];
  /** The figure of selected genes, with its button label; absent when genes have none. */
  readonly figureOfGenes?: {
    readonly name: string;
    readonly about: string;
    /** Maximum number of genes. */
    readonly most: number;
    /** `group` is the one shown by the table or figure; empty for all. */
    source(source: FigureSource, genes: readonly string[], group: string): FigureSource;
  };
  /** Identifies the figure of some of the rows; absent when a figure always shows the whole result. */
  figureOfRows?(source: FigureSource, table: TableColumns, rows: ArrayLike<number>): FigureSource | null;
  /** Identifies the figure with the settings of the page; absent when it has no settings. */
  figureAsSet?(source: FigureSource, figure: FigureSetting): FigureSource;
}

export interface PlotChoice {
  readonly kind: string;
  readonly title: string;
  readonly file: string;
}

export interface FigureSetting {
  /** One of `plots`. */
  readonly kind: string;
  /** Thresholds for colouring and counting genes; undefined for the requested ones. */
  readonly thresholds: FigureThresholds | undefined;
  /** The group that is drawn; undefined for that of the table, or the one with the most passing genes. */
  readonly part: string | undefined;
}

export interface RowFigure {
  readonly name: string;
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
  onRun: (request: Request) => void;
}

interface FurtherFigure<Answer = AnyAnswer> {
  readonly figure: 'Heatmap' | 'Dot Plot' | 'Ends' | 'Composition';
  readonly file: string;
  /** Derived from the figure of the result; `null` when there is nothing to draw. */
  sourceOf(source: FigureSource, answer: Answer): FigureSource | null;
}

export interface FigurePanelProps<Answer> {
  answer: Answer;
  table: TableColumns;
  /** The group shown by the table; empty for all. */
  group: string;
  plots: readonly PlotChoice[];
  figure: FigureSetting;
  onFigure: (change: Partial<FigureSetting>) => void;
  selected: ReadonlySet<number>;
  onSelect: (rows: readonly number[], how: 'only' | 'also' | 'turn') => void;
  dataset: { readonly filename: string; readonly version: string };
  onGene: (gene: string) => void;
  /** As `onGene`, for several genes, at most as many as one call plots. */
  onGenes: (genes: readonly string[]) => void;
}

export interface RunBefore {
  readonly module: { readonly id: string };
  readonly request: object;
  /** The user's name, else a summary of request and cells. */
  readonly label: string;
}

export type FollowUpResult<Answer> = Pick<FigurePanelProps<Answer>, 'answer' | 'table' | 'group'>;

export interface FollowUp {
  readonly label: string;
  readonly title: string;
  readonly module: AnalysisModule;
  readonly change: Partial<AnalysisForm>;
  readonly disabled: boolean;
}

/** Erases the types of an analysis: it only receives values that it made itself. */
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
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Whether it is an earlier analysis that was computed again when opened. */
  readonly again: boolean;
}

export function furtherFigures({
  module,
  answer,
}: Pick<AnalysisResult, 'module' | 'answer'>): (FurtherFigure & { readonly source: FigureSource })[] {
  return (module.furtherFigures ?? []).flatMap((further) => {
    const source = answer.source && further.sourceOf(answer.source, answer);
    return source === null ? [] : [{ ...further, source }];
  });
}

export function readResult({ module, answer }: AnalysisResult): ReadAnswer {
  return module.read(answer);
}

export function plotOf(
  { module }: Pick<AnalysisResult, 'module'>,
  { kind }: FigureSetting,
): PlotChoice | undefined {
  return module.plots?.find((plot) => plot.kind === kind);
}

export type AnalysisForms = Readonly<Record<string, AnalysisForm>>;

/** The form of a module as it is shown and sent: an empty Group By is the one of the dataset. */
export function formOf(
  { id, form: { groupByOf } }: AnalysisModule,
  forms: AnalysisForms,
  dataset: DatasetAnalysis,
): AnalysisForm {
  // name-dictionary: by the id of a module of ours
  const form = forms[id]!;
  return form['groupBy'] === '' ? { ...form, groupBy: groupByOf?.(dataset) ?? '' } : form;
}

/** Reads stored forms, which are untrusted. */
export function readForms(modules: readonly AnalysisModule[], value: unknown): AnalysisForms | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const stored = new Map<string, unknown>(Object.entries(value));
  return Object.fromEntries(modules.map(({ id, form }) => [id, readForm(stored.get(id), form.defaults)]));
}

function readForm(value: unknown, defaults: AnalysisForm): AnalysisForm {
  const stored = new Map<string, unknown>(Object.entries(value ?? {}));
  const fields = Object.entries(defaults).map(([field, defaultValue]) => {
    const text = stored.get(field);
    return [field, typeof text === 'string' ? text : defaultValue];
  });
  return Object.fromEntries(fields) as AnalysisForm;
}
