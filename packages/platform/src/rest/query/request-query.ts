/** A request as data: the parsers create it from the URL, and the planners turn it into SQL. */

/** One step into a JSON value, by key or index; `asText` for `->>`. */
export interface JsonStep {
  readonly key: string | number;
  readonly asText: boolean;
}

/** A column, or a path inside its JSON value. */
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
  /** The other table, or the foreign key or column that leads to it. */
  readonly target: string;
  readonly alias?: string;
  /** The foreign key, column or junction table to use if there are several. */
  readonly hint?: string;
  /** Leave out rows without related ones. */
  readonly inner: boolean;
  /** Merge its columns into those of the parent row. */
  readonly spread: boolean;
  readonly items: readonly SelectItem[];
}

export interface OrderTerm {
  /** Embedded (to-one) table of the column; absent for the table's own. */
  readonly relation?: string;
  readonly field: Field;
  readonly descending: boolean;
  readonly nulls?: 'first' | 'last';
}

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

/** Comparison operators that accept `(any)` and `(all)`. */
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

export type Test =
  | { readonly kind: 'compare'; readonly operator: string; readonly value: string }
  | {
      readonly kind: 'quantified';
      readonly operator: string;
      readonly quantifier: 'any' | 'all';
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

export interface Scope {
  /** All of them must hold. */
  readonly conditions: Condition[];
  order: readonly OrderTerm[];
  limit: number | undefined;
  offset: number;
}

export interface RequestQuery {
  readonly select: readonly SelectItem[];
  /** Keyed by the names of the embedded tables on the way, joined by dots; '' is the table of the path. */
  readonly scopes: ReadonlyMap<string, Scope>;
  readonly columns: readonly string[] | undefined;
  readonly onConflict: readonly string[] | undefined;
}
