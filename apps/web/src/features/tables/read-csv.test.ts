import { expect, test } from 'vitest';
import { heldCsv } from './held-table.fixture.ts';
import { CsvReader, readCsv } from './read-csv.ts';
import { textAt } from './table-columns.ts';

const textsOf = (csv: string) => {
  const { columns, rowCount } = readCsv(csv, new Map());
  return columns.map((column) => Array.from({ length: rowCount }, (_, row) => textAt(column, row)));
};

test('a CSV file is read with its quotes, line ends and missing fields', () => {
  const csv = 'a,b\r\n"x, ""y""\n",1\r\n,\r\nlast';
  expect(readCsv(csv, new Map()).columns.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(textsOf(csv)).toEqual([
    ['x, "y"\n', '', 'last'],
    ['1', '', ''],
  ]);
  expect(textsOf('# two cells\n# one sample\na\n#b\n')).toEqual([['#b']]);
  expect(textsOf('')).toEqual([]);
  expect(readCsv('a,b\n', new Map())).toMatchObject({ rowCount: 0 });
  expect(textsOf('a\n"open')).toEqual([['open']]);
  expect(textsOf('a\n1,2,3\n4\n')).toEqual([['1', '4']]);
});

test('the apostrophe that keeps a spreadsheet from computing a name is not shown', () => {
  expect(textsOf("names\n'=SUM(A1)\n'-1\n'tis")).toEqual([['=SUM(A1)', '-1', "'tis"]]);
});

test('names of strangers stay text: a heading called __proto__ is a heading', () => {
  expect(textsOf('__proto__,names\n<img src=x onerror=alert(1)>,CD3D')).toEqual([
    ['<img src=x onerror=alert(1)>'],
    ['CD3D'],
  ]);
});

test('a table is written as it was read, to the byte, with numbers of any size', async () => {
  const csv = [
    "# A note, '=1+1",
    'group,names,scores,pvals',
    "B cell,'=cmd|x,-12.345678901234567,1e-300",
    '"a,b",SEPT2,inf,0',
    '"#c","say ""x""",,-inf',
    '"line\nbreak",x,1e+21,5e-324',
    '',
  ].join('\n');
  const kinds = new Map([
    ['scores', { label: 'Score', kind: 'number' as const }],
    ['pvals', { label: 'P', kind: 'p-value' as const }],
  ]);
  const table = heldCsv(csv, kinds);
  expect(table.notes).toEqual(['A note, =1+1']);
  expect(Array.from(table.columns[3]!.numbers!)).toEqual([1e-300, 0, -Infinity, 5e-324]);
  expect(await (await table.file('csv', undefined, table.notes)).text()).toBe(csv);
});

test.each([1, 2, 3, 7, 1000])('in pieces of %i characters it is the same table', (length) => {
  const csv = '# a "quote, open\n# two\na,b\r\n"x, ""y""\n",1\r\n,\r\n"#c\n",2\nlast,3';
  const reader = new CsvReader(new Map());
  for (let at = 0; at < csv.length; at += length) reader.add(csv.slice(at, at + length));
  const parsed = reader.end();
  expect(parsed).toEqual(readCsv(csv, new Map()));
  expect(parsed).toMatchObject({ rowCount: 4, notes: ['a "quote, open', 'two'] });
});
