import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createUser, type Database } from '@cellfolio/platform';
import { setOperator } from '../accounts/index.ts';
import { setPlan } from '../billing/index.ts';
import { z } from 'zod';

const accounts = z.array(
  z.object({ tier: z.enum(['trial', 'standard', 'professional']), email: z.string(), password: z.string() }),
);

/** In the data folder; contains the passwords. */
export const demoAccountsFile = 'demo-accounts.json';

export type DemoAccounts = z.infer<typeof accounts>;

const plans = { trial: null, standard: 'Standard', professional: 'Professional' } as const;

/**
 * The three accounts of a demo; their passwords are generated at the first start and stored in the data folder. A user
 * who tries a demo also operates it: the Professional account has operator rights.
 */
export async function demoAccounts(database: Database, dataDir: string): Promise<DemoAccounts> {
  const file = join(dataDir, demoAccountsFile);
  const savedAccounts = await readKept(file);
  if (savedAccounts) {
    await addMissing(database, savedAccounts);
    return savedAccounts;
  }
  const newAccounts = (['trial', 'standard', 'professional'] as const).map((tier) => ({
    tier,
    email: `${tier}@demo.cellfolio.test`,
    password: randomBytes(9).toString('base64url'),
  }));
  const { rowCount } = await database.pool.query('select from auth.users where email = any($1)', [
    newAccounts.map(({ email }) => email),
  ]);
  if (rowCount) {
    throw new Error(
      `${file} is missing but the demo accounts are in the database; restore it or start with DEMO=false.`,
    );
  }
  await addMissing(database, newAccounts);
  await writeFile(file, `${JSON.stringify(newAccounts, null, 2)}\n`, { mode: 0o600 });
  return newAccounts;
}

/** Also restores accounts that were deleted. */
async function addMissing(database: Database, expectedAccounts: DemoAccounts): Promise<void> {
  const { rows } = await database.pool.query<{ email: string }>(
    'select email from auth.users where email = any($1)',
    [expectedAccounts.map(({ email }) => email)],
  );
  for (const { tier, email, password } of expectedAccounts) {
    if (rows.some((row) => row.email === email)) continue;
    await createUser(database, { email, password, confirmed: true });
    if (plans[tier]) await setPlan(database, email, plans[tier]);
    if (tier === 'professional') await setOperator(database, email, true);
  }
}

async function readKept(file: string): Promise<DemoAccounts | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : accounts.parse(JSON.parse(text));
}
