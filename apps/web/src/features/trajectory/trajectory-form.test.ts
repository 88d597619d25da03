import { trajectoryRequest } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { trajectoryAnalysis } from './trajectory-analysis.tsx';
import { genesProblem, isComplete, trajectoryDefaults, trajectoryRequestOf } from './trajectory-form.ts';

const form = { ...trajectoryDefaults, groupBy: 'cell_type' };

test('a form with a column requests the suggested root and the numbers of scanpy', () => {
  expect(isComplete(form)).toBe(true);
  expect(trajectoryRequestOf(form)).toEqual({
    groupby: 'cell_type',
    root: { by: 'suggestion' },
    n_neighbors: 15,
    n_dcs: 10,
  });
  expect(isComplete(trajectoryDefaults)).toBe(false);
});

test('runs on the graph of the file and on the computed one are distinguished in the list', () => {
  const summaryOf = (graph: string) =>
    trajectoryAnalysis.requestLine(trajectoryRequestOf({ ...form, graph, neighbors: '20' }), 'all 700 cells');
  expect(summaryOf('file')).toMatch(
    /all 700 cells: graph of the file, else computed graph of 20 neighbours$/,
  );
  expect(summaryOf('computed')).toMatch(/all 700 cells: computed graph of 20 neighbours$/);
});

test.each([
  ['a root by a cell without its barcode', { rootBy: 'cell', rootCell: ' ' }],
  ['a root by a group that was not chosen', { rootBy: 'group' }],
  ['two neighbours', { neighbors: '2' }],
  ['more components than are computed', { components: '16' }],
  ['more genes than have curves', { genes: Array.from({ length: 13 }, (_, i) => `G${i}`).join() }],
])('%s is not complete', (_what, change) => {
  expect(isComplete({ ...form, ...change })).toBe(false);
});

test('genes are separated by commas, blanks and lines, each once, and the server takes the request', () => {
  const request = trajectoryRequestOf({ ...form, rootBy: 'cell', rootCell: ' AAAC-1 ', genes: 'A, B;C\nA' });
  expect(request).toMatchObject({ root: { by: 'cell', barcode: 'AAAC-1' }, genes: ['A', 'B', 'C'] });
  expect(trajectoryRequest.safeParse(request).success).toBe(true);
  expect(genesProblem(form)).toBeUndefined();
});
