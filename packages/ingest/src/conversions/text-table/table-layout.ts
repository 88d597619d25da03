import { countText, maxNameLength, quotedHead } from '@cellfolio/model';
import { TextFileError } from '../../matrix-market/read-text.ts';
import { fieldCount, fieldTexts, numberOf } from './fields.ts';
import { textLines, type TextLine } from './text-lines.ts';

/** How the fields of a table are arranged. */
export interface TableLayout {
  /** Code of the character between fields. */
  readonly delimiter: number;
  /** Number of the line of titles. */
  readonly titleLine: number;
  /** Fields of each line below it. */
  readonly fieldCount: number;
  /** Field with the name of each row, and its title. */
  readonly nameField: number;
  readonly corner: string;
  /** Fields with text about each row, such as a further name of each gene. */
  readonly notes: readonly { readonly field: number; readonly title: string }[];
  /** Fields with values, and their titles. */
  readonly valueFields: Int32Array;
  readonly valueTitles: readonly string[];
  /** Columns that say nothing of cells or genes, left out. */
  readonly left: readonly string[];
}

const delimiters = ['\t', ',', ';', ' '].map((character) => character.charCodeAt(0));
/** Lines that show which columns hold text. */
const sampled = 20;
/** Of these lines together: a line may have a million fields. */
const sampledFields = 2_000_000;
const sampledBytes = 32 * 2 ** 20;
const maxFields = 5_000_000;
/** What featureCounts puts between the names of the genes and the counts. */
const annotation = ['chr', 'start', 'end', 'strand', 'length'];

/** Reads the first lines of a table. Throws TextFileError where they are no table with titles. */
export async function tableLayout(path: string): Promise<TableLayout> {
  const lines: TextLine[] = [];
  let held = 0;
  for await (const { bytes, number } of textLines(path)) {
    lines.push({ bytes: Buffer.from(bytes), number });
    held += bytes.length;
    if (lines.length > sampled || (lines.length > 1 && held > sampledBytes)) break;
  }
  const [titleLine, first, ...more] = lines;
  const refused = (line: number | undefined, problem: string) =>
    new TextFileError({ code: 'malformed', path, problem, ...(line !== undefined && { line }) });
  if (titleLine === undefined || first === undefined)
    throw refused(
      undefined,
      'holds a single line. A table has a line of titles and a line for each gene or cell.',
    );
  const delimiter = bestDelimiter(first.bytes);
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
      `has ${countText(fieldCount(titleLine.bytes, delimiter))} titles, but the line below has ${countText(count)} fields. Each column needs a title; that of the names may be left out.`,
    );
  }
  const rows = [first, ...more.slice(0, Math.floor(sampledFields / count))].map(({ bytes }) =>
    fieldTexts(bytes, delimiter),
  );
  const isText = textColumns(titles, rows);
  const nameField = isCounter(rows) && isText.indexOf(true, 1) > 0 ? isText.indexOf(true, 1) : 0;
  const valueFields = Int32Array.from(titles.keys()).filter(
    (field) => field !== nameField && field > 0 && !isText[field],
  );
  const valueTitles = Array.from(valueFields, (field) => titles[field]!);
  if (valueTitles.length === 0) {
    throw refused(
      first.number,
      `holds no values: ${quotedHead(rows[0]!.slice(1, 4).join(', '))} are no numbers.`,
    );
  }
  const problem = titleProblem(valueTitles, valueFields);
  if (problem !== undefined) throw refused(titleLine.number, problem);
  return {
    delimiter,
    titleLine: titleLine.number,
    fieldCount: count,
    nameField,
    corner: titles[nameField]!,
    notes: titles.flatMap((title, field) => (field !== nameField && isText[field] ? [{ field, title }] : [])),
    valueFields,
    valueTitles,
    left: nameField === 0 ? [] : [titles[0] === '' ? 'the numbers of the rows' : titles[0]!],
  };
}

function titleProblem(titles: readonly string[], fields: Int32Array): string | undefined {
  const wrong = titles.findIndex((title) => title === '' || title.length > maxNameLength);
  if (wrong >= 0) {
    const title = titles[wrong]!;
    return title === ''
      ? `gives column ${countText(fields[wrong]! + 1)} no title.`
      : `has a title of ${countText(title.length)} characters (${quotedHead(title)}), and ${maxNameLength} are the most.`;
  }
  const numbered = titles.length > 1 && titles.every((title) => numberOf(title) !== undefined);
  // Numbers that count the columns are names as good as any.
  if (!numbered || titles.every((title, at) => Number(title) === at + Number(titles[0]))) return undefined;
  return 'holds values where the titles should be: the first line names the columns.';
}

/** The one that parts the line into most fields; of equals a tab rather than a comma, a blank last. */
function bestDelimiter(line: Buffer): number {
  let best = delimiters[0]!;
  for (const delimiter of delimiters) {
    // Blanks are in names as well.
    if (delimiter === 32 && fieldCount(line, best) > 1) break;
    if (fieldCount(line, delimiter) > fieldCount(line, best)) best = delimiter;
  }
  return best;
}

/** As many titles as fields. R leaves out that of the names, and some programs end the line with a delimiter. */
function titlesOf(titles: readonly string[], count: number): readonly string[] | undefined {
  if (titles.length === count) return titles;
  if (titles.length === count - 1) return ['', ...titles];
  return titles.length === count + 1 && titles.at(-1) === '' ? titles.slice(0, -1) : undefined;
}

function textColumns(titles: readonly string[], rows: readonly (readonly string[])[]): boolean[] {
  const words = new Set(titles.map((title) => title.toLowerCase()));
  const annotated = annotation.every((word) => words.has(word));
  return titles.map(
    (title, field) =>
      (annotated && annotation.includes(title.toLowerCase())) ||
      rows.some((row) => numberOf(row[field] ?? '') === undefined),
  );
}

/** Whether the first column only counts the rows, as pandas writes it unless told not to. */
function isCounter(rows: readonly (readonly string[])[]): boolean {
  return rows.length > 1 && rows.every(([first], row) => first === String(row + Number(rows[0]![0])));
}
