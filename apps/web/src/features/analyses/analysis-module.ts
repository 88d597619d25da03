import type { AnalysisTask, ColumnCounts, NextQuestion, OfferedList } from '@cellfolio/analyses';
import type { Caution, DatasetAnalysis, FigureSource, ResultFact } from '@cellfolio/contract';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { z } from 'zod';
import type { ColumnKind, HeldTable, TableColumns } from '@/features/tables/index.ts';
import type { ListSource } from './list-sources.ts';
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
  id: string;
  title: string;
  task: AnalysisTask;
  question: string;
  searchWords: string;
  impossible?: ((columns: ColumnCounts) => string | undefined) | undefined;
  name: string;
  noticeName: string;
  running: string;
  icon: LucideIcon;
  path: `/api/${string}`;
  request: z.ZodType<unknown, Request>;
  answer: z.ZodType<Answer>;
  /** The field of the response with its table as CSV. It is read off the main thread, and empty in `Answer`. */
  csvField: keyof Answer & string;
  form: {
    defaults: Form;
    requestOf(form: Form, dataset: DatasetAnalysis): Request;
    /** `lists` are those of the form; undefined while they load. */
    isComplete(form: Form, dataset: DatasetAnalysis, lists?: readonly OfferedList[]): boolean;
    Fields: ComponentType<{
      analysis: DatasetAnalysis;
      form: Form;
      runs: readonly RunBefore[];
      onChange: (change: Partial<Form>) => void;
    }>;
    /** The lists of the server that its form offers; absent for none. */
    lists?: ListSource;
    /** Form changes that insert a list of genes; absent when the form takes none. */
    withGenes?(genes: readonly string[]): Partial<Form>;
    /** Form changes that make some fields of the request; absent when no result leads to the form. */
    textsOf?(request: object): Partial<Form>;
  };
  runningText(request: Request): string;
  /** Notice at the start; absent for none. */
  startedText?(request: Request): string;
  /** The notice of every failure asks for a retry; without it, that of a refusal gives the reason. */
  alwaysRetried?: true;
  /** Summary of the request in one line; `cells` describes its cells. */
  requestLine(request: Request, cells: string): string;
  /** Column headings, by those of the CSV file. */
  columns: ReadonlyMap<string, ColumnKind>;
  /** Headings that depend on the request; absent for none. */
  titles?(answer: Answer): ReadonlyMap<string, string | undefined>;
  /** Resolution of permutation p-values, by column heading; absent without such. */
  pValueBounds?(answer: Answer): ReadonlyMap<string, number>;
  /** Names of its files without extension, and of its figure. */
  files: { table: string; figure: string };
  /** Title of its figure. */
  figure: string;
  /** Alternative figures of its genes, the default first; absent if there is only one. */
  plots?: readonly PlotChoice[];
  searchPlaceholder: string;
  /** Description of a group's genes in the name of a list; default: markers. */
  groupGenes?: string;
  /** Noun for a row among all rows, or among those of one group. */
  rowNoun(ofGroup: boolean): string;
  allRows(rowCount: number): string;
  read(answer: Answer): ReadAnswer;
  Facts?: ComponentType<FactsProps<Answer, Request>>;
  /** Diagnostics of the tests, in a separate tab; absent for a response where `has` is false. */
  diagnostics?: {
    has(answer: Answer): boolean;
    Panel: ComponentType<FigurePanelProps<Answer>>;
  };
  /** Replaces the figure's image on the page. */
  Figure?: ComponentType<FigurePanelProps<Answer>>;
  /** Title of the tab that contains `Figure`, if different from that of its figure. */
  panelTitle?: string;
  /** Whether a result opens with its panel rather than with its preview. */
  opensWithPanel?: true;
  followUps?(result: FollowUpResult<Answer>): readonly NextQuestion[];
  /** Further figures of the whole result, drawn when viewed. */
  furtherFigures?: readonly FurtherFigure<Answer>[];
  /** The figures of one row; absent when rows have none. */
  figuresOfRow?: readonly RowFigure[];
  /** The figure of selected genes, with its button label; absent when genes have none. */
  figureOfGenes?: {
    name: string;
    about: string;
    /** Maximum number of genes. */
    max: number;
    /** `group` is the one shown by the table or figure; empty for all. */
    source(source: FigureSource, genes: readonly string[], group: string): FigureSource;
  };
  /** Identifies the figure of some of the rows; absent when a figure always shows the whole result. */
  figureOfRows?(source: FigureSource, table: TableColumns, rows: ArrayLike<number>): FigureSource | null;
  /** Identifies the figure with the settings of the page; absent when it has no settings. */
  figureAsSet?(source: FigureSource, figure: FigureSetting): FigureSource;
}

export interface PlotChoice {
  kind: string;
  title: string;
  file: string;
}

export interface FigureSetting {
  /** One of `plots`. */
  kind: string;
  /** Thresholds for colouring and counting genes; undefined for the requested ones. */
  thresholds: FigureThresholds | undefined;
  /** The group that is drawn; undefined for that of the table, or the one with the most passing genes. */
  part: string | undefined;
}

export interface RowFigure {
  name: string;
  about: string;
  source(
    source: FigureSource,
    table: TableColumns,
    row: number,
  ): { source: FigureSource; title: string } | null;
}

export interface FigureThresholds {
  adjustedP: number;
  foldChange: number;
}

export interface FactsProps<Answer, Request> {
  answer: Answer;
  onRun: (request: Request) => void;
}

interface FurtherFigure<Answer = AnyAnswer> {
  figure: 'Heatmap' | 'Dot Plot' | 'Ends' | 'Composition';
  file: string;
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
  dataset: { filename: string; version: string };
  /** The gene that colours the live map; null without one. */
  mapGene: string | null;
  /** Colours the live map by a gene; null restores its own colours. */
  onMapGene: (gene: string | null) => void;
  /** Draws an image of a gene, which is kept in the library. */
  onGene: (gene: string) => void;
  /** As `onGene`, for several genes, at most as many as one call plots. */
  onGenes: (genes: readonly string[]) => void;
}

export interface RunBefore {
  module: { id: string };
  request: object;
  /** The user's name, else a summary of request and cells. */
  label: string;
}

export type FollowUpResult<Answer> = Pick<FigurePanelProps<Answer>, 'answer' | 'table' | 'group'>;

/** Parts of the page of a declared analysis that are not made of its declaration. */
export interface AnalysisView<Answer extends AnyAnswer = AnyAnswer> extends Omit<
  Partial<AnalysisModule<AnalysisForm, object, Answer>>,
  'read' | 'form' | 'request' | 'answer' | 'csvField'
> {
  read?(answer: Answer): Partial<ReadAnswer>;
  /** Beneath the fields of a group of its form, by the legend of the group, once the request is complete. */
  groupNotes?: Readonly<Record<string, ComponentType<{ analysis: DatasetAnalysis; request: object }>>>;
}

export function defineView<Answer extends AnyAnswer>(view: AnalysisView<Answer>): AnalysisView {
  return view as unknown as AnalysisView;
}

/** Erases the types of an analysis: it only receives values that it made itself. */
export function defineAnalysis<Form extends object, Request extends object, Answer extends AnyAnswer>(
  module: AnalysisModule<Form, Request, Answer>,
): AnalysisModule {
  return module as unknown as AnalysisModule;
}

export interface AnalysisResult {
  module: AnalysisModule;
  answer: AnyAnswer;
  table: HeldTable;
  id: string;
  datasetName: string;
  /** 'Global' for the whole dataset. */
  subsetName: string;
  version: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Whether it is an earlier analysis that was computed again when opened. */
  again: boolean;
}

export function furtherFigures({
  module,
  answer,
}: Pick<AnalysisResult, 'module' | 'answer'>): (FurtherFigure & { source: FigureSource })[] {
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

export function formOf({ id }: AnalysisModule, forms: AnalysisForms): AnalysisForm {
  // name-dictionary: by the id of a module of ours
  return forms[id]!;
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

/** Whether its rows are genes that differ between cells, with fold changes. */
export function isOfDifferences({ columns }: Pick<AnalysisModule, 'columns'>): boolean {
  return columns.has('names') && columns.has('logfoldchanges');
}
