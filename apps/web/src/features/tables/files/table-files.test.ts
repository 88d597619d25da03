import { strFromU8, unzipSync } from 'fflate';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { heldCsv } from '../held-table.fixture.ts';
import { TableHost } from '../table-host.ts';
import { namedNotes } from '@cellfolio/contract';
import { type FormatId, heldPieces } from './table-file.ts';
import { xlsxFile } from './xlsx-file.ts';

const csv = [
  '# Data: Lung (d.h5ad), version 1; all cells',
  '# Test: Wilcoxon',
  '# Cells are of 3 samples.',
  '# Others are of one.',
  'group,names,scores,pvals',
  'T,SEPT2,1.5,1e-300',
  "B,'=cmd|calc,-inf,",
  'B,<b>&_x0041_,,0.25',
  '',
].join('\n');
const kinds = new Map([
  ['scores', { label: 'Score', kind: 'number' as const }],
  ['pvals', { label: 'P', kind: 'p-value' as const }],
]);
const table = heldCsv(csv, kinds);

async function sheetsOf(file: Blob) {
  const parts = new Map(Object.entries(unzipSync(new Uint8Array(await file.arrayBuffer()))));
  const sheet = (n: number) => strFromU8(parts.get(`xl/worksheets/sheet${n}.xml`)!);
  return { names: [...parts.keys()], table: sheet(1), about: sheet(2) };
}

test('TSV has the head of CSV, and tabs', async () => {
  const text = await (await table.file('tsv', Int32Array.of(1), ['One note.'])).text();
  expect(text).toBe("# One note.\ngroup\tnames\tscores\tpvals\nB\t'=cmd|calc\t-inf\t\n");
});

test('a workbook keeps names as text, numbers as numbers, and describes itself on a second sheet', async () => {
  const sheets = await sheetsOf(await table.file('xlsx', undefined, table.notes));
  expect(sheets.names).toContain('[Content_Types].xml');
  expect(sheets.table).toContain(
    '<c t="inlineStr"><is><t xml:space="preserve">SEPT2</t></is></c><c><v>1.5</v></c>',
  );
  expect(sheets.table).toContain('<t xml:space="preserve">=cmd|calc</t>');
  // Formulas have an element of their own.
  expect(sheets.table).not.toContain('<f>');
  expect(sheets.table).toContain('&lt;b&gt;&amp;_x005F_x0041_');
  expect(sheets.table.match(/<row>/g)).toHaveLength(4);
  expect(sheets.about).toContain(
    'Data</t></is></c><c t="inlineStr"><is><t xml:space="preserve">Lung (d.h5ad)',
  );
  expect(sheets.about).toContain('Note 2</t></is></c>');
});

test('a workbook has the rows that are shown, in their order', async () => {
  const { table: sheet } = await sheetsOf(await table.file('xlsx', Int32Array.of(2, 0), []));
  expect(sheet.indexOf('_x005F_')).toBeLessThan(sheet.indexOf('SEPT2'));
  expect(sheet).not.toContain('cmd');
});

test('what XML cannot hold, and cells that are too long, make a sound sheet', async () => {
  const hostile = heldCsv(`names\na\u0000b\u001f\ud800\n${'x'.repeat(40_000)}\n`);
  const { table: sheet } = await sheetsOf(await hostile.file('xlsx', undefined, []));
  expect(sheet).toContain('a_x0000_b_x001F_');
  expect(sheet).toContain(`${'x'.repeat(32_766)}…`);
  // eslint-disable-next-line no-control-regex
  expect(sheet).not.toMatch(/[\u0000-\u0008\u001f]/);
});

test('Parquet has doubles, texts, nulls for missing numbers, and the notes as metadata', async () => {
  const file = await (await table.file('parquet', Int32Array.of(2, 1, 0), table.notes)).arrayBuffer();
  expect(await parquetReadObjects({ file })).toEqual([
    { group: 'B', names: '<b>&_x0041_', scores: null, pvals: 0.25 },
    { group: 'B', names: '=cmd|calc', scores: -Infinity, pvals: null },
    { group: 'T', names: 'SEPT2', scores: 1.5, pvals: 1e-300 },
  ]);
  const { key_value_metadata: notes } = parquetMetadata(file);
  expect(notes).toEqual(
    expect.arrayContaining([
      { key: 'Data', value: 'Lung (d.h5ad), version 1; all cells' },
      { key: 'Note', value: 'Cells are of 3 samples.' },
    ]),
  );
});

test('more rows than a sheet holds go on to further sheets, each with its heading', async () => {
  const long = heldCsv('names\nA\nB\nC\nD\nE\n');
  const contents = {
    columns: long.columns,
    notes: ['Data: d'],
    rowCount: 5,
    pieces: heldPieces(long, undefined),
  };
  const parts = unzipSync(new Uint8Array(await (await xlsxFile(contents, 2)).arrayBuffer()));
  const textOf = (path: string) => strFromU8(parts[`xl/${path}.xml`]!);
  const namesOf = (sheet: number) =>
    [...textOf(`worksheets/sheet${sheet}`).matchAll(/preserve">([^<]*)</g)].map(([, text]) => text);
  expect([1, 2, 3, 4].map(namesOf)).toEqual([
    ['names', 'A', 'B'],
    ['names', 'C', 'D'],
    ['names', 'E'],
    ['Data', 'd'],
  ]);
  const sheets = [...textOf('workbook').matchAll(/<sheet name="([^"]*)"/g)].map(([, name]) => name);
  expect(sheets).toEqual(['Table', 'Table 2', 'Table 3', 'About']);
  expect(strFromU8(parts['[Content_Types].xml']!).match(/worksheet\+xml/g)).toHaveLength(4);
});

test.each(['csv', 'tsv', 'xlsx', 'parquet'] as const)(
  'a %s file of an answer that is too long for the page has all its rows',
  async (format) => {
    const host = new TableHost(1);
    const file = new Blob([JSON.stringify({ csv: `${csv}`, b: 1 })]);
    const { columns, fileRows } = await host.answer({
      ask: 'read',
      table: 1,
      file,
      field: 'csv',
      kinds: [...kinds],
    });
    expect([columns.rowCount, fileRows]).toEqual([1, 3]);
    const whole = await host.answer({ ask: 'file', table: 1, format, rows: undefined, notes: columns.notes });
    expect(await contentOf(whole, format)).toEqual(
      await contentOf(await table.file(format, undefined, table.notes), format),
    );
    const hostFile = await host.answer({ ask: 'file', table: 1, format, rows: Int32Array.of(0), notes: [] });
    expect(await contentOf(hostFile, format)).toEqual(
      await contentOf(await table.file(format, Int32Array.of(0), []), format),
    );
  },
);

async function contentOf(file: Blob, format: FormatId) {
  if (format === 'parquet') return parquetReadObjects({ file: await file.arrayBuffer() });
  if (format === 'xlsx') return sheetsOf(file);
  return file.text();
}

test('notes are named by their topics, and numbered where several have the same', () => {
  expect(namedNotes(['A: x, 3 cells', 'one', 'two', 'A: y'])).toEqual([
    { name: 'A', text: 'x, 3 cells' },
    { name: 'Note', text: 'one' },
    { name: 'Note 2', text: 'two' },
    { name: 'A 2', text: 'y' },
  ]);
});
