import { ownerOfUser } from '../../runtime/owners.ts';
import { userFileList } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import type { Client } from './job-table.ts';
import { listUserFiles } from './file-records.ts';

/** In the format stored before scales, other features and questions were reported. */
const earlier = {
  kind: 'h5ad',
  cells: 4,
  genes: 5,
  expression: 'Counts.',
  hasCounts: true,
  roles: [],
  metadata: [],
  willCompute: ['clusters'],
  notes: ['A UMAP will be computed.'],
  warnings: [{ code: 'repeated-symbols', message: 'One.' }],
};

async function listed(report: unknown) {
  const row = {
    name: 'cells.h5ad',
    file_id: '4ca535e2-5e01-48b7-b653-b34a05b8cea6',
    report,
    problem: null,
    state: null,
    said: null,
    combined: null,
    part_of: null,
    copy_of: null,
  };
  const answers = [{ rows: [row] }, { rows: [] }];
  const client = { query: async () => answers.shift() } as unknown as Pick<Client, 'query'>;
  return listUserFiles(client, ownerOfUser('ada'));
}

test('a report of an earlier version is answered with the defaults of what it lacks', async () => {
  const { files } = await listed(earlier);
  expect(files[0]!.report).toEqual({ ...earlier, waitsFor: [], otherFeatures: [], plans: [] });
  expect(userFileList.shape.files.safeEncode(files).success).toBe(true);
});

test('a report that does not fit hides no file, and none stays none', async () => {
  expect((await listed({ kind: 'of another time' })).files).toMatchObject([{ report: null }]);
  expect((await listed(null)).files).toMatchObject([{ report: null }]);
});
