import { expect, test } from 'vitest';
import { readAnswer } from './read-answer.ts';
import { textAt } from './table-columns.ts';

const csv = '# naïve “note”\nnames,scores\n"a ""quote"" \\ and\ttab\n",1\n\u{1F9EC}\u0001,-2.5\n"\\\\""",\n';
const kinds = new Map([['scores', { label: 'Score', kind: 'number' as const }]]);
const namesIn = async (text: string, pieceBytes: number) => {
  const { answer, columns } = await readAnswer(new Blob([text]), 'csv', kinds, pieceBytes);
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
