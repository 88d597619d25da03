import type { ScoreChoice } from '@cellfolio/analysis/parameters';
import type { ResultCaution } from '@cellfolio/model';
import type { z } from 'zod';
import type { Context, StreamedTable } from './context.ts';
import type { CodedCaution, Columns, Declaration, Fact, TableOf } from './declare.ts';

/** The result of an analysis. */
export interface Outcome<One extends Declaration = Declaration> {
  /** With the names of columns as the dataset has them. */
  readonly request: z.output<One['request']>;
  /** Absent where they are the request. */
  readonly parameters?: z.output<NonNullable<One['parameters']>>;
  readonly result: z.output<One['result']>;
  readonly table: TableOf<One['table']> | StreamedTable;
  /** Lines of the head of files, before the facts. */
  readonly head?: readonly string[];
  /** In any order; those with a message are of parts that several analyses share. */
  readonly cautions: readonly (CodedCaution<One['cautions']> | ResultCaution)[];
  readonly drawing: NonNullable<One['figure']['input']>;
  /** Kind of its figure where it is not the declared one. */
  readonly kind?: string;
  /** A number of each cell, for the table of cells of a declaration with `cells`. */
  readonly cells?: {
    /** Column of obs beside it. */
    readonly column: string;
    /** By row in obs; NaN for cells that are left out. */
    readonly values: Float64Array;
  };
  /** The drawing is empty, and the answer has no figure. */
  readonly isEmpty?: boolean;
}

/** The parts of an outcome that the user's order and names of categories change. */
interface Displayed<One extends Declaration> extends Pick<Outcome<One>, 'result' | 'drawing'> {
  /** With the names of the dataset, so that files are unambiguous for everyone. */
  readonly table?: TableOf<One['table']>;
  /** The table with the user's names, for the preview. */
  readonly preview?: TableOf<One['table']>;
  /** Further lines of the head of files. */
  readonly head?: readonly string[];
}

/** The user's order and names of the categories of a column. */
export interface Display {
  /** Indices of the names in the user's order. */
  order(column: string, names: readonly string[]): readonly number[];
  labelOf(column: string, name: string): string;
  /** Notes on files whose categories have other names for the user; empty without such. */
  notes(column: string): readonly string[];
}

/** Fields of the content of a figure that say which part of the drawing it shows. */
export interface DrawnContent {
  readonly term?: string | undefined;
  readonly markers?: readonly { readonly group: string; readonly genes: readonly string[] }[] | undefined;
}

/** The half of an analysis that runs on the server. */
export interface Analysis<One extends Declaration = Declaration> {
  readonly declaration: One;
  run(request: z.output<One['request']>, context: Context): Promise<Outcome<One>>;
  /** A score that the result depends on: it may change with its library. */
  scored?(request: z.output<One['request']>): ScoreChoice | undefined;
  facts(
    outcome: Pick<Outcome<One>, 'request' | 'result'>,
    context: Pick<Context, 'titleOf'>,
  ): readonly Fact[];
  /** Parts of the outcome as the user displays their categories, which nothing that is computed depends on. */
  displayed?(
    shown: Required<Pick<Displayed<One>, 'result' | 'drawing' | 'table'>>,
    request: z.output<One['request']>,
    display: Display,
  ): Displayed<One>;
  /** Input of a figure with this content, where `drawing` is more than that. Refuses with 422. */
  input?(drawing: Outcome<One>['drawing'], content: DrawnContent, context: Pick<Context, 'refuse'>): object;
}

export function serve<
  Request extends z.ZodObject,
  Result extends z.ZodObject,
  Table extends Columns,
  Texts extends object,
  Drawing extends object,
  Parameters extends z.ZodObject,
>(
  declaration: Declaration<Request, Result, Table, Texts, Drawing, Parameters>,
  half: Omit<
    Analysis<Declaration<Request, Result, Table, Texts, NoInfer<Drawing>, Parameters>>,
    'declaration'
  >,
): Analysis<Declaration<Request, Result, Table, Texts, Drawing, Parameters>> {
  return { declaration, ...half };
}
