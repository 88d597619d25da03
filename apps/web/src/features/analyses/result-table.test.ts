import { expect, test } from 'vitest';
import { exactCell, formatCell, genesByGroup, genesOf, previewRows } from './result-table.ts';
import { markerResult, pathwayResult } from './result.fixture.ts';

const markerTable = (csv: string) => markerResult(csv).table;

test('numbers are shown short, shares in per cent, infinity as such', () => {
  const { columns } = markerTable(
    'scores,pvals,pct_nz_group,logfoldchanges\n12.3456,1.5e-200,0.123456,-inf\n0.0123456,0,,2e7\n-9976.5,1,1,123456',
  );
  const shown = (row: number) => columns.map((column) => formatCell(column, row));
  expect(shown(0)).toEqual(['12.35', '1.50e−200', '12.3 %', '−∞']);
  expect(shown(1)).toEqual(['0.0123', '< 2.2e−308', '', '2.00e+7']);
  expect(shown(2)).toEqual(['−9,976.50', '1.00', '100.0 %', '123,456.00']);
});

test('a p-value that is too small for a number has a bound in both analyses, and sorts as the number it is', () => {
  const markers = markerTable('scores,pvals,pvals_adj\n0,0,1e-310\n');
  expect(markers.columns.map((column) => formatCell(column, 0))).toEqual(['0', '< 2.2e−308', '< 2.2e−308']);
  expect(markers.columns[1]!.numbers![0]).toBe(0);
  // What a pointer over the cell shows, with all digits, is no 0 either.
  expect(markers.columns.map((column) => exactCell(column, 0))).toEqual(['0', '< 2.2e-308', '< 2.2e-308']);
  const sets = pathwayResult('P-value,Adjusted P-value,Odds Ratio\n0,0,0\n').table;
  expect(sets.columns.map((column) => formatCell(column, 0))).toEqual(['< 2.2e−308', '< 2.2e−308', '0']);
});

test('a p-value of permutations that is 0 is shown as below their resolution', () => {
  const [column] = markerTable('pvals\n0\n0.002\n').columns;
  const permuted = { ...column!, bound: 1 / 1000 };
  expect([0, 1].map((row) => formatCell(permuted, row))).toEqual(['< 0.001', '0.00200']);
  expect(exactCell(permuted, 0)).toBe('< 0.001');
});

test('groups of few cells have an asterisk', () => {
  const { columns } = markerTable('group,names\nB cell,CD79A\nT cell,CD3D\n');
  const marked = new Set(['B cell']);
  expect([0, 1].map((row) => formatCell(columns[0]!, row, { marked }))).toEqual(['B cell*', 'T cell']);
});

test('the preview is the first and the last five rows, or all of ten', () => {
  const ofRows = (rowCount: number) => previewRows({ rowCount, columns: [] });
  expect(ofRows(10)).toEqual({ first: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], last: [], between: 0 });
  expect(ofRows(12)).toEqual({ first: [0, 1, 2, 3, 4], last: [7, 8, 9, 10, 11], between: 2 });
  expect(ofRows(0)).toEqual({ first: [], last: [], between: 0 });
});

test('the last rows of the preview are of genes that were tested', () => {
  const tested = Array.from({ length: 12 }, (_, at) => `G${at},0.${at + 1}`);
  const { last, between } = previewRows(markerTable(['names,pvals', ...tested, 'U1,', 'U2,', ''].join('\n')));
  expect(last).toEqual([7, 8, 9, 10, 11]);
  expect(between).toBe(4);
});

test('the genes of rows are each named once, of gene sets those of the overlap', () => {
  const markers = markerTable('group,names\nB,CD3D\nT,CD3D\nT,CD3E');
  expect(genesOf(markers, [0, 1, 2])).toEqual(['CD3D', 'CD3E']);
  expect([...genesByGroup(markers, [2, 0, 1])]).toEqual([
    ['T', ['CD3E', 'CD3D']],
    ['B', ['CD3D']],
  ]);
  const sets = pathwayResult('Term,Genes\nOne,A;B\nTwo,B;C\nThree,').table;
  expect(genesOf(sets, [0, 1, 2])).toEqual(['A', 'B', 'C']);
  expect(genesByGroup(sets, [0]).size).toBe(0);
});
