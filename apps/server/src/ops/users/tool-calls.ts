import type { ToolCallList } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import type { CommandContext } from '../command.ts';
import { alignColumns, printable } from '../terminal.ts';
import { accountOf, minuteOf } from './sessions.ts';

interface UserCall extends Omit<ToolCallList['calls'][number], 'at' | 'dataset'> {
  at: Date;
  email: string | null;
  /** Id of the dataset; empty for a call that named none. */
  dataset: string;
}

/** Prints calls of tools, of one user or of all. Throws CommandFailure when no account has the address. */
export async function printToolCalls(
  { email, count }: { email: string | undefined; count: number },
  database: Database,
  { terminal }: CommandContext,
): Promise<void> {
  const account = email === undefined ? undefined : await accountOf(database, email);
  const { rows: calls } = await database.pool.query<UserCall>(
    `select c.id::text, c.at, u.email, c.tool, c.dataset_id as dataset, c.credential, c.credential_name, c.status,
       c.milliseconds
     from cellfolio.tool_calls c join auth.users u on u.id = c.user_id
     where $1::uuid is null or c.user_id = $1 order by c.id desc limit $2`,
    [account?.id ?? null, count],
  );
  terminal.result({ calls }, () => {
    if (calls.length === 0)
      return printable(account ? `${account.email} called no tool.` : 'No tool was called.');
    const rows = calls.map((call) => [
      minuteOf(call.at),
      printable(call.email ?? '-'),
      call.tool,
      printable(call.dataset === '' ? '-' : call.dataset),
      printable(`${call.credential} ${call.credential_name}`.trim()),
      `${call.status}`,
      `${call.milliseconds} ms`,
    ]);
    return alignColumns([['ENDED', 'USER', 'TOOL', 'DATASET', 'BY', 'STATUS', 'DURATION'], ...rows]);
  });
}
