// Test databases are no part of what the platform offers at run time.
// oxlint-disable-next-line no-restricted-imports
import { slowMs, type TestDatabase, testedDatabases } from '@cellfolio/platform/testing';
import { type Database, migrate } from '@cellfolio/platform';
import { afterAll, afterEach, beforeAll, beforeEach, describe, vi } from 'vitest';
import { paths } from '../../../boot/paths.ts';
import type { Owner } from '../../../runtime/owners.ts';
import { JobsWorld } from './jobs-world.ts';

export interface JobsTest {
  database: Database;
  world: JobsWorld;
  owner: Owner;
}

/** Runs tests of jobs with each kind of database. `at` is filled before each of them. */
export function describeJobs(title: string, tests: (at: JobsTest) => void): void {
  vi.setConfig({ testTimeout: 300_000 });
  describe.each(testedDatabases())(`${title} in a database of kind %s`, (_kind, open) => {
    let opened: TestDatabase;
    const at = {} as { -readonly [K in keyof JobsTest]: JobsTest[K] };
    beforeAll(async () => {
      opened = await open();
      at.database = opened.database;
      await migrate(at.database, paths.migrations);
    }, slowMs);
    afterAll(() => opened?.remove());
    beforeEach(async () => {
      at.world = new JobsWorld(at.database);
      at.owner = await at.world.addUser('Professional');
    });
    afterEach(() => at.world?.clear());
    tests(at);
  });
}
