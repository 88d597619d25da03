import { expect, test } from 'vitest';
import { readAnswer, rowsOfAnswer } from './read-answer.ts';
import { textAt } from './table-columns.ts';

const csv = '# naïve “note”\nnames,scores\n"a ""quote"" \\ and\ttab\n",1\n\u{1F9EC}\u0001,-2.5\n"\\\\""",\n';
const kinds = new Map([['scores', { label: 'Score', kind: 'number' as const }]]);
const namesIn = async (text: string, pieceBytes: number) => {
  const { answer, columns } = await readAnswer(
    { file: new Blob([text]), field: 'csv', kinds },
    { pieceBytes },
  );
  const [names, scores] = columns.columns;
  const rows = Array.from({ length: columns.rowCount }, (_, row) => row);
  return {
    answer,
    notes: columns.notes,
    names: rows.map((row) => textAt(names!, row)),
    scores: scores!.numbers,
  };
};
const expected = {
  answer: { csv: '', source: { a: ['"', '\\'] }, b: 1 },
  notes: ['naïve “note”'],
  names: ['a "quote" \\ and\ttab\n', '\u{1F9EC}\u0001', '\\\\"'],
  scores: Float64Array.of(1, -2.5, NaN),
};

test.each([1, 2, 5, 6, 4096])('a table that comes first is read in pieces of %i bytes', async (size) => {
  const text = JSON.stringify({ csv, source: { a: ['"', '\\'] }, b: 1 });
  expect(await namesIn(text, size)).toEqual(expected);
});

test('a table that comes later is read, too', async () => {
  const text = JSON.stringify({ source: { a: ['"', '\\'] }, csv, b: 1 });
  expect(await namesIn(text, 4096)).toEqual(expected);
});

test('an answer that was cut off is no answer, and neither is one without its table', async () => {
  const whole = JSON.stringify({ csv, b: 1 });
  for (const length of [whole.length - 20, whole.length - 1]) {
    await expect(namesIn(whole.slice(0, length), 16)).rejects.toThrow(SyntaxError);
  }
  await expect(namesIn('{"b":1}', 16)).rejects.toThrow('The answer has no csv.');
  await expect(namesIn('null', 16)).rejects.toThrow(TypeError);
});

const groupsOf = async (maxRows: number, pieceBytes = 7) => {
  const rows = ['B', 'B', 'T', 'T', 'T', 'NK'].map((group, at) => `${group},G${at % 2},${at}\n`);
  const text = JSON.stringify({ csv: `# note\ngroup,names,scores\n${rows.join('')}`, b: 1 });
  const file = { file: new Blob([text]), field: 'csv', kinds };
  return { file, ...(await readAnswer(file, { pieceBytes, maxRows })) };
};

test.each([
  [6, 6, ['B', 'T', 'NK']],
  [5, 5, ['B', 'T']],
  [4, 2, ['B']],
  [1, 1, ['B']],
])(
  'of a table of 6 rows a page that has room for %i holds %i, of whole groups',
  async (room, keptRows, groups) => {
    for (const pieceBytes of [7, 4096]) {
      const { columns, fileRows, answer } = await groupsOf(room, pieceBytes);
      expect([columns.rowCount, fileRows, columns.notes, answer]).toEqual([
        keptRows,
        6,
        ['note'],
        { csv: '', b: 1 },
      ]);
      const [group, names, scores] = columns.columns;
      expect(group).toMatchObject({ categories: groups });
      expect([names!.codes!.length, [...scores!.numbers!]]).toEqual([
        keptRows,
        Array.from({ length: keptRows }, (_, at) => at),
      ]);
    }
  },
);

test.each([1, 7, 40, 4096])(
  'all rows are read again in pieces of %i bytes, none held longer',
  async (pieceBytes) => {
    const { file } = await groupsOf(1);
    const rows: string[] = [];
    let longest = 0;
    for await (const { columns, rowCount } of rowsOfAnswer(file, { pieceBytes })) {
      longest = Math.max(longest, rowCount);
      for (let row = 0; row < rowCount; row++) rows.push(columns.map((column) => textAt(column, row)).join());
    }
    expect(rows).toEqual(['B,G0,0', 'B,G1,1', 'T,G0,2', 'T,G1,3', 'T,G0,4', 'NK,G1,5']);
    expect(longest).toBeLessThanOrEqual(Math.ceil(pieceBytes / 7) + 1);
  },
);
