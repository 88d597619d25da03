import { describe, expect, test } from 'vitest';
import type { AnalysisResult } from './analysis-module.ts';
import { shownEnding, shownFigure, shownNotes, type ShownRows, shownWords } from './result-rows.ts';
import { markerAnswer, markerResult, pathwayResult } from './result.fixture.ts';

const csv = `# A caution.
group,names,scores
3,CD79A,9
3,"A,""B""",7
10,'=cmd,8
10,"line
break",2
`;
const result: AnalysisResult = markerResult(csv);
const rowsOf = (...rows: number[]) => Int32Array.from(rows);
const all = {
  rows: rowsOf(0, 1, 2, 3),
  geneRows: rowsOf(),
  search: '',
  group: '',
  limits: '',
  sorted: false,
};
const figure = { kind: '', thresholds: undefined, part: undefined };
const csvOf = async (of: AnalysisResult, shown: ShownRows) =>
  (await of.table.file('csv', shown.rows, shownNotes(of, shown))).text();

describe('the rows that are shown', () => {
  test('all of them are the file as it came, to the byte', async () => {
    expect(await csvOf(result, all)).toBe(csv);
    expect(shownEnding(result, all)).toBe('');
  });

  test('a sorted table is written in its order', async () => {
    expect(await csvOf(result, { ...all, rows: rowsOf(3, 0, 2, 1) })).toBe(`# A caution.
group,names,scores
10,"line
break",2
3,CD79A,9
10,'=cmd,8
3,"A,""B""",7
`);
  });

  test('a group is written alone, and comment, file name and words say which', async () => {
    const shown = { ...all, rows: rowsOf(0, 1), group: '3' };
    expect(await csvOf(result, shown)).toBe(`# A caution.
# Only cell_type 3 (2 genes) of all groups (4 rows).
group,names,scores
3,CD79A,9
3,"A,""B""",7
`);
    expect(shownWords(result, shown)).toBe('cell_type 3 (2 genes)');
    expect(shownEnding(result, shown)).toBe('_cell_type_3');
    expect(shownEnding(result, { ...shown, group: 'T / cell', search: '../x' })).toBe('_T_cell_x');
    expect(shownWords(result, { ...all, rows: rowsOf(1), search: 'a', group: 'T' })).toBe('T, “a” (1 gene)');
  });

  test('what is searched for makes no formula and no line of its own in the comment', async () => {
    const text = await csvOf(result, { ...all, rows: rowsOf(0), search: 'x, =1+1\n=2' });
    expect(text.split('\n')[1]).toBe("# Only “x, '=1+1 =2” (1 row) of all groups (4 rows).");
  });

  test('terms of an enrichment are counted as terms', async () => {
    const pathway = pathwayResult('Term,Genes\nA,X\nB,Y\n');
    const shown = { ...all, rows: rowsOf(1), search: 'b' };
    expect(await csvOf(pathway, shown)).toBe('# Only “b” (1 term) of all terms (2).\nTerm,Genes\nB,Y\n');
    expect(shownFigure(pathway, figure, shown)).toBeNull();
  });

  test('the dot plot names each group with its genes in the order shown', () => {
    const { parameters } = markerAnswer();
    const content = { kind: 'dot-plot', ...parameters } as const;
    const markers = markerResult(csv, { source: { dataset_filename: 'd', content } });
    expect(shownFigure(markers, figure, { rows: rowsOf(2, 1, 0) })).toEqual({
      dataset_filename: 'd',
      content: {
        ...content,
        markers: [
          { group: '10', genes: ['=cmd'] },
          { group: '3', genes: ['A,"B"', 'CD79A'] },
        ],
      },
    });
    expect(shownFigure(markers, figure, { rows: rowsOf() })).toBeNull();
  });
});
