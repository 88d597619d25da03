/** A request as data: the parsers create it from the URL, and the planners turn it into SQL. */

/** One step into a JSON value, by key or index; `asText` for `->>`. */
export interface JsonStep {
  key: string | number;
  asText: boolean;
}

/** A column, or a path inside its JSON value. */
export interface Field {
  name: string;
  path: readonly JsonStep[];
}

export type SelectItem = SelectAll | SelectColumn | SelectEmbed;

interface SelectAll {
  kind: 'all';
}

export interface SelectColumn {
  kind: 'column';
  field: Field;
  alias?: string;
  cast?: string;
}

/** Rows of a related table inside each row. */
export interface SelectEmbed {
  kind: 'embed';
  /** The other table, or the foreign key or column that leads to it. */
  target: string;
  alias?: string;
  /** The foreign key, column or junction table to use if there are several. */
  hint?: string;
  /** Leave out rows without related ones. */
  inner: boolean;
  /** Merge its columns into those of the parent row. */
  spread: boolean;
  items: readonly SelectItem[];
}

export interface OrderTerm {
  /** Embedded (to-one) table of the column; absent for the table's own. */
  relation?: string;
  field: Field;
  descending: boolean;
  nulls?: 'first' | 'last';
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
  | { kind: 'compare'; operator: string; value: string }
  | {
      kind: 'quantified';
      operator: string;
      quantifier: 'any' | 'all';
      value: string;
    }
  | { kind: 'in'; values: readonly string[] }
  | { kind: 'is'; value: string }
  | {
      kind: 'search';
      operator: string;
      language?: string;
      value: string;
    };

export type Condition =
  | { kind: 'filter'; field: Field; negated: boolean; test: Test }
  | {
      kind: 'logic';
      operator: 'and' | 'or';
      negated: boolean;
      children: readonly Condition[];
    };

export interface Scope {
  /** All of them must hold. */
  conditions: Condition[];
  order: readonly OrderTerm[];
  limit: number | undefined;
  offset: number;
}

export interface RequestQuery {
  select: readonly SelectItem[];
  /** Keyed by the names of the embedded tables on the way, joined by dots; '' is the table of the path. */
  scopes: ReadonlyMap<string, Scope>;
  columns: readonly string[] | undefined;
  onConflict: readonly string[] | undefined;
}
