import {
  AccountError,
  listUsers,
  migrate,
  openDatabase,
  setPlan,
  type Database,
  type Tier,
} from '@cellfolio/platform';
import type { Settings } from '../start/environment.ts';
import { paths } from '../start/paths.ts';
import { exitCode } from './exit-code.ts';
import { CommandFailure } from './failure.ts';
import { alignColumns, printable } from './table.ts';
import type { Terminal } from './terminal.ts';

/** Prints every account with its plan. */
export async function printUsers(settings: Settings, terminal: Terminal): Promise<void> {
  const users = await withDatabase(settings, (database) =>
    listUsers(database, { trialDays: settings.trialDays }),
  );
  terminal.result({ users }, () => {
    if (users.length === 0) return 'No users yet.';
    const rows = users.map(({ email, createdAt, subscription }) => [
      printable(email),
      createdAt.toISOString().slice(0, 10),
      subscription.tier ?? (subscription.trialExpired ? 'trial expired' : 'trial'),
      (subscription.until ?? (subscription.tier ? null : subscription.trialEndsAt))
        ?.toISOString()
        .slice(0, 10) ?? '',
    ]);
    return alignColumns([['EMAIL', 'SINCE', 'PLAN', 'UNTIL'], ...rows]);
  });
}

interface PlanChange {
  readonly email: string;
  readonly tier: Tier | null;
  readonly until: Date | undefined;
}

/** Sets the plan of one account. */
export async function setUserPlan(
  { email, tier, until }: PlanChange,
  settings: Settings,
  terminal: Terminal,
) {
  try {
    await withDatabase(settings, (database) => setPlan(database, email, tier, until ?? null));
  } catch (error) {
    if (error instanceof AccountError) throw new CommandFailure(exitCode.notFound, error.message);
    throw error;
  }
  terminal.result({ email, tier, until: until ?? null }, () => `${email}: ${tier ?? 'no plan'}.`);
}

async function withDatabase<T>(settings: Settings, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({
    dataDir: settings.dataDir,
    ...(settings.databaseUrl && { url: settings.databaseUrl }),
  });
  try {
    await migrate(database, paths.migrations);
    return await work(database);
  } finally {
    await database.close();
  }
}
