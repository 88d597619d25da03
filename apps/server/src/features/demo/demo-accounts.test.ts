import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// Test databases are no part of what the platform offers at run time.
// oxlint-disable-next-line no-restricted-imports
import { openTestDatabase } from '@cellfolio/platform/testing';
import { expect, test } from 'vitest';
import { listUsers } from '../billing/index.ts';
import { demoAccounts } from './demo-accounts.ts';

test('a demo account that somebody deleted is there again at the next start, with its plan and password', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cellfolio-demo-accounts-'));
  const database = await openTestDatabase();
  const plans = async () =>
    (await listUsers(database, { trialDays: 7 }))
      .map(({ email, subscription }) => [email, subscription.tier])
      .toSorted();
  try {
    const accounts = await demoAccounts(database, folder);
    const before = await plans();
    await database.pool.query(`delete from auth.users where email like 'standard@%'`);
    expect(await demoAccounts(database, folder)).toEqual(accounts);
    expect(await plans()).toEqual(before);
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
});
