import {
  AccountError,
  listUsers,
  setOperator,
  setPlan,
  type Database,
  type Subscription,
  type Tier,
} from '@cellfolio/platform';
import type { Settings } from '../boot/settings/read-settings.ts';
import { exitCode } from './exit-code.ts';
import { CommandFailure } from './failure.ts';
import { alignColumns, printable } from './table.ts';
import type { Terminal } from './terminal.ts';
import { withDatabase } from './with-database.ts';

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
export async function setUserPlan(change: PlanChange, settings: Settings, terminal: Terminal): Promise<void> {
  if (change.tier === null && change.until) {
    throw new CommandFailure(
      exitCode.usage,
      'Only Standard and Professional have a last day: leave --until out.',
    );
  }
  await withDatabase(settings, (database) => changePlan(database, change, settings, terminal));
}

/** Gives the account the plan in the operator's name, and says which plan counts for it now. */
export async function changePlan(
  database: Database,
  change: PlanChange,
  { trialDays }: Pick<Settings, 'trialDays'>,
  terminal: Terminal,
): Promise<void> {
  const { tier, until = null } = change;
  const email = change.email.trim().toLowerCase();
  try {
    await setPlan(database, email, tier, until);
  } catch (error) {
    if (error instanceof AccountError) throw new CommandFailure(exitCode.notFound, printable(error.message));
    throw error;
  }
  const users = await listUsers(database, { trialDays });
  const subscription = users.find((user) => user.email === email)?.subscription;
  terminal.result({ email, tier, until, subscription }, () =>
    printable(`${email}: ${planSentence(change, subscription)}`),
  );
}

interface OperatorChange {
  readonly email: string;
  readonly operates: boolean;
}

/** Makes an account that of an operator, or takes that away. */
export async function setUserOperator(
  change: OperatorChange,
  settings: Settings,
  terminal: Terminal,
): Promise<void> {
  await withDatabase(settings, (database) => changeOperator(database, change, terminal));
}

/** As `setUserOperator`, in a database that is open. */
export async function changeOperator(
  database: Database,
  { email: given, operates }: OperatorChange,
  terminal: Terminal,
): Promise<void> {
  const email = given.trim().toLowerCase();
  try {
    await setOperator(database, email, operates);
  } catch (error) {
    if (error instanceof AccountError) throw new CommandFailure(exitCode.notFound, printable(error.message));
    throw error;
  }
  terminal.result({ email, operator: operates }, () =>
    printable(`${email}: ${operates ? 'an operator of this server' : 'no operator any more'}.`),
  );
}

function planSentence({ tier, until }: PlanChange, subscription: Subscription | undefined): string {
  const given = tier === null ? 'no plan' : `${tier}${until ? ` until ${dateOf(until)}` : ''}`;
  if (!subscription || (tier !== null && subscription.tier === tier)) return `${given}.`;
  if (subscription.tier) return `${given}; ${subscription.tier} counts, which was paid for.`;
  const over = tier === null ? given : `${given}, which is over`;
  const end = dateOf(subscription.trialEndsAt);
  return subscription.trialExpired
    ? `${over}; the free trial ended on ${end}.`
    : `${over}; on free trial until ${end}.`;
}

function dateOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
