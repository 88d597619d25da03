import { numbersOf, type TableColumn, type TableColumns, type TextColumn, textsOf } from './table-columns.ts';

export interface RowQuery {
  /** Trimmed; empty for all rows. */
  search: string;
  /** Value of the group column; empty for all. */
  group: string;
  groupColumn: string;
  called?: ReadonlyMap<string, string> | undefined;
  limits: RowLimits;
  /** Highest priority first; equal rows keep the order of the file. */
  sorting: readonly SortedColumn[];
  only?: Int32Array | undefined;
}

export interface RowLimits {
  direction: 'all' | 'higher' | 'lower';
  /** Rows above it are left out. */
  adjustedP?: number | undefined;
  /** Rows below it, in either direction, are left out. */
  foldChange?: number | undefined;
}

export interface SortedColumn {
  column: number;
  descending: boolean;
}

export interface FoundRows {
  rows: Int32Array<ArrayBuffer>;
  /** The first of these rows for each gene, in order; empty if rows are not about single genes. */
  geneRows: Int32Array<ArrayBuffer>;
}

export function firstOfGenes({ columns }: TableColumns, rows: Int32Array): Int32Array<ArrayBuffer> {
  const names = textsOf(columns, 'names');
  if (names === undefined) return new Int32Array(0);
  const { codes, categories } = names;
  const seen = new Uint8Array(categories.length);
  const first = new Int32Array(categories.length);
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    const code = codes[rows[at]!]!;
    if (seen[code] === 1) continue;
    seen[code] = 1;
    if (categories[code] !== '') first[count++] = rows[at]!;
  }
  return first.slice(0, count);
}

/** Natural sort order: cluster 2 before cluster 10. */
const inOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export class RowOrder {
  readonly #table: TableColumns;
  readonly #ranks = new Map<TextColumn, Uint32Array>();

  constructor(table: TableColumns) {
    this.#table = table;
  }

  /** Missing numbers come last in either direction. */
  find(query: RowQuery): FoundRows {
    const rows = this.#rows(query);
    return { rows, geneRows: firstOfGenes(this.#table, rows) };
  }

  #rows(query: RowQuery): Int32Array<ArrayBuffer> {
    let rows = this.#matches(query);
    // Each pass keeps the order of equals, so that the most important column comes last.
    for (const { column, descending } of query.sorting.toReversed()) {
      const sorted = this.#table.columns[column];
      if (sorted === undefined) continue;
      const called = sorted.name === query.groupColumn ? query.called : undefined;
      rows = this.#sorted(rows, sorted, { descending, called });
    }
    return rows;
  }

  #matches({ search, group, groupColumn, called, limits, only }: RowQuery): Int32Array<ArrayBuffer> {
    const { columns, rowCount } = this.#table;
    const groups = textsOf(columns, groupColumn);
    const tests = [
      groupTest(groups, group),
      limitTest(columns, limits),
      searchTest(columns, search, (column) => (column.name === groupColumn ? called : undefined)),
      onlyTest(rowCount, only),
    ].filter((test) => test !== undefined);
    const rows = new Int32Array(rowCount);
    let count = 0;
    for (let row = 0; row < rowCount; row++) {
      if (tests.every((test) => test(row))) rows[count++] = row;
    }
    return rows.slice(0, count);
  }

  #sorted(
    rows: Int32Array,
    column: TableColumn,
    { descending, called }: { descending: boolean; called: ReadonlyMap<string, string> | undefined },
  ): Int32Array<ArrayBuffer> {
    const keys = new Uint32Array(2 * rows.length);
    if (column.numbers === undefined) {
      const ranks = called === undefined ? this.#ranksOf(column) : ranksOf(calledAs(column, called));
      for (let at = 0; at < rows.length; at++) {
        const rank = ranks[column.codes[rows[at]!]!]!;
        keys[2 * at] = descending ? ~rank >>> 0 : rank;
      }
    } else {
      numberKeys(column.numbers, rows, descending, keys);
    }
    return radixSorted(rows, keys);
  }

  #ranksOf(column: TextColumn): Uint32Array {
    const cached = this.#ranks.get(column);
    if (cached) return cached;
    const ranks = ranksOf(column.categories);
    this.#ranks.set(column, ranks);
    return ranks;
  }
}

function calledAs({ categories }: TextColumn, called: ReadonlyMap<string, string>): string[] {
  return categories.map((text) => called.get(text) ?? text);
}

function ranksOf(categories: readonly string[]): Uint32Array {
  const order = Array.from(categories.keys()).sort((a, b) => inOrder.compare(categories[a]!, categories[b]!));
  const ranks = new Uint32Array(categories.length);
  order.forEach((code, place) => {
    const before = order[place - 1];
    const isSame = before !== undefined && inOrder.compare(categories[before]!, categories[code]!) === 0;
    ranks[code] = isSame ? ranks[before]! : place;
  });
  return ranks;
}

/** Order-preserving integer key of a double as two halves, the lower first: its bits with the sign transformed. */
function numberKeys(numbers: Float64Array, rows: Int32Array, descending: boolean, keys: Uint32Array): void {
  const double = new Float64Array(1);
  const halves = new Uint32Array(double.buffer);
  const turn = descending ? 0xffffffff : 0;
  for (let at = 0; at < rows.length; at++) {
    const value = numbers[rows[at]!]!;
    if (Number.isNaN(value)) {
      keys[2 * at] = keys[2 * at + 1] = 0xffffffff;
      continue;
    }
    // Adding 0 makes −0 a 0.
    double[0] = value + 0;
    const [low, high] = [halves[0]!, halves[1]!];
    const isNegative = high >>> 31 === 1;
    keys[2 * at] = (isNegative ? ~low : low) ^ turn;
    keys[2 * at + 1] = (isNegative ? ~high : high | 0x80000000) ^ turn;
  }
}

const digitBits = 16;
const digits = 1 << digitBits;

/** Radix sort of rows by two-part keys, 16 bits per pass; skips a digit that is equal in all rows. */
function radixSorted(rows: Int32Array, keys: Uint32Array): Int32Array<ArrayBuffer> {
  const count = rows.length;
  let from = new Uint32Array(count);
  for (let at = 0; at < count; at++) from[at] = at;
  let to = new Uint32Array(count);
  const starts = new Uint32Array(digits + 1);
  for (let half = 0; half < 2; half++) {
    for (let shift = 0; shift < 32; shift += digitBits) {
      starts.fill(0);
      for (let at = 0; at < count; at++) starts[((keys[2 * at + half]! >>> shift) & (digits - 1)) + 1]!++;
      const first = count === 0 ? 0 : (keys[half]! >>> shift) & (digits - 1);
      if (starts[first + 1] === count) continue;
      for (let digit = 0; digit < digits; digit++) starts[digit + 1]! += starts[digit]!;
      for (let at = 0; at < count; at++) {
        const item = from[at]!;
        to[starts[(keys[2 * item + half]! >>> shift) & (digits - 1)]!++] = item;
      }
      [from, to] = [to, from];
    }
  }
  const sorted = new Int32Array(count);
  for (let at = 0; at < count; at++) sorted[at] = rows[from[at]!]!;
  return sorted;
}

type RowTest = (row: number) => boolean;

function onlyTest(rowCount: number, only: Int32Array | undefined): RowTest | undefined {
  if (only === undefined) return undefined;
  const isMeant = new Uint8Array(rowCount);
  for (const row of only) isMeant[row] = 1;
  return (row) => isMeant[row] === 1;
}

function groupTest(groups: TextColumn | undefined, group: string): RowTest | undefined {
  if (group === '') return undefined;
  const code = groups?.categories.indexOf(group) ?? -1;
  return (row) => code >= 0 && groups!.codes[row] === code;
}

function limitTest(
  columns: readonly TableColumn[],
  { direction, adjustedP, foldChange }: RowLimits,
): RowTest | undefined {
  if (direction === 'all' && adjustedP === undefined && foldChange === undefined) return undefined;
  const [changes, ps] = [numbersOf(columns, 'logfoldchanges'), numbersOf(columns, 'pvals_adj')];
  return (row) => {
    const change = changes?.[row] ?? NaN;
    if (direction !== 'all' && !(direction === 'higher' ? change > 0 : change < 0)) return false;
    if (adjustedP !== undefined && !(ps !== undefined && ps[row]! < adjustedP)) return false;
    return foldChange === undefined || Math.abs(change) >= foldChange;
  };
}

/** Tests each distinct text once; a text renamed by the user matches by both names. */
function searchTest(
  columns: readonly TableColumn[],
  search: string,
  calledIn: (column: TextColumn) => ReadonlyMap<string, string> | undefined,
): RowTest | undefined {
  const whole = search.trim().toLowerCase();
  if (whole === '') return undefined;
  const texts = columns.filter((column) => column.numbers === undefined);
  const lower = texts.map((column) => {
    const called = calledIn(column);
    return column.categories.map((text) => [called?.get(text), text].join('\n').toLowerCase());
  });
  // 'B cell' is one name if any row has it as such, and not the B of TRBC1 with the cell of T cell.
  const asOne = lower.some((categories) => categories.some((text) => text.includes(whole)));
  const parts = asOne ? [whole] : whole.split(/\s+/);
  const hits = parts.map((part) =>
    lower.map((categories) => Uint8Array.from(categories, (text) => (text.includes(part) ? 1 : 0))),
  );
  return (row) =>
    hits.every((ofPart) => ofPart.some((isHit, place) => isHit[texts[place]!.codes[row]!] === 1));
}
