/** What a request asks for, as data: what the parsers make of its URL and the planners turn into SQL. */

/** One step into a JSON value: by key or by place; `asText` for `->>`. */
export interface JsonStep {
  readonly key: string | number;
  readonly asText: boolean;
}

/** A column, or a place inside its JSON value. */
export interface Field {
  readonly name: string;
  readonly path: readonly JsonStep[];
}

export type SelectItem = SelectAll | SelectColumn | SelectEmbed;

interface SelectAll {
  readonly kind: 'all';
}

export interface SelectColumn {
  readonly kind: 'column';
  readonly field: Field;
  readonly alias?: string;
  readonly cast?: string;
}

/** Rows of a related table inside each row. */
export interface SelectEmbed {
  readonly kind: 'embed';
  /** The other table, or the foreign key or column that leads there. */
  readonly target: string;
  readonly alias?: string;
  /** The foreign key, column or table in between that is meant, where there are several. */
  readonly hint?: string;
  /** Leave out rows with nothing related. */
  readonly inner: boolean;
  /** Put its columns among those of the row around it. */
  readonly spread: boolean;
  readonly items: readonly SelectItem[];
}

export interface OrderTerm {
  /** The embedded (to-one) table whose column it is; else the table's own. */
  readonly relation?: string;
  readonly field: Field;
  readonly descending: boolean;
  readonly nulls?: 'first' | 'last';
}

/** Operators that compare with one bound value, as they are written in SQL. */
export const comparisons = new Map([
  ['eq', '='],
  ['neq', '<>'],
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
  ['like', 'like'],
  ['ilike', 'ilike'],
  ['match', '~'],
  ['imatch', '~*'],
  ['isdistinct', 'is distinct from'],
  ['cs', '@>'],
  ['cd', '<@'],
  ['ov', '&&'],
  ['sl', '<<'],
  ['sr', '>>'],
  ['nxr', '&<'],
  ['nxl', '&>'],
  ['adj', '-|-'],
]);

/** Those of them that take `(any)` and `(all)`. */
export const quantified: ReadonlySet<string> = new Set([
  'eq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'match',
  'imatch',
]);

/** Full-text operators, and the function that reads their value. */
export const textSearches = new Map([
  ['fts', 'to_tsquery'],
  ['plfts', 'plainto_tsquery'],
  ['phfts', 'phraseto_tsquery'],
  ['wfts', 'websearch_to_tsquery'],
]);

export const isValues = new Map([
  ['null', 'null'],
  ['not_null', 'not null'],
  ['true', 'true'],
  ['false', 'false'],
  ['unknown', 'unknown'],
]);

/** What a column is tested for. */
export type Test =
  | { readonly kind: 'compare'; readonly operator: string; readonly value: string }
  | {
      readonly kind: 'quantified';
      readonly operator: string;
      readonly quantifier: 'any' | 'all';
      /** An array as PostgreSQL writes it. */
      readonly value: string;
    }
  | { readonly kind: 'in'; readonly values: readonly string[] }
  | { readonly kind: 'is'; readonly value: string }
  | {
      readonly kind: 'search';
      readonly operator: string;
      readonly language?: string;
      readonly value: string;
    };

export type Condition =
  | { readonly kind: 'filter'; readonly field: Field; readonly negated: boolean; readonly test: Test }
  | {
      readonly kind: 'logic';
      readonly operator: 'and' | 'or';
      readonly negated: boolean;
      readonly children: readonly Condition[];
    };

/** What applies to one table of the request. */
export interface Scope {
  /** All of them must hold. */
  readonly conditions: Condition[];
  order: readonly OrderTerm[];
  limit: number | undefined;
  offset: number;
}

export interface RequestQuery {
  readonly select: readonly SelectItem[];
  /** By the names of the embedded tables that lead there, joined by dots; '' is the table of the path. */
  readonly scopes: ReadonlyMap<string, Scope>;
  readonly columns: readonly string[] | undefined;
  readonly onConflict: readonly string[] | undefined;
}
