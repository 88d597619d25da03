import { markers } from '@cellfolio/analyses';
import { csvCell, csvComments } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { readAnalysis } from './read-answer.ts';

const names = ['A,"B"', 'line\nbreak', '=cmd|calc', '"},"warnings":[]', 'back\\slash', 'Ångström 🧬', '#x'];
const csv = [
  csvComments(['Definition: "x", \\ and 🧬']),
  'group,names,scores,pvals\n',
  ...names.map(
    (name, at) => `${csvCell(name)},GENE${at},${at === 1 ? 'inf' : at / 4},${at === 2 ? '' : 0.5}\n`,
  ),
].join('');
const answer = { marker_csv: csv, cell_count: 3, warnings: [{ code: 'x', message: names.join('') }] };

/** The answer in pieces of `bytes`. */
async function* pieces(value: unknown, bytes: number): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(JSON.stringify(value));
  for (let from = 0; from < all.length; from += bytes) yield all.subarray(from, from + bytes);
}

test.each([1, 2, 3, 7, 64, 100_000])(
  'a table is read out of an answer in pieces of %d bytes',
  async (bytes) => {
    const { table, fields } = await readAnalysis(markers, pieces(answer, bytes), { from: 0, count: 50 });
    expect(table.rows).toEqual(
      names.map((name, at) => [name, `GENE${at}`, at === 1 ? 'inf' : at / 4, at === 2 ? null : 0.5]),
    );
    expect(table.columns.map(({ name, title }) => [name, title])).toEqual([
      ['group', 'Group'],
      ['names', 'Gene'],
      ['scores', 'Score'],
      ['pvals', 'P-value'],
    ]);
    expect(Object.fromEntries(fields)).toEqual({ cell_count: 3, warnings: answer.warnings });
  },
);

test('a page has the rows from its first, and says where the next begins', async () => {
  const page = async (from: number, count: number) =>
    (await readAnalysis(markers, pieces(answer, 50), { from, count })).table;
  expect(await page(0, 3)).toMatchObject({ from: 0, total_rows: 7, next_from: 3 });
  const last = await page(6, 3);
  expect(last).toMatchObject({ from: 6, total_rows: 7, next_from: null, rows: [['#x', 'GENE6', 1.5, 0.5]] });
  expect(await page(9, 3)).toMatchObject({ rows: [], total_rows: 7, next_from: null });
});

test('an answer without rows has an empty page', async () => {
  const { table } = await readAnalysis(markers, pieces({ marker_csv: '' }, 3), { from: 0, count: 3 });
  expect(table).toEqual({ columns: [], rows: [], from: 0, total_rows: 0, next_from: null });
});
