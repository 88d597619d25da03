import { expect, test } from 'vitest';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { inlineCompute } from '../../testing/inline-compute.ts';
import { columnTable } from './column-table.ts';
import { analysisTasks, type TableTask } from './tasks.ts';
import { waiting } from './testing/inline-analyses.ts';

const groups = ['=1+1', 'a "quoted", name', '<b>'];
const rowCount = 10;
const rows = Array.from({ length: rowCount }, (_, row) => row);
const task = (change: Partial<TableTask> = {}): TableTask => ({
  kind: 'result-table',
  columns: ['group', 'names', 'pvals'],
  lists: [
    { codes: Int32Array.from(rows, (row) => row % 3), categories: groups },
    rows.map((row) => `GENE\n${row}`),
    Float64Array.from(rows, (row) => (row === 9 ? 0 : row / 7)),
  ],
  cautions: [{ code: 'few-cells', message: 'Few cells.' }],
  head: ['Made by a test'],
  ...change,
});

function run(of: TableTask, partRows?: number) {
  const kinds: string[] = [];
  const compute = inlineCompute(analysisTasks, undefined as unknown as OpenDatasets, (kind) =>
    kinds.push(kind),
  );
  return { table: columnTable(compute, of, waiting, partRows), kinds };
}

test.each([1, 3, 9])(
  'a long table has the same text in parts of %d rows, which are made one by one',
  async (partRows) => {
    const whole = await run(task()).table;
    const { table, kinds } = run(task(), partRows);
    const started = await table;
    if (typeof started === 'string') throw new TypeError('The table came in one part.');
    // The others are made when they are sent.
    expect(kinds).toEqual(['result-lines']);
    expect(started.others).toHaveLength(Math.ceil(rowCount / partRows) - 1);
    let text = started.head;
    for (const part of [() => Promise.resolve(started.first), ...started.others])
      text += JSON.parse(`"${Buffer.from(await part(waiting)).toString()}"`) as string;
    expect(text).toBe(whole);
    expect(text).toContain('# A p-value that is written as 0 is below 2.2e-308');
  },
);

test('a table of as many rows as a part is one text', async () => {
  const { table, kinds } = run(task(), rowCount);
  expect(await table).toContain("\n'=1+1,");
  expect(kinds).toEqual(['result-table']);
});
