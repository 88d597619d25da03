import type { Database } from '@cellfolio/platform';
import { afterAll, beforeAll } from 'vitest';
import type { databases } from './databases.ts';

type Open = (typeof databases)[number]['open'];

export function openedForTests(open: Open): { database: Database } {
  let opened: Awaited<ReturnType<Open>> | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.close());
  return {
    get database() {
      if (opened === undefined) throw new Error('The database is open once the tests begin.');
      return opened.database;
    },
  };
}
