import type { Database } from '@cellfolio/platform';
import { plural } from '@cellfolio/model';
import { type CommandContext, CommandFailure, exitCode } from '../command.ts';
import { alignColumns, printable } from '../terminal.ts';

interface Session {
  id: string;
  userAgent: string | null;
  address: string | null;
  createdAt: Date;
  /** When its refresh token was issued; an access token is used for up to an hour without a record. */
  refreshedAt: Date;
  /** `aal1`: one factor; `aal2`: two. */
  level: string;
}

export async function printSessions(
  emailAddress: string,
  database: Database,
  { terminal }: CommandContext,
): Promise<void> {
  const { id: userId, email } = await accountOf(database, emailAddress);
  const { rows: sessions } = await database.pool.query<Session>(
    `select id, user_agent as "userAgent", ip as address, created_at as "createdAt",
       coalesce(refreshed_at, created_at) as "refreshedAt", aal as level
     from auth.sessions where user_id = $1 and (not_after is null or not_after > now())
     order by 5 desc, id`,
    [userId],
  );
  terminal.result({ email, sessions }, () => {
    if (sessions.length === 0) return printable(`${email} has no session.`);
    const rows = sessions.map(({ id, createdAt, refreshedAt, level, address, userAgent }) => [
      id,
      minuteOf(createdAt),
      minuteOf(refreshedAt),
      level,
      printable(address ?? '-'),
      printable(userAgent ?? '-'),
    ]);
    return alignColumns([['SESSION', 'BEGAN', 'REFRESHED', 'LEVEL', 'ADDRESS', 'DEVICE'], ...rows]);
  });
}

interface EndedSessions {
  email: string;
  /** One session; default: all of the account. */
  session: string | undefined;
}

export async function endSessions(
  { email: emailAddress, session }: EndedSessions,
  database: Database,
  { terminal }: CommandContext,
): Promise<void> {
  const { id, email } = await accountOf(database, emailAddress);
  const { rowCount } = await database.pool.query(
    `delete from auth.sessions where user_id = $1 and ($2::text is null or id::text = $2)`,
    [id, session?.toLowerCase() ?? null],
  );
  const ended = rowCount ?? 0;
  if (session !== undefined && ended === 0) {
    throw new CommandFailure(
      exitCode.notFound,
      printable(`${email} has no session ${session}. List them with: user sessions ${email}`),
    );
  }
  terminal.result({ email, ended }, () =>
    printable(
      `${email}: ${plural(ended, 'session')} ended. Their access tokens still open rows and files for up to an hour, and personal keys stay valid.`,
    ),
  );
}

/** Throws CommandFailure when no account has the address. */
export async function accountOf(
  { pool }: Database,
  emailAddress: string,
): Promise<{ id: string; email: string }> {
  const email = emailAddress.trim().toLowerCase();
  const { rows } = await pool.query<{ id: string }>(
    `select id from auth.users where email = $1 and deleted_at is null`,
    [email],
  );
  if (rows[0] === undefined)
    throw new CommandFailure(exitCode.notFound, printable(`${email} has no account.`));
  return { id: rows[0].id, email };
}

/** `2026-05-01 08:30`, UTC. */
export function minuteOf(date: Date): string {
  return date.toISOString().slice(0, 16).replace('T', ' ');
}
