import { roundFileSize } from '@cellfolio/contract';
import { AccountError, type Database } from '@cellfolio/platform';
import { setOperator } from '../../features/accounts/index.ts';
import { listUsage, type TableUse, type Usage } from '../../features/quotas/index.ts';
import { listUsers, setPlan, type Subscription, type Tier } from '../../features/billing/index.ts';
import { withDatabase } from '../../boot/open-stores.ts';
import { type CommandContext, CommandFailure, exitCode } from '../command.ts';
import { alignColumns, printable } from '../terminal.ts';

export async function printUsers(database: Database, { settings, terminal }: CommandContext): Promise<void> {
  const users = await listUsers(database, { trialDays: settings.trialDays });
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
  email: string;
  tier: Tier | null;
  until: Date | undefined;
}

export async function setUserPlan(change: PlanChange, context: CommandContext): Promise<void> {
  if (change.tier === null && change.until) {
    throw new CommandFailure(exitCode.usage, 'Only Standard and Professional have a last day; omit --until.');
  }
  await withDatabase(context.settings, (database) => changePlan(database, change, context));
}

export async function changePlan(
  database: Database,
  change: PlanChange,
  { settings: { trialDays }, terminal }: CommandContext,
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

export async function changeOperator(
  { email: emailAddress, operates }: { email: string; operates: boolean },
  database: Database,
  { terminal }: CommandContext,
): Promise<void> {
  const email = emailAddress.trim().toLowerCase();
  try {
    await setOperator(database, email, operates);
  } catch (error) {
    if (error instanceof AccountError) throw new CommandFailure(exitCode.notFound, printable(error.message));
    throw error;
  }
  terminal.result({ email, operator: operates }, () =>
    printable(`${email} is ${operates ? 'now an operator of this server' : 'no longer an operator'}.`),
  );
}

function planSentence({ tier, until }: PlanChange, subscription: Subscription | undefined): string {
  const planWords = tier === null ? 'no plan' : `${tier}${until ? ` until ${dateOf(until)}` : ''}`;
  if (!subscription || (tier !== null && subscription.tier === tier)) return `${planWords}.`;
  if (subscription.tier) return `${planWords}; the paid plan ${subscription.tier} applies.`;
  const over = tier === null ? planWords : `${planWords}, which has ended`;
  const end = dateOf(subscription.trialEndsAt);
  return subscription.trialExpired
    ? `${over}; the free trial ended on ${end}.`
    : `${over}; on free trial until ${end}.`;
}

function dateOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Columns of the table; the others are small, and in the JSON only. */
const shown = ['files', 'images', 'subsets', 'links', 'jobs', 'tabs', 'sessions'] as const;

export async function printUsage(database: Database, { settings, terminal }: CommandContext): Promise<void> {
  const usage = await listUsage(database, settings.userFiles);
  terminal.result(usage, () => {
    const { users, totals, limits, messages } = usage;
    const all = users.reduce((sum, { bytes }) => sum + bytes, 0);
    const line = (use: Usage['totals'], bytes: number, who: string): string[] =>
      shown.map((kind) => cell(use[kind])).concat(roundFileSize(bytes), printable(who));
    const rows = users.map(({ id, email, bytes, use }) => line(use, bytes, email || id));
    const limit = (kind: (typeof shown)[number]): string => {
      const { rows: maxRows, bytes } = limits[kind];
      return `${maxRows?.toLocaleString('en') ?? '-'}${bytes === null ? '' : `, ${roundFileSize(bytes)}`}`;
    };
    return [
      alignColumns([
        [...shown.map((kind) => kind.toUpperCase()), 'TOTAL', 'USER'],
        ...rows,
        line(totals, all, 'all users'),
        [...shown.map(limit), '', 'limit per user'],
      ]),
      `Messages of the contact page: ${cell(messages)}.`,
    ].join('\n');
  });
}

function cell({ rows, bytes }: TableUse): string {
  return rows === 0 ? '0' : `${rows.toLocaleString('en')}, ${roundFileSize(bytes)}`;
}
