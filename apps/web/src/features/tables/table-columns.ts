export interface ColumnKind {
  /** Heading on the page. */
  label: string;
  kind: 'text' | 'number' | 'count' | 'p-value' | 'share' | 'genes';
  /** Resolution of p-values: a value of 0 means below this. */
  bound?: number | undefined;
}

/** Dictionary-encoded texts. */
export interface TextColumn extends ColumnKind {
  /** Heading in the file. */
  name: string;
  /** Index in `categories` for each row. */
  codes: Int32Array<ArrayBuffer>;
  /** In order of first occurrence. */
  categories: readonly string[];
  numbers?: undefined;
}

export interface NumberColumn extends ColumnKind {
  name: string;
  /** One per row; `NaN` if missing. */
  numbers: Float64Array<ArrayBuffer>;
  codes?: undefined;
}

export type TableColumn = TextColumn | NumberColumn;

/** A table as columns of equal length, without an object or a string per row. */
export interface TableColumns {
  columns: readonly TableColumn[];
  rowCount: number;
  /** Comment lines above the table, without their `#`. */
  notes: readonly string[];
}

/** The value with all digits, as in the file: infinity is `inf`, a missing number is empty. */
export function textAt(column: TableColumn, row: number): string {
  if (column.numbers === undefined) return column.categories[column.codes[row] ?? -1] ?? '';
  const value = column.numbers[row] ?? NaN;
  if (Number.isNaN(value)) return '';
  return Number.isFinite(value) ? String(value) : value > 0 ? 'inf' : '-inf';
}

export function columnNamed(columns: readonly TableColumn[], heading: string): TableColumn | undefined {
  return columns.find(({ name }) => name === heading);
}

export function numbersOf(columns: readonly TableColumn[], heading: string): Float64Array | undefined {
  return columnNamed(columns, heading)?.numbers;
}

export function textsOf(columns: readonly TableColumn[], heading: string): TextColumn | undefined {
  const column = columnNamed(columns, heading);
  return column?.codes === undefined ? undefined : column;
}

export function groupsIn({ columns }: Pick<TableColumns, 'columns'>): ReadonlySet<string> | undefined {
  const groups = textsOf(columns, 'group');
  return groups && new Set(groups.categories);
}

export class TextCollector {
  readonly categories: string[] = [];
  readonly #codes = new Map<string, number>();
  #rows = new Int32Array(1024);
  #count = 0;

  add(text: string): void {
    let code = this.#codes.get(text);
    if (code === undefined) {
      code = this.categories.length;
      this.#codes.set(text, code);
      this.categories.push(text);
    }
    if (this.#count === this.#rows.length) {
      const longer = new Int32Array(2 * this.#count);
      longer.set(this.#rows);
      this.#rows = longer;
    }
    this.#rows[this.#count++] = code;
  }

  get codes(): Int32Array<ArrayBuffer> {
    return this.#rows.slice(0, this.#count);
  }
}

/** Collects numbers; a text that is not a number is `NaN`. */
export class NumberCollector {
  #rows = new Float64Array(1024);
  #count = 0;

  add(text: string): void {
    if (this.#count === this.#rows.length) {
      const longer = new Float64Array(2 * this.#count);
      longer.set(this.#rows);
      this.#rows = longer;
    }
    this.#rows[this.#count++] = numberIn(text);
  }

  get numbers(): Float64Array<ArrayBuffer> {
    return this.#rows.slice(0, this.#count);
  }
}

function numberIn(text: string): number {
  if (text === 'inf') return Infinity;
  if (text === '-inf') return -Infinity;
  return text === '' ? NaN : Number(text);
}
