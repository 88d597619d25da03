import { strToU8, Zip, ZipDeflate } from 'fflate';
import type { TableColumn } from '../table-columns.ts';
import { namedNotes } from './named-notes.ts';
import { type FileContents, rowsIn } from './table-file.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** Characters of a cell; a longer list of genes is cut. */
const maxCellCharacters = 32_767;
const rowsOfPiece = 5_000;

/**
 * A workbook of two sheets (ISO/IEC 29500): `Table`, and `About` with what stands above the table in a CSV file. Text is
 * stored as text (`inlineStr`), which no spreadsheet computes or takes for a date. The caller limits the rows to what a
 * sheet holds.
 */
export function xlsxFile(contents: FileContents): Blob {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece as Uint8Array<ArrayBuffer>);
  });
  const add = (name: string, parts: Iterable<string>) => {
    const file = new ZipDeflate(name, { level: 6 });
    zip.add(file);
    for (const part of parts) file.push(strToU8(part));
    file.push(new Uint8Array(0), true);
  };
  add('[Content_Types].xml', [contentTypes]);
  add('_rels/.rels', [relations([['officeDocument', 'xl/workbook.xml']])]);
  add('xl/workbook.xml', [workbook]);
  add('xl/_rels/workbook.xml.rels', [
    relations([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['worksheet', 'worksheets/sheet2.xml'],
      ['styles', 'styles.xml'],
    ]),
  ]);
  add('xl/styles.xml', [styles]);
  add('xl/worksheets/sheet1.xml', tableSheet(contents));
  add('xl/worksheets/sheet2.xml', [aboutSheet(contents.table.notes)]);
  zip.end();
  return new Blob(pieces, {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  });
}

function* tableSheet(contents: FileContents): Generator<string> {
  const { table, rows } = contents;
  const { columns } = table;
  const widths = columns.map(({ numbers, name }) => Math.max(numbers ? 12 : 18, name.length + 2));
  yield sheetHead(widths, '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
  yield rowOf(columns.map(({ name }) => textCell(name, 1)));
  const texts = columns.map((column) =>
    column.numbers === undefined ? column.categories.map((text) => textCell(text)) : [],
  );
  const count = rowsIn(contents);
  for (let from = 0; from < count; from += rowsOfPiece) {
    let piece = '';
    for (let at = from; at < Math.min(count, from + rowsOfPiece); at++) {
      const row = rows?.[at] ?? at;
      piece += rowOf(columns.map((column, place) => cellOf(column, row, texts[place]!)));
    }
    yield piece;
  }
  yield '</sheetData></worksheet>';
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

/** @param style a place in `styles`: 1 is bold */
function textCell(text: string, style = 0): string {
  const cut = text.length > maxCellCharacters ? `${text.slice(0, maxCellCharacters - 1)}…` : text;
  return `<c t="inlineStr"${style === 0 ? '' : ` s="${style}"`}><is><t xml:space="preserve">${escaped(cut)}</t></is></c>`;
}

/** What XML cannot hold is written as `_xHHHH_`, and so is an underscore that would be read as the beginning of that. */
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
const contentTypes = `${declaration}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheetType}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${sheetType}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/></Types>`;
const workbook = `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Table" sheetId="1" r:id="rId1"/><sheet name="About" sheetId="2" r:id="rId2"/></sheets></workbook>`;
const font = '<sz val="11"/><name val="Calibri"/>';
const styles = `${declaration}<styleSheet xmlns="${main}"><fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf fontId="0"/></cellStyleXfs><cellXfs count="2"><xf fontId="0" xfId="0"/><xf fontId="1" xfId="0" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
