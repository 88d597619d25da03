import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../../..', import.meta.url));

async function filesWith(patterns: readonly string[], contentPattern: RegExp): Promise<string[]> {
  const matches: string[] = [];
  for (const pattern of patterns) {
    for await (const file of glob(pattern, { cwd: root })) {
      if (/\.test\.ts$|\.tsbuild/.test(file)) continue;
      if (contentPattern.test(await readFile(join(root, file), 'utf8'))) matches.push(file);
    }
  }
  return matches.sort();
}

test('the table of plans is written by the operator and by payments, and read through the rule alone', async () => {
  const code = ['packages/platform/src/**/*.ts', 'apps/server/src/**/*.ts'];
  expect(await filesWith(code, /public\.subscriptions/)).toEqual([
    // For its owner to take along.
    'apps/server/src/features/account-data/account-tables.ts',
    'apps/server/src/features/billing/paid-subscriptions.ts',
    'apps/server/src/features/billing/subscription.ts',
    'apps/server/src/features/billing/test-mode-payments.ts',
    // For tests.
    'apps/server/src/testing/rows-before-owners.ts',
    'packages/platform/src/database/test-databases.ts',
  ]);
  expect(await filesWith(code, /subscription_at\(/)).toEqual([]);
});

test('every right that a plan gives is decided by one function', async () => {
  const code = ['packages/platform/src/**/*.ts', 'apps/server/src/**/*.ts'];
  // Listing the accounts, one account, and nothing else.
  expect(await filesWith(code, /cellfolio\.subscription_of\(/)).toEqual([
    'apps/server/src/features/billing/subscription.ts',
  ]);
});
