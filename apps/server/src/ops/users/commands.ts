import type { Tier } from '../../features/billing/index.ts';
import { type Command, InvalidArgumentError } from 'commander';
import { limits } from '../../runtime/limits/limits.ts';
import type { RunCommand, RunOnDatabase } from '../command.ts';

/** `user list`, `plan`, `operator`, `sessions`, `end-sessions`, `tool-calls`, `export` and `delete`, and `usage`. */
export function userCommands(program: Command, run: RunCommand, onDatabase: RunOnDatabase): void {
  const user = program
    .command('user')
    .description(
      'List, export and delete users, list and end their sessions, set plans and operators. Stop an embedded server first.',
    );
  user
    .command('list')
    .description('List the users.')
    .action(() => onDatabase(async (...opened) => (await import('./users.ts')).printUsers(...opened)));
  user
    .command('plan')
    .argument('<email>')
    .argument('<tier>', 'Standard, Professional, trial or none', planTier)
    .option('--until <date>', 'last day of the plan, such as 2027-12-31', lastDay)
    .description('Set the plan of a user.')
    .action((email: string, tier: Tier | null, { until }: { until?: Date }) =>
      run(async (context) => (await import('./users.ts')).setUserPlan({ email, tier, until }, context)),
    );
  user
    .command('operator')
    .argument('<email>')
    .option('--revoke', 'revoke the right', false)
    .description('Let a user operate the server from the browser: download gene-set libraries.')
    .action((email: string, { revoke }: { revoke: boolean }) =>
      onDatabase(async (...opened) =>
        (await import('./users.ts')).changeOperator({ email, operates: !revoke }, ...opened),
      ),
    );
  user
    .command('sessions')
    .argument('<email>')
    .description(
      'List the sessions of a user: when each began and was refreshed (UTC), from where, by which factors.',
    )
    .action((email: string) =>
      onDatabase(async (...opened) => (await import('./sessions.ts')).printSessions(email, ...opened)),
    );
  user
    .command('end-sessions')
    .argument('<email>')
    .option('--session <id>', 'end this session alone')
    .description('End the sessions of a user, who then has to sign in again.')
    .action((email: string, { session }: { session?: string }) =>
      onDatabase(async (...opened) =>
        (await import('./sessions.ts')).endSessions({ email, session }, ...opened),
      ),
    );
  user
    .command('tool-calls')
    .argument('[email]', 'default: all users')
    .option('--count <number>', 'maximum number of calls', countOfCalls, 100)
    .description(
      'List calls of tools for assistants at /mcp, newest first: when each ended (UTC), by whom, with which key or app, on which dataset, its status and duration.',
    )
    .action((email: string | undefined, { count }: { count: number }) =>
      onDatabase(async (...opened) =>
        (await import('./tool-calls.ts')).printToolCalls({ email, count }, ...opened),
      ),
    );
  user
    .command('export')
    .argument('<email>')
    .requiredOption('--to <file>', 'a new .zip file')
    .description(
      'Write all data of a user into a zip file: rows as JSON, annotations as CSV, figures, and files.',
    )
    .action((email: string, { to }: { to: string }) =>
      onDatabase(async (...opened) => (await import('./account.ts')).exportUser({ email, to }, ...opened)),
    );
  user
    .command('delete')
    .argument('<email>')
    .description(
      'Delete a user with all rows, files, datasets, sessions and keys, and cancel what they pay for. It cannot be undone.',
    )
    .action((email: string) =>
      onDatabase(async (...opened) => (await import('./account.ts')).deleteUser(email, ...opened)),
    );
  program
    .command('usage')
    .description(
      'Print the storage of each user and the limits, largest first. Stop an embedded server first.',
    )
    .action(() => onDatabase(async (...opened) => (await import('./users.ts')).printUsage(...opened)));
}

const tiers: ReadonlyMap<string, Tier | null> = new Map([
  ['standard', 'Standard'],
  ['professional', 'Professional'],
  ['none', null],
  ['trial', null],
]);

function countOfCalls(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= limits.listedToolCalls.value) return count;
  throw new InvalidArgumentError(`It must be a number from 1 to ${limits.listedToolCalls.value}.`);
}

/** The plan of that name; null for no plan, which leaves the rest of the free trial. */
export function planTier(text: string): Tier | null {
  const tier = tiers.get(text.trim().toLowerCase());
  if (tier === undefined) throw new InvalidArgumentError('It must be Standard, Professional, trial or none.');
  return tier;
}

/** The end of the day, UTC. Throws InvalidArgumentError also for days such as 30 February. */
export function lastDay(text: string): Date {
  const date = new Date(`${text}T23:59:59Z`);
  const real = !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || !real) {
    throw new InvalidArgumentError('It must be a date such as 2027-12-31.');
  }
  return date;
}
