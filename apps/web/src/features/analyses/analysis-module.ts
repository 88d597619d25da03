import type { Caution, DatasetAnalysis, FigureSource } from '@cellfolio/contract';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { z } from 'zod';

/** The fields of a form as typed. */
export type AnalysisForm = Readonly<Record<string, string>>;

export interface AnyAnswer {
  source: FigureSource | null;
  warnings: Caution[];
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
  readonly form: {
    readonly defaults: Form;
    requestOf(form: Form): Request;
    /** Whether the form is complete for a dataset. */
    isComplete(form: Form, dataset: DatasetAnalysis): boolean;
    readonly Fields: ComponentType<{
      analysis: DatasetAnalysis;
      form: Form;
      onChange: (change: Partial<Form>) => void;
    }>;
    /** The change that puts a list of genes into the form; absent where it takes none. */
    withGenes?(genes: readonly string[]): Partial<Form>;
  };
  /** Describes the running request. */
  runningText(request: Request): string;
  /** What a notice says when it begins; absent where none is shown. */
  startedText?(request: Request): string;
  /** Summary of the request in one line; `cells` describes its cells. */
  asked(request: Request, cells: string): string;
  /** Headings of its table, by those of the CSV file. */
  readonly columns: ReadonlyMap<string, ColumnKind>;
  /** Names of its files without their endings, and of its figure. */
  readonly files: { readonly table: string; readonly figure: string };
  readonly figure: 'Dot Plot' | 'Bar Plot' | 'Volcano Plot' | 'Pseudotime Map';
  readonly searchPlaceholder: string;
  /** A row among those that are shown, all of them or those of one group. */
  rowNoun(ofGroup: boolean): string;
  allRows(rowCount: number): string;
  /** Reads the answer. */
  read(answer: Answer): ReadAnswer;
  /** What was tested with and against, above the result. */
  readonly Facts?: ComponentType<{ answer: Answer }>;
  /** Stands for its figure on the page, where a picture would not do. */
  readonly Figure?: ComponentType<FigurePanelProps<Answer>>;
  /** Names the figure of some of the rows; absent where a figure is always of the whole result. */
  figureOfRows?(
    source: FigureSource,
    columns: ReadonlyMap<string, readonly string[]>,
    rows: readonly number[],
  ): FigureSource | null;
}

/** What the figure of a result on the page is made of. */
export interface FigurePanelProps<Answer> {
  answer: Answer;
  /** By their headings in the file. */
  columns: ReadonlyMap<string, { readonly texts: readonly string[]; readonly numbers?: Float64Array }>;
  /** The group that the table shows; empty for all. */
  group: string;
  /** Puts a gene into Gene Visualization. */
  onGene: (gene: string) => void;
}

export interface ColumnKind {
  /** The heading on the page. */
  readonly label: string;
  readonly kind: 'text' | 'number' | 'p-value' | 'share' | 'genes';
}

/** A result in the form common to all analyses. */
interface ReadAnswer {
  readonly csv: string;
  /** Summary of request and tests in one line; `cells` describes the cells. */
  summary(cells: string): string;
  readonly figure: {
    /** PNG in base64; empty where nothing was drawn. */
    readonly image: string;
    readonly width: number;
    readonly height: number;
    readonly print: { readonly width: number; readonly height: number } | undefined;
  };
  /** `null` if something passes. */
  readonly nothing: NothingFound | null;
  /** Cautions that `Facts` does not show. */
  readonly cautions: readonly string[];
  /** What its rows can be chosen by, and which of these stand on few cells. */
  readonly groups: readonly {
    readonly name: string;
    readonly markers: number;
    readonly few_cells: boolean;
  }[];
  /** What rises and falls, and what counts as differing; absent where the rows have no direction. */
  readonly directions?: Directions;
  /** Column that the groups are of; a bare number says nothing without it. */
  readonly groupedBy?: string;
}

export interface Directions {
  /** Where genes of a positive fold change are higher, and where those of a negative one. */
  readonly higher: string;
  readonly lower: string;
  readonly adjustedP: number;
  readonly foldChange: number;
}

/** Message for a result in which nothing passes the limits. */
export interface NothingFound {
  readonly title: string;
  /** Which limit leaves nothing, and what to try. */
  readonly text: string;
}

/** Erases the types of an analysis: it only receives values of its own making. */
export function defineAnalysis<Form extends object, Request extends object, Answer extends AnyAnswer>(
  module: AnalysisModule<Form, Request, Answer>,
): AnalysisModule {
  return module as unknown as AnalysisModule;
}

/** What can be chosen: an analysis, or the title of one that is only announced. */
export type AnalysisChoice = AnalysisModule | string;

export interface AnalysisResult {
  readonly module: AnalysisModule;
  readonly answer: AnyAnswer;
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

/** What came out, as it is of any analysis. */
export function readResult({ module, answer }: AnalysisResult): ReadAnswer {
  return module.read(answer);
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
