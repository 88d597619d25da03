import type { Caller } from '../../runtime/owners.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUser, type Database, migrate, openDatabase } from '@cellfolio/platform';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import type { DatasetManifest } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paths } from '../../boot/paths.ts';
import { ActiveDatasets } from './active-cells.ts';
import type { SubsetFilter } from './selection.ts';

let folder: string;
let database: Database;
let userId: string;
let version = '1';
const datasets = {
  find: async (_caller: Caller, id: string) => ({ id, version, catalogue: { name: id } }) as DatasetManifest,
};
const opened = (id: string) => ({ id, version });
/** A process with empty caches: another replica, or the same one after a restart. */
const process = () => new ActiveDatasets(database, datasets);
const tab = (sessionId: string) => ({ userId, sessionId });
const subset: SubsetFilter = {
  subset_group_name: 'T cells',
  gene_filter: false,
  signature_filter: false,
  cell_type_filter: true,
  patient_metadata_filter: false,
  cells_filter: false,
  cell_type: ['T cell'],
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-active-'));
  await copyTestDatabase(folder);
  database = await openDatabase({ dataDir: folder });
  await migrate(database, paths.migrations);
  const user = await createUser(database, {
    email: 'tabs@example.org',
    password: 'a long password',
    confirmed: true,
  });
  userId = user.id;
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

test('every process knows the dataset and the cells that were chosen through another one', async () => {
  await process().open(tab('one'), opened('a.h5ad'));
  expect(await process().current(tab('one'))).toMatchObject({
    manifest: { id: 'a.h5ad' },
    subset: undefined,
  });
  await process().choose(tab('one'), opened('a.h5ad'), subset);
  expect((await process().current(tab('one'))).subset).toEqual(subset);
  await process().choose(tab('one'), opened('a.h5ad'), undefined);
  expect((await process().current(tab('one'))).subset).toBeUndefined();
});

test('cells chosen of a dataset that is no longer open are not taken for those of the new one', async () => {
  const active = process();
  await active.open(tab('two'), opened('a.h5ad'));
  await active.open(tab('two'), opened('b.h5ad'));
  await active.choose(tab('two'), opened('a.h5ad'), subset);
  for (const each of [active, process()]) {
    expect(await each.current(tab('two'))).toMatchObject({ manifest: { id: 'b.h5ad' }, subset: undefined });
  }
});

test('a dataset that was replaced since it was opened is not taken for the one before', async () => {
  const active = process();
  const before = opened('a.h5ad');
  await active.open(tab('replaced'), before);
  version = '2';
  for (const each of [active, process()]) {
    await expect(each.current(tab('replaced'))).rejects.toMatchObject({
      status: 409,
      code: 'dataset_changed',
    });
  }
  await active.open(tab('replaced'), opened('a.h5ad'));
  await active.choose(tab('replaced'), before, subset);
  for (const each of [active, process()]) {
    expect(await each.current(tab('replaced'))).toMatchObject({
      manifest: { version: '2' },
      subset: undefined,
    });
  }
});

test('a tab from before versions were written down goes on, and has one from then on', async () => {
  await process().open(tab('old'), opened('a.h5ad'));
  await database.pool.query(`update cellfolio.active_datasets set version = null where session_id = 'old'`);
  await process().choose(tab('old'), opened('a.h5ad'), subset);
  const { rows } = await database.pool.query(
    `select version from cellfolio.active_datasets where session_id = 'old'`,
  );
  expect(rows).toEqual([{ version }]);
  expect((await process().current(tab('old'))).subset).toEqual(subset);
});

test('tabs of last month, and all but the latest hundred of a user, are forgotten', async () => {
  await database.pool.query(
    `update cellfolio.active_datasets set updated_at = now() - interval '31 days' where session_id = 'one'`,
  );
  for (let i = 0; i < 105; i++) await process().open(tab(`many-${i}`), opened('a.h5ad'));
  const { rows } = await database.pool.query<{ session_id: string }>(
    'select session_id from cellfolio.active_datasets where user_id = $1',
    [userId],
  );
  const sessionIds = rows.map(({ session_id: id }) => id);
  expect(sessionIds).toHaveLength(100);
  expect(sessionIds).toContain('many-104');
  expect(sessionIds).not.toContain('one');
  await expect(process().current(tab('one'))).rejects.toMatchObject({ code: 'no_dataset_loaded' });
});
