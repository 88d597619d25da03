import { strToU8, Zip, ZipDeflate } from 'fflate';
import type { TableColumn } from '../table-columns.ts';
import { namedNotes } from '@cellfolio/contract';
import { type FileContents, type FileRows, rowWriter, sheetRows } from './table-file.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** Excel's maximum number of characters in a cell; a longer list of genes is truncated. */
const maxCellCharacters = 32_767;

/**
 * Writes a workbook (ISO/IEC 29500): `Table`, with more rows than fit a sheet also `Table 2` and so on, and `About`
 * with the comment lines of a CSV file. Text is stored as text (`inlineStr`), so that no spreadsheet evaluates it or
 * reads it as a date. `rowsOfSheet` excludes the heading.
 */
export async function xlsxFile(contents: FileContents, rowsOfSheet = sheetRows): Promise<Blob> {
  const parts: Blob[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    parts.push(new Blob([piece as Uint8Array<ArrayBuffer>]));
  });
  const add = async (name: string, texts: Iterable<string> | AsyncIterable<string>) => {
    const file = new ZipDeflate(name, { level: 6 });
    zip.add(file);
    for await (const text of texts) file.push(strToU8(text));
    file.push(new Uint8Array(0), true);
  };
  const tables = Math.max(1, Math.ceil(contents.rowCount / rowsOfSheet));
  const names = Array.from({ length: tables }, (_, at) => (at === 0 ? 'Table' : `Table ${at + 1}`));
  const sheets = [...names, 'About'];
  await add('[Content_Types].xml', [contentTypes(sheets.length)]);
  await add('_rels/.rels', [relations([['officeDocument', 'xl/workbook.xml']])]);
  await add('xl/workbook.xml', [workbook(sheets)]);
  await add('xl/_rels/workbook.xml.rels', [
    relations([
      ...sheets.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
      ['styles', 'styles.xml'],
    ]),
  ]);
  await add('xl/styles.xml', [styles]);
  const pieces = new PiecesInTurn(contents.pieces);
  const writeRows = sheetRowWriter();
  for (const at of names.keys()) {
    const rows = tableSheet(contents, pieces.next(rowsOfSheet), writeRows);
    await add(`xl/worksheets/sheet${at + 1}.xml`, rows);
  }
  await add(`xl/worksheets/sheet${sheets.length}.xml`, [aboutSheet(contents.notes)]);
  zip.end();
  return new Blob(parts, {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  });
}

class PiecesInTurn {
  readonly #pieces: Iterator<FileRows> | AsyncIterator<FileRows>;
  #left: FileRows | undefined;

  constructor(pieces: FileContents['pieces']) {
    this.#pieces =
      Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  }

  async *next(rows: number): AsyncGenerator<FileRows> {
    let room = rows;
    while (room > 0) {
      const piece = this.#left ?? (await this.#following());
      if (piece === undefined) return;
      const to = Math.min(piece.to, piece.from + room);
      this.#left = to < piece.to ? { ...piece, from: to } : undefined;
      room -= to - piece.from;
      yield { ...piece, to };
    }
  }

  async #following(): Promise<FileRows | undefined> {
    const { done, value } = await this.#pieces.next();
    return done === true ? undefined : (value as FileRows);
  }
}

async function* tableSheet(
  { columns }: Pick<FileContents, 'columns'>,
  pieces: AsyncIterable<FileRows>,
  writeRows: (piece: FileRows) => string,
): AsyncGenerator<string> {
  const widths = columns.map(({ numbers, name }) => Math.max(numbers ? 12 : 18, name.length + 2));
  yield sheetHead(widths, '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
  yield rowOf(columns.map(({ name }) => textCell(name, 1)));
  for await (const piece of pieces) yield writeRows(piece);
  yield '</sheetData></worksheet>';
}

function sheetRowWriter(): (piece: FileRows) => string {
  return rowWriter(
    (column) => (column.numbers === undefined ? column.categories.map((text) => textCell(text)) : []),
    (columns, texts, row) => rowOf(columns.map((column, place) => cellOf(column, row, texts[place]!))),
  );
}

function aboutSheet(notes: readonly string[]): string {
  const rows = namedNotes(notes).map(({ name, text }) => rowOf([textCell(name, 1), textCell(text)]));
  return `${sheetHead([16, 120])}${rows.join('')}</sheetData></worksheet>`;
}

function sheetHead(widths: readonly number[], pane = ''): string {
  const cols = widths.map(
    (width, place) => `<col min="${place + 1}" max="${place + 1}" width="${width}" customWidth="1"/>`,
  );
  const view = `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`;
  return `${declaration}<worksheet xmlns="${main}">${view}<cols>${cols.join('')}</cols><sheetData>`;
}

function rowOf(cells: readonly string[]): string {
  return `<row>${cells.join('')}</row>`;
}

function cellOf(column: TableColumn, row: number, texts: readonly string[]): string {
  if (column.numbers === undefined) return texts[column.codes[row]!] ?? '<c/>';
  const value = column.numbers[row]!;
  if (Number.isFinite(value)) return `<c><v>${value}</v></c>`;
  // A sheet has no infinite number.
  return Number.isNaN(value) ? '<c/>' : textCell(value > 0 ? 'inf' : '-inf');
}

/** `style`: index in `styles`; 1 is bold. */
function textCell(text: string, style = 0): string {
  const cut = text.length > maxCellCharacters ? `${text.slice(0, maxCellCharacters - 1)}…` : text;
  return `<c t="inlineStr"${style === 0 ? '' : ` s="${style}"`}><is><t xml:space="preserve">${escaped(cut)}</t></is></c>`;
}

/**
 * Writes characters invalid in XML as `_xHHHH_`, and escapes an underscore that would be read as the start of such a
 * sequence.
 */
function escaped(text: string): string {
  return text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(
      // oxlint-disable-next-line no-control-regex -- these are what XML forbids
      /[\u0000-\u0008\u000B\u000C\u000D\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function relations(to: readonly (readonly [kind: string, target: string])[]): string {
  const each = to.map(
    ([kind, target], place) =>
      `<Relationship Id="rId${place + 1}" Type="${office}/${kind}" Target="${target}"/>`,
  );
  return `${declaration}<Relationships xmlns="${packaged}/relationships">${each.join('')}</Relationships>`;
}

const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function contentTypes(sheets: number): string {
  const each = Array.from(
    { length: sheets },
    (_, at) =>
      `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${sheetType}.worksheet+xml"/>`,
  );
  return `${declaration}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/>${each.join('')}<Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/></Types>`;
}

function workbook(sheets: readonly string[]): string {
  const each = sheets.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`);
  return `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${each.join('')}</sheets></workbook>`;
}

const font = '<sz val="11"/><name val="Calibri"/>';
const styles = `${declaration}<styleSheet xmlns="${main}"><fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf fontId="0"/></cellStyleXfs><cellXfs count="2"><xf fontId="0" xfId="0"/><xf fontId="1" xfId="0" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
