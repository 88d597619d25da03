import type { Caution, ResultCaution } from '@cellfolio/model';
import type { z } from 'zod';
import type { DatasetFacts } from './fields.ts';
import type { FieldNotes } from './form.ts';

/** A column of a table: how its values are shown, sorted and limited. */
export interface Column<Value extends string | number = string | number> {
  readonly kind: 'text' | 'genes' | 'share' | 'p-value' | 'count' | 'number';
  readonly title: string;
  /** Explains the values in the head of files; empty where the title does. */
  readonly about: string;
  /** In types only: carries `Value`. */
  readonly value?: Value;
}

/** A column that only some requests have. */
export type OptionalColumn<Any extends Column = Column> = Any & { readonly isOptional: true };

function columnOf<Value extends string | number>(kind: Column['kind']) {
  return (title: string, about = ''): Column<Value> => ({ kind, title, about });
}
export const text = columnOf<string>('text');
/** Gene names, separated by semicolons. */
export const genes = columnOf<string>('genes');
export const number = columnOf<number>('number');
export const share = columnOf<number>('share');
export const count = columnOf<number>('count');
export const pValue = columnOf<number>('p-value');
export function optional<Any extends Column>(column: Any): OptionalColumn<Any> {
  return { ...column, isOptional: true };
}

/** Columns by their names in files. */
export type Columns = Readonly<Record<string, Column>>;
type OptionalNames<All extends Columns> = {
  [Name in keyof All]: All[Name] extends OptionalColumn ? Name : never;
}[keyof All];
/** Texts of a long column: the category of each. */
export interface CodedTexts {
  readonly codes: ArrayLike<number>;
  readonly categories: readonly string[];
}
type ValuesOf<One> =
  One extends Column<infer Value> ? ArrayLike<Value> | (Value extends string ? CodedTexts : never) : never;
/** A table as columns of equal length. */
export type TableOf<All extends Columns> = {
  readonly [Name in Exclude<keyof All, OptionalNames<All>>]: ValuesOf<All[Name]>;
} & { readonly [Name in OptionalNames<All>]?: ValuesOf<All[Name]> };

/** Texts of cautions by code, made of their numbers, the request and the result. */
export type CautionTexts<Request, Result> = {
  readonly [Code in ResultCaution['code']]?: (
    // oxlint-disable-next-line typescript/no-explicit-any -- each code has its own numbers
    numbers: any,
    outcome: { readonly request: Request; readonly result: Result },
  ) => string;
};
type NumbersOf<Text> = Text extends () => string
  ? { readonly numbers?: never }
  : Text extends (numbers: infer Numbers, ...rest: never) => string
    ? [Numbers] extends [undefined]
      ? { readonly numbers?: never }
      : { readonly numbers: Numbers & NonNullable<Caution['numbers']> }
    : never;
/** A caution without its text. */
export type CodedCaution<Texts> = {
  [Code in keyof Texts & ResultCaution['code']]: { readonly code: Code } & NumbersOf<Texts[Code]>;
}[keyof Texts & ResultCaution['code']];

interface FigureSource {
  /** Name of its input, where a feature below the analyses finds that; default: the id of the analysis. */
  readonly from?: string;
  /** Name of its files without extension; default: its kind. */
  readonly file?: string;
  /** A result can have nothing to draw. */
  readonly isOptional?: true;
}

/** The figure of a result; `Input` is the type of what it draws. */
export interface ResultFigure<Input extends object = object> extends FigureSource {
  /** Its content is this kind and the parameters of the result. */
  readonly kind: string;
  readonly title: string;
  /** In types only: carries `Input`. */
  readonly input?: Input;
}
export function figure<Input extends object>(
  kind: string,
  title: string,
  of: FigureSource = {},
): ResultFigure<Input> {
  return { kind, title, ...of };
}

/** A figure that the page offers beside that of the result. */
export interface OfferedFigure {
  readonly label: string;
  /** Noun in the middle of a sentence. */
  readonly word: string;
  /** Name of its files without extension. */
  readonly file: string;
  /** The group of the table that it is about; absent where it is about the whole result. */
  readonly group?: string;
  readonly content: { readonly kind: string };
  /** Follows the label in the text for readers that do not see the figure. */
  readonly about: string;
}

/** How a result was made or what it is of, for the page, the head of files and models that read the result. */
export interface Fact {
  /** Letters and hyphens. */
  readonly code: string;
  readonly title: string;
  readonly message: string;
}

/** A short table of the result among its facts. */
export interface FactTable {
  readonly title: string;
  /** Its name for readers that do not see it, where it is not the title. */
  readonly label?: string;
  readonly columns: readonly {
    readonly title: string;
    /** `value`: a number of any size. */
    readonly kind: Column['kind'] | 'value';
    /** The column of obs whose categories it has, which users may have named. */
    readonly categoriesOf?: string;
  }[];
  /** Missing values are null. */
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** Stands below it. */
  readonly note?: string;
}

/** A question about the result that another analysis answers. */
export interface NextQuestion {
  /** Its id. */
  readonly analysis: string;
  readonly label: string;
  readonly title: string;
  /** Fields of its request, null for what is left out on purpose; its form keeps the others. */
  readonly change: object;
  readonly isDisabled?: boolean;
}

/** Names that the page lists after the facts, to be copied. */
export interface NameList {
  readonly title: string;
  readonly names: readonly string[];
}

/** The table of a result as the page has it. */
export interface ShownTable {
  /** The group that is shown; empty for all. */
  readonly group: string;
  /** Texts of a column in the rows where another one has a number. */
  textsWith(column: string, other: string): string[];
}

/** Columns of obs with two or more categories, annotations of the user included, and those of numbers. */
export interface ColumnCounts {
  readonly groups: number;
  readonly numbers: number;
}

export function withoutGroups({ groups }: ColumnCounts): string | undefined {
  return groups === 0
    ? 'Needs a column with two or more groups of cells: annotate the cells first.'
    : undefined;
}

/** Tasks of users, in the order of the list of analyses. */
export const analysisTasks = {
  compare: 'Compare',
  enrich: 'Enrich',
  order: 'Order',
  annotate: 'Annotate',
  interact: 'Interact',
} as const;
export type AnalysisTask = keyof typeof analysisTasks;

/** A figure of the whole result on a tab of its own. */
interface FurtherFigure<Parameters> {
  readonly title: 'Ends' | 'Composition';
  readonly file: string;
  content(parameters: Parameters): { readonly kind: string };
}

/** The chosen values of a form. */
type Chosen<Request> = { readonly [Name in keyof Request]?: Request[Name] | null };

/** Everything about an analysis that browser and server share. */
export interface Declaration<
  Request extends z.ZodObject = z.ZodObject,
  Result extends z.ZodObject = z.ZodObject,
  Table extends Columns = Columns,
  Texts extends object = object,
  Drawing extends object = object,
  Parameters extends z.ZodObject = Request,
> {
  /** The name of its folder. */
  readonly id: string;
  readonly task: AnalysisTask;
  /** The user's question that it answers, one line in a list. */
  readonly question: string;
  /** Further words by which users look for it, such as names of methods. */
  readonly searchWords?: string;
  /** Phrases that name it in a question, each enough by itself: small letters, singular, without punctuation. */
  readonly questionPhrases: readonly string[];
  /** Key of its forms and analyses that users keep, where it is not the id. */
  readonly keptAs?: string;
  readonly title: string;
  readonly icon:
    | 'pie'
    | 'scatter'
    | 'waypoints'
    | 'ends'
    | 'table'
    | 'spline'
    | 'compare'
    | 'route'
    | 'rise'
    | 'target'
    | 'arrows'
    | 'tags';
  /** In the middle of a sentence, in the notice of its end, and while it runs, where they are not made of the title. */
  readonly names?: { readonly name?: string; readonly notice?: string; readonly running?: string };
  /** Beginnings of the fields of its table and its figure in the answer, where they are not its id. */
  readonly fields?: {
    readonly table: string;
    readonly figure: string;
    /** The request is in the `source` of the answer alone. */
    readonly hasNoParameters?: true;
  };
  /** The answer has the ends of the table as HTML; the text is for a table without rows. */
  preview?(request: z.output<Request>, result: z.output<Result>): string;
  /** Maximum bytes of a request, where it may be longer than others. */
  readonly maxBytes?: number;
  /** The notice of every failure asks for a retry; without it, that of a refusal gives the reason. */
  readonly alwaysRetried?: true;
  /** Name of files of the table, where it is not the id. */
  readonly file?: string;
  /** Ends the form. */
  readonly about?: string;
  /** One line of OpenAPI. */
  readonly summary: string;
  readonly path: `/api/${string}`;
  readonly request: Request;
  /** Schema of the parameters in the answer, where these are more than the request. */
  readonly parameters?: Parameters;
  /** The answer without table, figure, parameters and notes. */
  readonly result: Result;
  readonly table: Table;
  /** Titles of columns that depend on the request, by their names. */
  titles?(request: z.output<Request>): Partial<Readonly<Record<string, string>>>;
  /** Its table is made while the answer is sent, of parts that are kept where they are made: the result is not kept. */
  readonly isStreamed?: true;
  /** The numbers in `cells_csv`, where the answer has a table of cells: barcodes, a column of obs and these. */
  readonly cells?: { readonly name: string; readonly about: string };
  /** Nouns for rows of the table, and their order. */
  readonly rows: { readonly one: string; readonly many: string; readonly order: string };
  readonly figure: ResultFigure<Drawing>;
  readonly cautions: Texts;
  /** Codes of the facts that the page shows before the others are opened. */
  readonly headline: readonly string[];
  /** Begins the sentence that says what runs, also in lists of requests; default: `Computing the`. */
  readonly verb?: string;
  /** In the place of `verb`, but in no list of requests. */
  readonly doing?: string;
  /** Text while it runs; without it, that is made of `describe` and also a notice at the start. */
  started?(request: z.output<Request>): string;
  /** The subject of a request, as `markers of Cluster`, and the method, which may be empty; with its result in more detail. */
  describe(request: z.output<Request>, result?: z.output<Result>): readonly [what: string, how: string];
  /** The groups of the column `group` of the table, and the genes of each. */
  groups?(result: z.output<Result>): readonly { readonly name: string; readonly genes: readonly string[] }[];
  /** Why the table is not what was hoped for; undefined where it is. */
  nothing?(
    parameters: z.output<Parameters>,
    result: z.output<Result>,
    figure: Readonly<Record<string, unknown>>,
  ): { readonly title: string; readonly text: string } | undefined;
  /** Lines of the head of files, beside the facts that the server makes. */
  head?(request: z.output<Request>, result: z.output<Result>): readonly string[];
  /** Facts that the page makes of the result; they come before those of the answer and replace those of their codes. */
  facts?(result: z.output<Result>): readonly Fact[];
  tables?(result: z.output<Result>): readonly FactTable[];
  lists?(result: z.output<Result>): readonly NameList[];
  /** All figures that the page offers, and the title of their tab; absent where `figure` is the only one. */
  readonly offered?: {
    readonly title: string;
    figures(parameters: z.output<Parameters>, result: z.output<Result>): readonly OfferedFigure[];
  };
  readonly further?: readonly FurtherFigure<z.output<Parameters>>[];
  next?(result: z.output<Result>, table: ShownTable): readonly NextQuestion[];
  /** Values that the form sends for fields that are not chosen, where they depend on the dataset; null: left out on purpose. */
  chosen?(request: Chosen<z.output<Request>>, dataset: DatasetFacts): Partial<z.output<Request>>;
  /** Why no request can be run on a dataset, with advice; undefined where one can. */
  impossible?(columns: ColumnCounts): string | undefined;
  /** Notes on the fields of a form, which may lack some. */
  notes?(request: Partial<z.output<Request>>, dataset: DatasetFacts): FieldNotes;
}

/** Keeps the types of a declaration for the other files of its folder. */
export function declareAnalysis<
  Request extends z.ZodObject,
  Result extends z.ZodObject,
  Table extends Columns,
  const Texts extends CautionTexts<z.output<Request>, z.output<Result>>,
  Drawing extends object,
  Parameters extends z.ZodObject = Request,
>(
  declaration: Declaration<Request, Result, Table, Texts, Drawing, Parameters>,
): Declaration<Request, Result, Table, Texts, Drawing, Parameters> {
  return declaration;
}

/** Beginnings of the fields of the table and the figure in the answer. */
export function answerFields({ id, fields }: Pick<Declaration, 'id' | 'fields'>): {
  readonly table: string;
  readonly figure: string;
  readonly hasNoParameters?: true;
} {
  return fields ?? { table: id, figure: id };
}
