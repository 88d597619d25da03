import { countText, maxNameLength, quotedHead } from '@cellfolio/model';
import type { TextEncoding } from '../../text-encoding.ts';
import { TextFileError } from '../../matrix-market/read-text.ts';
import { isNoFeature, isNoteTitle } from '../../roles/note-titles.ts';
import { isCellName, isGeneName } from '../../roles/orientation.ts';
import { fieldCount, fieldTexts, numberOf } from './fields.ts';
import { textLines, type TextLine } from './text-lines.ts';

export interface TableLayout {
  encoding: TextEncoding;
  /** Code of the delimiter. */
  delimiter: number;
  titleLine: number;
  fieldCount: number;
  nameField: number;
  corner: string;
  /** Text fields about each row, such as a second gene name. */
  notes: readonly { field: number; title: string }[];
  /** Numeric fields; and their titles: values, including notes until `numberNotes` separates them. */
  valueFields: Int32Array;
  valueTitles: readonly string[];
  /** Omitted columns that describe neither cells nor genes. */
  left: readonly string[];
}

const delimiters = ['\t', ',', ';', ' '].map((character) => character.charCodeAt(0));
const blank = 32;
/** Number of lines sampled to detect text columns. */
const sampled = 20;
const sampledFields = 2_000_000;
const sampledBytes = 32 * 2 ** 20;
const maxFields = 5_000_000;

/** Reads the first lines of a table. Throws TextFileError if they are not a table with titles. */
export async function tableLayout(path: string, encoding: TextEncoding): Promise<TableLayout> {
  const lines: TextLine[] = [];
  let byteCount = 0;
  for await (const { bytes, number } of textLines(path, { encoding })) {
    lines.push({ bytes: Buffer.from(bytes), number });
    byteCount += bytes.length;
    if (lines.length > sampled || (lines.length > 1 && byteCount > sampledBytes)) break;
  }
  const [titleLine, first, ...more] = lines;
  const refused = (line: number | undefined, problem: string) =>
    new TextFileError({ code: 'malformed', path, problem, ...(line !== undefined && { line }) });
  if (titleLine === undefined || first === undefined)
    throw refused(
      undefined,
      'holds a single line. A table has a line of titles and a line for each gene or cell.',
    );
  const delimiter = bestDelimiter(titleLine.bytes, first.bytes);
  const count = fieldCount(first.bytes, delimiter);
  if (count < 2) {
    throw refused(
      first.number,
      'holds one field. Fields are separated by commas, tabs, semicolons or blanks, and a table has names and values.',
    );
  }
  if (count > maxFields)
    throw refused(first.number, `has ${countText(count)} fields, and ${countText(maxFields)} are the most.`);
  const titles = titlesOf(fieldTexts(titleLine.bytes, delimiter), count);
  if (titles === undefined) {
    throw refused(
      titleLine.number,
      `has ${countText(fieldCount(titleLine.bytes, delimiter))} titles, but the line below has ${countText(count)} fields. Each column needs a title; the column of names may go without.`,
    );
  }
  const rows = [first, ...more.slice(0, Math.floor(sampledFields / count))].map(({ bytes }) =>
    fieldTexts(bytes, delimiter),
  );
  const kinds = titles.map((title, field) =>
    fieldKind(
      title,
      rows.map((row) => row[field] ?? ''),
    ),
  );
  const firstText = kinds.indexOf('text', 1);
  const nameField = isCounter(rows) && firstText > 0 ? firstText : 0;
  const mixed = kinds.findIndex((kind, field) => kind === 'mixed' && field > nameField);
  if (mixed > 0) {
    const at = rows.findIndex((row) => numberOf(row[mixed] ?? '') === undefined);
    const place = { text: rows[at]![mixed]!, line: lines[at + 1]!.number, field: mixed };
    throw noNumber(path, { ...place, title: titles[mixed]! });
  }
  const valueFields = Int32Array.from(titles.keys()).filter(
    (field) => field !== nameField && field > 0 && kinds[field] === 'values',
  );
  const valueTitles = Array.from(valueFields, (field) => titles[field]!);
  if (valueTitles.length === 0) {
    throw refused(
      first.number,
      `holds no values: ${quotedHead(rows[0]!.slice(1, 4).join(', '))} are no numbers.`,
    );
  }
  const problem = titleProblem(titles[nameField]!, valueTitles, valueFields);
  if (problem !== undefined) throw refused(titleLine.number, problem);
  return {
    encoding,
    delimiter,
    titleLine: titleLine.number,
    fieldCount: count,
    nameField,
    corner: titles[nameField]!,
    notes: titles.flatMap((title, field) =>
      field !== nameField && kinds[field] === 'text' ? [{ field, title }] : [],
    ),
    valueFields,
    valueTitles,
    left: [
      ...(nameField === 0 ? [] : [titles[0] === '' ? 'the numbers of the rows' : titles[0]!]),
      ...titles.filter((_, field) => field > 0 && kinds[field] === 'left'),
    ],
  };
}

function titleProblem(corner: string, titles: readonly string[], fields: Int32Array): string | undefined {
  const wrong = titles.findIndex((title) => title === '' || title.length > maxNameLength);
  if (wrong >= 0) {
    const title = titles[wrong]!;
    return title === ''
      ? `gives column ${countText(fields[wrong]! + 1)} no title.`
      : `has a title of ${countText(title.length)} characters (${quotedHead(title)}), and ${maxNameLength} are the most.`;
  }
  if (titles.some((title) => numberOf(title) === undefined)) return undefined;
  // Numbers that count the columns are names as good as any, unless they stand beside a name.
  const isName = isGeneName(corner) || isCellName(corner);
  if (!isName && titles.every((title, at) => Number(title) === at + Number(titles[0]))) return undefined;
  return 'holds values where the titles should be: the first line names the columns.';
}

/** Delimiter that splits both lines equally into the most fields; ties prefer a tab over a comma, a blank last. */
function bestDelimiter(titles: Buffer, line: Buffer): number {
  const fields = (delimiter: number) => fieldCount(line, delimiter);
  // Where commas are in numbers, the line has more of them than the titles.
  const fits = (delimiter: number) =>
    fields(delimiter) > 1 && Math.abs(fieldCount(titles, delimiter) - fields(delimiter)) < 2;
  let best = delimiters[0]!;
  for (const delimiter of delimiters) {
    // Blanks are in names as well.
    if (delimiter === blank && fields(best) > 1) break;
    if (
      fits(delimiter)
        ? fields(delimiter) > fields(best) || !fits(best)
        : !fits(best) && fields(delimiter) > fields(best)
    )
      best = delimiter;
  }
  return best;
}

/**
 * Pads or trims the titles to the number of fields: R omits the title of the names, and some programs end the line with
 * a delimiter.
 */
function titlesOf(titles: readonly string[], count: number): readonly string[] | undefined {
  if (titles.length === count) return titles;
  if (titles.length === count - 1) return ['', ...titles];
  return titles.length === count + 1 && titles.at(-1) === '' ? titles.slice(0, -1) : undefined;
}

/** `left`: totals or reads that belong to no gene; `mixed`: numbers with a few non-numeric fields. */
type FieldKind = 'values' | 'text' | 'left' | 'mixed';

function fieldKind(title: string, texts: readonly string[]): FieldKind {
  const strange = texts.filter((text) => numberOf(text) === undefined);
  if (strange.length === 0) return isNoFeature(title) ? 'left' : 'values';
  if (isNoteTitle(title)) return 'text';
  return 2 * strange.length > texts.length && !strange.some((text) => withComma.test(text))
    ? 'text'
    : 'mixed';
}

const infinite = /^[+-]?inf(inity)?$/i;
const withComma = /^[+-]?\d+(,\d+)+$/;

/** Error for a non-numeric field among values. */
export function noNumber(
  path: string,
  { text, line, field, title }: { text: string; line: number; field: number; title: string },
): TextFileError {
  const advice = withComma.test(text)
    ? 'Write numbers with a decimal point and without separators of thousands: 5.03, not 5,03; 1234, not 1,234.'
    : infinite.test(text) || numberOf(text) !== undefined
      ? 'It is not finite, as values are. Correct the field, or write NA where a value is missing.'
      : 'Values are numbers with a decimal point, or NA. Correct the field, or take the column out if it holds no values.';
  return new TextFileError({
    code: 'malformed',
    path,
    line,
    problem: `holds ${quotedHead(text)} in column ${countText(field + 1)} (${quotedHead(title)}), where other lines have numbers. ${advice}`,
  });
}

/** Whether the first column is only a row number, as pandas writes by default. */
function isCounter(rows: readonly (readonly string[])[]): boolean {
  return rows.length > 1 && rows.every(([first], row) => first === String(row + Number(rows[0]![0])));
}
