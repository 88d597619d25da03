import { countText, quotedHead } from '@cellfolio/model';
import { TextFileError } from '../../matrix-market/read-text.ts';
import { likeMany, notesAmong } from '../../roles/note-titles.ts';
import type { GenesIn } from '../../import-columns.ts';
import { isCellName, isGeneName } from '../../roles/orientation.ts';
import { fieldNumber } from './fields.ts';
import type { TableLayout } from './table-layout.ts';

/** Numeric columns that are notes about the rows instead of values, by index among the layout's value fields. */
export interface NumberNotes {
  byTitle: ReadonlySet<number>;
  byValue: ReadonlyMap<number, string>;
}

/** Number of rows kept in memory for detecting sums and means of other columns. */
const heldRows = 200;
const heldNumbers = 2_000_000;
/** Minimum rows for evidence about a column; fewer may match by chance. */
const minRows = 20;
/** Minimum non-zero rows of a sum or a mean. */
const minSums = 10;
/** Minimum number of value columns among which another can stand out. */
const minOthers = 3;
/** Maximum share of columns that may stand out, though one always may; beyond it they count as values. */
const maxStriking = 0.1;

/** Maximum columns for which the first field like 1.046 is kept. */
const maxThousands = 1000;

export class ColumnSurvey {
  readonly #layout: TableLayout;
  rows = 0;
  /** By column; missing values count in none of these. */
  readonly nonZero: Uint32Array;
  readonly fractions: Uint32Array;
  readonly negative: Uint32Array;
  /** Number of fractions that may be integers with a thousands separator, such as 1.046. */
  readonly thousands: Uint32Array;
  /** 1 while each number is above (or below) that of the previous row. */
  readonly rises: Uint8Array;
  readonly falls: Uint8Array;
  readonly held: Float64Array[] = [];
  readonly #before: Float64Array;
  readonly firstThousand = new Map<number, { line: number; text: string }>();

  constructor(layout: TableLayout) {
    this.#layout = layout;
    const { length } = layout.valueFields;
    this.nonZero = new Uint32Array(length);
    this.fractions = new Uint32Array(length);
    this.negative = new Uint32Array(length);
    this.thousands = new Uint32Array(length);
    this.rises = new Uint8Array(length).fill(1);
    this.falls = new Uint8Array(length).fill(1);
    this.#before = new Float64Array(length);
  }

  /**
   * Adds a row with the ends of all its fields. A field that is not a number is refused later, when values are read.
   */
  add(bytes: Buffer, ends: Int32Array, line: number): void {
    const { valueFields } = this.#layout;
    const { length } = valueFields;
    const hold = this.held.length < heldRows && (this.held.length + 1) * length <= heldNumbers;
    const values = new Float64Array(hold ? length : 0);
    for (let column = 0; column < length; column++) {
      const field = valueFields[column]!;
      const from = ends[field - 1]! + 1;
      const value = fieldNumber(bytes, from, ends[field]!) ?? NaN;
      if (hold) values[column] = value;
      if (value > 0) this.nonZero[column]!++;
      else if (value < 0) {
        this.nonZero[column]!++;
        this.negative[column]!++;
      }
      if (value % 1 !== 0 && Number.isFinite(value)) {
        this.fractions[column]!++;
        if (hasThreeDecimals(bytes, ends[field]!))
          this.#addThousand(column, bytes.toString('latin1', from, ends[field]), line);
      }
      if (this.rows > 0) {
        // Nothing is above or below a missing value.
        if (!(value > this.#before[column]!)) this.rises[column] = 0;
        if (!(value < this.#before[column]!)) this.falls[column] = 0;
      }
      this.#before[column] = value;
    }
    if (hold) this.held.push(values);
    this.rows++;
  }

  #addThousand(column: number, field: string, line: number): void {
    const text = field.replaceAll(/[\s"]/g, '');
    if (!/^[1-9]\d{0,2}\.\d{3}$/.test(text)) return;
    this.thousands[column]!++;
    if (this.thousands[column] === 1 && this.firstThousand.size < maxThousands)
      this.firstThousand.set(column, { line, text });
  }
}

const quote = 34;
const point = 46;

/** Checks single bytes, since a table may have a billion fractions; blanks and quotes may follow them. */
function hasThreeDecimals(bytes: Uint8Array, to: number): boolean {
  let end = to;
  while (end > 0 && bytes[end - 1]! <= quote) end--;
  return bytes[end - 4] === point;
}

/** Finds the columns that are notes about the rows. Throws TextFileError as `assertNoThousands` does. */
export function numberNotes(
  path: string,
  layout: TableLayout,
  { survey, genesIn }: { survey: ColumnSurvey; genesIn: GenesIn },
): NumberNotes {
  const { valueTitles: titles } = layout;
  const byTitle = notesAmong(titles, genesIn === 'rows' ? 'genes' : 'cells');
  const values = [...titles.keys()].filter((column) => !byTitle.has(column));
  assertNoThousands(path, layout, survey, values);
  const isLikeOthers = likeMany(values.map((column) => titles[column]!));
  const isName = (column: number): boolean => {
    const title = titles[column]!;
    return isLikeOthers(title) || (genesIn === 'rows' ? isCellName(title) : isGeneName(title));
  };
  return { byTitle, byValue: strikingColumns(survey, values, isName) };
}

function strikingColumns(
  survey: ColumnSurvey,
  values: readonly number[],
  isName: (column: number) => boolean,
): Map<number, string> {
  const reasons = new Map<number, string>();
  if (survey.rows < minRows || values.length <= minOthers) return reasons;
  const max = Math.max(1, Math.floor(maxStriking * values.length));
  const addFew = (columns: readonly number[], why: (column: number) => string) => {
    if (columns.length > max) return;
    for (const column of columns)
      if (!isName(column) && !reasons.has(column)) reasons.set(column, why(column));
  };
  const { nonZero, fractions, negative, rises, falls } = survey;
  // Counts that were corrected have fractions in all columns, and a damaged column is none of notes.
  const odd = values.filter((column) => fractions[column]! > 0 || negative[column]! > 0);
  const isMostlyOdd = (column: number) =>
    2 * fractions[column]! > nonZero[column]! || 10 * negative[column]! > nonZero[column]!;
  if (odd.every(isMostlyOdd))
    addFew(odd, (column) =>
      2 * fractions[column]! > nonZero[column]!
        ? 'most of its numbers are fractions, those of other columns whole'
        : 'it has negative numbers, other columns have none',
    );
  addFew(
    values.filter((column) => fractions[column] === 0 && (rises[column] === 1 || falls[column] === 1)),
    (column) => `its numbers ${rises[column] === 1 ? 'rise' : 'fall'} from each row to the next`,
  );
  const rest = values.filter((column) => !reasons.has(column));
  const sums = new Map([...sumsOfNeighbours(survey, rest), ...sumsOfOthers(survey, rest)]);
  // A group has two columns at least beside its sum, and columns that are all alike are means of each other.
  if (3 * sums.size <= rest.length) for (const [column, why] of sums) reasons.set(column, why);
  return reasons;
}

/** Columns that equal the sum or the mean of the others in all kept rows. */
function sumsOfOthers(
  { held: rows, fractions }: ColumnSurvey,
  columns: readonly number[],
): Map<number, string> {
  const others = columns.length - 1;
  if (others < minOthers) return new Map();
  const sums = rows.map((row) => columns.reduce((sum, column) => sum + row[column]!, 0));
  /** Number of rows that are non-zero and match; 0 if any row does not match. */
  const matches = (column: number, divisor: number, digits: number): number => {
    let matchCount = 0;
    for (const [at, row] of rows.entries()) {
      const value = row[column]!;
      const expected = (sums[at]! - value) / divisor;
      const rounding = digits + 1e-6 * Math.abs(expected);
      if (!(Math.abs(value - expected) <= rounding)) return 0;
      if (Math.abs(expected) > 10 * rounding) matchCount++;
    }
    return matchCount;
  };
  return new Map(
    columns.flatMap((column): [number, string][] => {
      if (matches(column, 1, 1e-6) >= minSums) return [[column, 'it is the sum of the other columns']];
      // Means are written with two decimals or as whole numbers. Logarithms of replicates are as near to their mean as that.
      const rounding = fractions[column] === 0 ? 0.5 : 0.0051;
      if (matches(column, others, rounding) >= minSums)
        return [[column, 'it is the mean of the other columns']];
      return [];
    }),
  );
}

/** Maximum columns for the search for partial sums, whose work grows with their square. */
const maxSearched = 1000;

/** Columns that equal the sum of those just before or after, such as of a group of samples. */
function sumsOfNeighbours(
  { held: rows }: ColumnSurvey,
  columns: readonly number[],
): ReadonlyMap<number, string> {
  const reasons = new Map<number, string>();
  if (columns.length > maxSearched) return reasons;
  const isSum = (sum: number, value: number) => Math.abs(sum - value) <= 1e-6 * Math.max(1, Math.abs(value));
  const sumOf = (row: Float64Array, from: number, to: number) => {
    let sum = 0;
    for (let at = from; at < to; at++) sum += row[columns[at]!]!;
    return sum;
  };
  for (const [at, column] of columns.entries()) {
    if (rows.filter((row) => row[column] !== 0).length < minRows) continue;
    // One row alone, in which few sums fit, tells which are looked at in all.
    const probe = rows.reduce((largest, row) => (row[column]! > largest[column]! ? row : largest));
    for (const step of [-1, 1]) {
      let sum = 0;
      for (let end = at + step; end in columns && sum <= probe[column]!; end += step) {
        sum += probe[columns[end]!]!;
        const [from, to] = step < 0 ? [end, at] : [at + 1, end + 1];
        if (to - from < 2 || !isSum(sum, probe[column]!)) continue;
        if (rows.every((row) => isSum(sumOf(row, from, to), row[column]!)))
          reasons.set(
            column,
            `it is the sum of the ${countText(to - from)} columns ${step < 0 ? 'before' : 'behind'} it`,
          );
      }
    }
  }
  return reasons;
}

/**
 * Throws TextFileError if all values are integers except for some with three decimals: with a decimal comma, `1.046`
 * means a thousand.
 */
function assertNoThousands(
  path: string,
  { valueFields, valueTitles }: TableLayout,
  { fractions, thousands, nonZero, firstThousand }: ColumnSurvey,
  values: readonly number[],
): void {
  let [count, others, whole] = [0, 0, 0];
  for (const column of values) {
    count += thousands[column]!;
    others += fractions[column]! - thousands[column]!;
    whole += nonZero[column]! - fractions[column]!;
  }
  const column = values.find((value) => firstThousand.has(value));
  if (column === undefined || others > 0 || whole < count) return;
  const { line, text } = firstThousand.get(column)!;
  const more = count === 1 ? '' : ` and ${countText(count - 1)} more fields like it`;
  throw new TextFileError({
    code: 'malformed',
    path,
    line,
    problem: `holds ${text} in column ${countText(valueFields[column]! + 1)} (${quotedHead(valueTitles[column]!)})${more}, where all other values are whole numbers: that may be a thousand or a decimal. Write ${text.replace('.', '')} if it is a thousand, ${text}0 if it is a decimal.`,
  });
}
