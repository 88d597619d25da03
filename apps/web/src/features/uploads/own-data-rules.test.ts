import type { FileReport } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import {
  h5adReport,
  matrixReport,
  tableReport,
  testDataset,
  testFile,
  testId,
  testJob,
} from '@/testing/own-jobs.ts';
import { buildRequest, computedWith, formOf, isSameForm, isSound, readForm } from './build/build-form.ts';
import { checkTrio, suggestedName } from './trio.ts';
import { fileStates } from './file-state.ts';
import { limitsOf, settingProblem, settings, typedChoice } from './build/processing-settings.ts';
import { reportLine } from './reports/report-text.ts';

test.each<[string, FileReport, boolean]>([
  ['10,000 cells × 1,000 genes · raw counts · clusters and UMAP will be computed', h5adReport(), false],
  ['10,000 cells × 1,000 genes · raw counts', h5adReport(), true],
  [
    '1 cell × 1 gene · no raw counts',
    h5adReport({ cells: 1, genes: 1, hasCounts: false, willCompute: [] }),
    false,
  ],
  [
    '10,000 cells × 1,000 genes · raw counts · UMAP will be computed',
    h5adReport({ willCompute: ['embedding'] }),
    false,
  ],
  ['.mtx 1,000 × 10,000, 2,340,000 entries', matrixReport(1000, 10_000, 2_340_000), false],
  ['Barcodes · 10,000 lines', tableReport('barcodes', 10_000), false],
  ['Features · 1 line', tableReport('features', 1), false],
  ['Table · 12 lines, barcodes or features', tableReport('unknown', 12), false],
])('a report in one line: %s', (line, report, computed) => {
  expect(reportLine(report, { computed })).toBe(line);
});

const trio = (matrix: FileReport | null, one: FileReport | null, other: FileReport | null) =>
  checkTrio([
    { name: 'a.mtx', report: matrix, failed: false },
    { name: 'b.tsv', report: one, failed: false },
    { name: 'c.tsv', report: other, failed: false },
  ]);

test.each([
  ['features × cells', 3, 2, 2, 3],
  ['cells × features', 2, 3, 2, 3],
  ['titles in one', 3, 2, 3, 3],
  ['titles in both', 3, 2, 4, 3],
  ['titles that make the counts cross', 4, 3, 4, 4],
])('three files fit by their counts: %s', (_, rows, columns, lines, otherLines) => {
  expect(
    trio(matrixReport(rows, columns), tableReport('barcodes', lines), tableReport('unknown', otherLines)),
  ).toEqual({ state: 'fits', text: '' });
});

test('three that do not fit are reported with all their counts', () => {
  expect(
    trio(matrixReport(1000, 10_000), tableReport('barcodes', 9998), tableReport('features', 1000)),
  ).toMatchObject({
    state: 'wrong',
    text: expect.stringContaining(
      'a.mtx is 1,000 × 10,000, but b.tsv has 9,998 lines and c.tsv has 1,000 lines',
    ),
  });
  // Each fits a side, but both the same one.
  expect(trio(matrixReport(30, 20), tableReport('barcodes', 30), tableReport('features', 31)).state).toBe(
    'wrong',
  );
  expect(trio(matrixReport(3, 2), null, tableReport('features', 3)).state).toBe('waiting');
  expect(trio(tableReport('features', 3), tableReport('barcodes', 2), tableReport('features', 3)).state).toBe(
    'wrong',
  );
  const broken = { name: 'b.tsv', report: null, failed: true };
  expect(checkTrio([{ name: 'a.mtx', report: matrixReport(3, 2), failed: false }, broken]).text).toMatch(
    /^b.tsv could not be read/,
  );
});

test('a line more than the matrix has is titles, unless it names a cell or a gene', () => {
  const more = tableReport('barcodes', 21);
  expect(trio(matrixReport(30, 20), more, tableReport('features', 30)).state).toBe('fits');
  const named = { ...more, titles: false };
  expect(trio(matrixReport(30, 20), named, tableReport('features', 30)).state).toBe('wrong');
});

test('three that fit and hold what a conversion refuses are reported before it starts', () => {
  const twice = {
    ...tableReport('barcodes', 2),
    obstacles: ['1 line repeats a barcode of an earlier line.'],
  };
  expect(trio(matrixReport(3, 2), twice, tableReport('features', 3))).toEqual({
    state: 'wrong',
    text: 'These three cannot be converted yet. b.tsv: 1 line repeats a barcode of an earlier line.',
  });
});

test('only settings of what will be computed with the chosen columns are requested', () => {
  const { willCompute } = h5adReport();
  expect(computedWith(willCompute, { patient: 'donor' })).toEqual(willCompute);
  expect(computedWith(willCompute, { cellType: 'labels' })).toEqual(['clusters', 'embedding']);
  expect(computedWith(willCompute, { cluster: 'louvain' })).toEqual(['embedding']);
  expect(computedWith(willCompute, { cluster: 'louvain', embedding: 'X_own' })).toEqual([]);
});

test('what is sent of the settings is what the server takes, and a share is typed in percent', () => {
  const problems = (typed: Record<string, string>) =>
    settings.flatMap((setting) => {
      const problem = settingProblem(setting, typed[setting.name] ?? '');
      return problem === null ? [] : [`${setting.name}: ${problem}`];
    });
  expect(problems({})).toEqual([]);
  expect(
    problems({ resolution: '0', neighbours: '15.5', maximumMitochondrial: '101', components: 'x' }),
  ).toEqual([
    'maximumMitochondrial: A number from 0 to 100.',
    'components: A whole number from 2 to 100.',
    'neighbours: A whole number from 2 to 200.',
    'resolution: A number from 0.01 to 20.',
  ]);
  expect(typedChoice({ maximumMitochondrial: '14.7', resolution: ' 0,8 ', deviations: '' })).toEqual({
    maximumMitochondrial: 0.147,
    resolution: 0.8,
  });
  expect(formOf(testDataset({ processing: { maximumMitochondrial: 0.147 } })).settings).toEqual({
    maximumMitochondrial: '14.7',
  });
  for (const setting of settings) {
    const { min, max } = limitsOf(setting);
    expect([min, max].every((limit) => settingProblem(setting, String(limit)) === null)).toBe(true);
    expect(settingProblem(setting, String(max + 1))).not.toBeNull();
  }
});

test('a form is kept as it was typed, and of what else is stored nothing is taken', () => {
  const form = { columns: { cellType: '__proto__' }, settings: { resolution: '99' } };
  expect(readForm(JSON.parse(JSON.stringify(form)))).toEqual(form);
  expect(isSound(form)).toBe(false);
  expect(readForm({ columns: { cellType: 3, other: 'x' }, settings: [] })).toEqual({
    columns: {},
    settings: {},
  });
  expect(readForm(null)).toBeNull();
  expect(readForm('x')).toBeUndefined();
  const savedForm = formOf(testDataset({ columns: { cluster: 'louvain' } }));
  expect(isSameForm(savedForm, { columns: { cluster: 'louvain' }, settings: { resolution: ' ' } })).toBe(
    true,
  );
  expect(isSameForm(savedForm, formOf(null))).toBe(false);
  expect(buildRequest(savedForm)).toEqual({ columns: { cluster: 'louvain' }, processing: {} });
});

test('a file knows of the work that is under way on it, and not of what has ended', () => {
  const [matrix, barcodes] = [testId(1), testId(2)];
  const convert = testJob({ kind: 'convert', file_ids: [matrix, barcodes] });
  const ended = testJob({ kind: 'inspect', file_ids: [matrix], state: 'failed' });
  const states = fileStates({ files: [testFile(matrix), testFile(barcodes)], jobs: [ended, convert] });
  expect(states.get(barcodes)).toMatchObject({ converting: convert, inspecting: null, building: null });
  expect(states.get(matrix)).toMatchObject({ converting: convert, inspecting: null });
});

test.each([
  [['GSE1_tumour_matrix', 'GSE1_tumour_barcodes', 'GSE1_tumour_features'], 'GSE1_tumour'],
  [['tumour matrix', 'cells', 'genes'], 'tumour'],
  [['matrix', 'barcodes', 'features'], 'Converted dataset'],
  [['Counts', 'Cells', 'Genes'], 'Counts'],
  [['😀'.repeat(90), 'b', 'f'], '😀'.repeat(50)],
])('the file made of %j is called %j before anybody names it', (names, suggested) => {
  const files = names.map((file_name, place) => ({
    file_name,
    original_filename: place === 0 ? 'm.mtx' : `${place}.tsv`,
  }));
  expect(suggestedName(files)).toBe(suggested);
  const usedNames = new Set([suggested.toLowerCase(), `${suggested.toLowerCase()} 2`]);
  expect(suggestedName(files, usedNames)).toBe(`${suggested} 3`);
});
