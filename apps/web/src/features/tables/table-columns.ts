/** How the values of a column are read. */
export interface ColumnKind {
  /** The heading on the page. */
  readonly label: string;
  readonly kind: 'text' | 'number' | 'count' | 'p-value' | 'share' | 'genes';
  /** Of p-values, what they can be told apart to: one of 0 is below. */
  readonly bound?: number | undefined;
}

/** Texts, each of which is held once. */
export interface TextColumn extends ColumnKind {
  /** The heading in the file. */
  readonly name: string;
  /** Places in `categories`, one for each row. */
  readonly codes: Int32Array<ArrayBuffer>;
  /** In the order in which they first occur. */
  readonly categories: readonly string[];
  readonly numbers?: undefined;
}

export interface NumberColumn extends ColumnKind {
  readonly name: string;
  /** One for each row; `NaN` where there is none. */
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly codes?: undefined;
}

export type TableColumn = TextColumn | NumberColumn;

/** A table as columns of one length: no object and no string for a row. */
export interface TableColumns {
  readonly columns: readonly TableColumn[];
  readonly rowCount: number;
  /** What the lines above the table say, without their `#`. */
  readonly notes: readonly string[];
}

/** The value with all its digits, as in the file: infinity is `inf`, a missing number is empty. */
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

/** Names of those groups that a table has rows of, as its column of groups has them; undefined without such a column. */
export function groupsIn({ columns }: Pick<TableColumns, 'columns'>): ReadonlySet<string> | undefined {
  const groups = textsOf(columns, 'group');
  return groups && new Set(groups.categories);
}

/** Collects texts as codes. */
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

/** Collects numbers; a text that is none is `NaN`. */
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
