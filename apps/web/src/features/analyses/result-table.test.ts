import { expect, test } from 'vitest';
import { exactCell, formatCell, genesOf, previewRows, readCsv, resultTable } from './result-table.ts';
import { markerAnswer, markerResult, pathwayResult } from './result.fixture.ts';

test('a CSV file is read with its quotes, line ends and missing fields', () => {
  const { header, columns, rowCount } = readCsv('a,b\r\n"x, ""y""\n",1\r\n,\r\nlast');
  expect(header).toEqual(['a', 'b']);
  expect(columns).toEqual([
    ['x, "y"\n', '', 'last'],
    ['1', '', ''],
  ]);
  expect(rowCount).toBe(3);
  expect(readCsv('# two cells\n# one sample\na\n#b\n').columns).toEqual([['#b']]);
  expect(readCsv('')).toMatchObject({ header: [], columns: [], rowCount: 0 });
  expect(readCsv('a,b\n')).toMatchObject({ rowCount: 0 });
  expect(readCsv('a\n"open').columns).toEqual([['open']]);
});

test('the apostrophe that keeps a spreadsheet from computing a name is not shown', () => {
  expect(readCsv("names\n'=SUM(A1)\n'-1\n'tis").columns).toEqual([['=SUM(A1)', '-1', "'tis"]]);
});

test('names of strangers stay text: a heading called __proto__ is a heading', () => {
  const table = resultTable(markerResult('__proto__,names\n<img src=x onerror=alert(1)>,CD3D'));
  expect(table.columns.map(({ label }) => label)).toEqual(['__proto__', 'Gene']);
  expect(table.columns[0]?.texts).toEqual(['<img src=x onerror=alert(1)>']);
});

test('numbers are shown short, shares in per cent, infinity as such', () => {
  const { columns } = resultTable(
    markerResult(
      'scores,pvals,pct_nz_group,logfoldchanges\n12.3456,1.5e-200,0.123456,-inf\n0.0123456,0,,2e7',
    ),
  );
  const shown = (row: number) => columns.map((column) => formatCell(column, row));
  expect(shown(0)).toEqual(['12.35', '1.50e−200', '12.3%', '−∞']);
  expect(shown(1)).toEqual(['0.0123', '< 2.2e−308', '', '2.00e+7']);
});

test('a p-value that is too small for a number has a bound in both analyses, and sorts as the number it is', () => {
  const markers = resultTable(markerResult('scores,pvals,pvals_adj\n0,0,1e-310\n'));
  expect(markers.columns.map((column) => formatCell(column, 0))).toEqual(['0', '< 2.2e−308', '< 2.2e−308']);
  expect(markers.columns[1]!.numbers![0]).toBe(0);
  // What a pointer over the cell shows, with all digits, is no 0 either.
  expect(markers.columns.map((column) => exactCell(column, 0))).toEqual(['0', '< 2.2e-308', '< 2.2e-308']);
  const sets = resultTable(pathwayResult('P-value,Adjusted P-value,Odds Ratio\n0,0,0\n'));
  expect(sets.columns.map((column) => formatCell(column, 0))).toEqual(['< 2.2e−308', '< 2.2e−308', '0']);
});

test('groups of few cells have an asterisk', () => {
  const [first, ...others] = markerAnswer().groups;
  const groups = [{ ...first!, few_cells: true }, ...others];
  const { columns } = resultTable(markerResult(markerAnswer().marker_csv, { groups }));
  expect([0, 1].map((row) => formatCell(columns[0]!, row))).toEqual(['B cell*', 'T cell']);
});

test('the preview is the first and the last five rows, or all of ten', () => {
  expect(previewRows(10)).toEqual({ first: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], last: [], between: 0 });
  expect(previewRows(12)).toEqual({ first: [0, 1, 2, 3, 4], last: [7, 8, 9, 10, 11], between: 2 });
  expect(previewRows(0)).toEqual({ first: [], last: [], between: 0 });
});

test('the genes of rows are each named once, of gene sets those of the overlap', () => {
  const markers = resultTable(markerResult('group,names\nB,CD3D\nT,CD3D\nT,CD3E'));
  expect(genesOf(markers, [0, 1, 2])).toEqual(['CD3D', 'CD3E']);
  const sets = resultTable(pathwayResult('Term,Genes\nOne,A;B\nTwo,B;C\nThree,'));
  expect(genesOf(sets, [0, 1, 2])).toEqual(['A', 'B', 'C']);
});
