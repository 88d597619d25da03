import type { Caution, ResultCaution } from '@cellfolio/model';
import type { z } from 'zod';
import type { SampleChoice } from './fields.ts';
import type { FieldNotes } from './form.ts';

/** A column of a table: how its values are shown, sorted and limited. */
export interface Column<Value extends string | number = string | number> {
  readonly kind: 'text' | 'share' | 'p-value' | 'count' | 'number';
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
type ValuesOf<One> = One extends Column<infer Value> ? ArrayLike<Value> : never;
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
    ? { readonly numbers: Numbers & NonNullable<Caution['numbers']> }
    : never;
/** A caution without its text. */
export type CodedCaution<Texts> = {
  [Code in keyof Texts & ResultCaution['code']]: { readonly code: Code } & NumbersOf<Texts[Code]>;
}[keyof Texts & ResultCaution['code']];

/** The figure of a result; `Input` is the type of what it draws. */
export interface ResultFigure<Input extends object = object> {
  /** Its content is this kind and the request. */
  readonly kind: string;
  readonly title: string;
  /** In types only: carries `Input`. */
  readonly input?: Input;
}
export function figure<Input extends object>(kind: string, title: string): ResultFigure<Input> {
  return { kind, title };
}

/** A dataset as forms know it. */
export interface DatasetFacts {
  readonly samples?: SampleChoice | undefined;
}

/** Everything about an analysis that browser and server share. */
export interface Declaration<
  Request extends z.ZodObject = z.ZodObject,
  Result extends z.ZodObject = z.ZodObject,
  Table extends Columns = Columns,
  Texts extends object = object,
  Drawing extends object = object,
> {
  /** Its folder, and the beginning of its fields in the answer. */
  readonly id: string;
  readonly title: string;
  readonly icon: 'pie';
  /** One line of OpenAPI. */
  readonly summary: string;
  readonly path: `/api/${string}`;
  readonly request: Request;
  /** The answer without table, figure, request and notes. */
  readonly result: Result;
  readonly table: Table;
  /** Nouns for rows of the table, and their order. */
  readonly rows: { readonly one: string; readonly many: string; readonly order: string };
  readonly figure: ResultFigure<Drawing>;
  readonly cautions: Texts;
  /** Codes of the facts that the page shows before the others are opened. */
  readonly headline: readonly string[];
  /** The subject of a request, as `markers of Cluster`, and the method; with its result in more detail. */
  describe(request: z.output<Request>, result?: z.output<Result>): readonly [what: string, how: string];
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
>(
  declaration: Declaration<Request, Result, Table, Texts, Drawing>,
): Declaration<Request, Result, Table, Texts, Drawing> {
  return declaration;
}
