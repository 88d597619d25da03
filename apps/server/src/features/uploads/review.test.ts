// Test databases are no part of what the platform offers at run time.
// oxlint-disable-next-line no-restricted-imports
import { openTestDatabase } from '@cellfolio/platform/testing';
import type { Database } from '@cellfolio/platform';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { JobsWorld } from './testing/jobs-world.ts';

vi.setConfig({ testTimeout: 300_000 });

let database: Database;
let world: JobsWorld;
beforeAll(async () => {
  database = await openTestDatabase();
  world = new JobsWorld(database);
});
afterAll(async () => {
  await world?.close();
  await database?.close();
});

test('a file that waits for its owner becomes no dataset by itself, is looked at with other settings, and built', async () => {
  const owner = await world.addUser('Professional');
  const jobs = world.start();
  const id = await world.addFile(owner, 'a.h5ad', world.saying('review'));
  const inspectedFile = await world.file(jobs, owner, ({ report }) => report !== null);
  expect(inspectedFile).toMatchObject({ report: { waitsFor: ['qualityControl'] }, dataset: null });

  // What is known stays while it is looked at with other settings; a newer wish takes the place of an older one.
  const first = await jobs.own.inspect(owner, id, { processing: { deviations: 3 } });
  const second = await jobs.own.inspect(owner, id, { processing: { deviations: 4, sampleColumn: null } });
  expect(second.id).not.toBe(first.id);
  expect((await jobs.own.list(owner)).files).toMatchObject([{ file_id: id, report: { kind: 'h5ad' } }]);
  const { report } = await world.file(
    jobs,
    owner,
    ({ report }) => report?.kind === 'h5ad' && report.choices?.processing.deviations === 4,
  );
  expect(report).toMatchObject({
    choices: { columns: {}, processing: { deviations: 4, sampleColumn: null } },
  });
  expect((await world.runs()).filter((run) => run.startsWith('build'))).toEqual([]);

  // What the values are was said of these very bytes; of other ones it is not known.
  await jobs.own.inspect(owner, id, { columns: { expression: 'log2' }, processing: { deviations: 2 } });
  const updatedFile = await world.file(
    jobs,
    owner,
    ({ report }) => report?.kind === 'h5ad' && report.choices?.processing.deviations === 2,
  );
  expect(updatedFile.report).toMatchObject({ choices: { columns: { expression: 'log2' } } });
  const logs = async () =>
    (await jobs.own.list(owner)).jobs.flatMap(({ log }) => log.map(({ text }) => text));
  expect((await logs()).join()).not.toContain('was given for the previous file');
  await world.replaceFile(id, world.saying('review'));
  const other = await world.file(
    jobs,
    owner,
    ({ report }) => report?.kind === 'h5ad' && report.choices?.columns.expression === undefined,
  );
  expect(other.report).toMatchObject({ choices: { columns: {}, processing: { deviations: 2 } } });
  expect((await logs()).join()).toContain('was given for the previous file');

  await jobs.own.build(owner, id, { processing: { deviations: 4 } });
  const built = await world.file(jobs, owner, ({ dataset }) => dataset?.state === 'ready');
  expect(built.dataset).toMatchObject({ processing: { deviations: 4 } });
});
