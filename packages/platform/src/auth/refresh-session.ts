import type { PoolClient } from 'pg';
import { AuthError, type AuthErrorCode } from './auth-error.ts';
import type { AuthContext } from './auth-context.ts';
import type { AmrEntry } from './tokens/access-token.ts';
import type { RefreshTicket } from './tokens/refresh-token.ts';
import { findUser, isBanned, type UserRecord } from './user-record.ts';
import { type SessionAnswer, type SessionState, sessionAnswer } from './sessions.ts';

interface SessionRow {
  user_id: string;
  aal: 'aal1' | 'aal2' | null;
  amr: AmrEntry[] | null;
  refresh_counter: string | number;
  refresh_floor: string | number;
  refreshed_at: Date | string | null;
  not_after: Date | string | null;
}

/** Why a superseded token was accepted. */
type RefreshReuse = 'lost-answer' | 'within-interval';

interface RefreshedSession {
  answer: SessionAnswer;
  session: SessionState;
  userId: string;
  /** Absent if the current token was exchanged for a new one. */
  reuse: RefreshReuse | undefined;
}

interface Refusal {
  refused: AuthErrorCode;
  message: string;
}

/**
 * Exchanges a refresh token for a session. The session row is locked, so refreshes of one session are serialised. The
 * current token yields a new one; its parent yields the current one again, for a client that lost the response; an
 * older one counts as another tab for `refreshReuseSeconds` after the last refresh, and as stolen afterwards, which
 * ends the session. Throws AuthError.
 */
export async function refreshSession(context: AuthContext, token: string): Promise<RefreshedSession> {
  const reading = context.refreshTokens.read(token);
  if (reading.kind === 'malformed') {
    throw new AuthError(400, 'validation_failed', 'Refresh token is not valid');
  }
  if (reading.kind !== 'genuine') throw new AuthError(400, 'refresh_token_not_found', notFoundMessage);
  const { ticket } = reading;
  // Returned, not thrown: ending a stolen session must be committed.
  const outcome = await context.database
    .transaction((client) => exchange(client, context, ticket))
    .catch((cause: unknown) => {
      if (isLockTimeout(cause)) {
        throw new AuthError(
          409,
          'conflict',
          'Too many concurrent token refresh requests on the same session',
          { cause },
        );
      }
      throw cause;
    });
  if ('refused' in outcome) throw new AuthError(400, outcome.refused, outcome.message);
  const { user, session, reuse } = outcome;
  return { answer: await sessionAnswer(context, user, session), session, userId: user.id, reuse };
}

async function exchange(
  client: PoolClient,
  context: AuthContext,
  { sessionId, counter }: RefreshTicket,
): Promise<Refusal | { user: UserRecord; session: SessionState; reuse: RefreshReuse | undefined }> {
  await client.query(`set local lock_timeout = ${Math.ceil(context.settings.refreshLockSeconds * 1000)}`);
  const { rows } = await client.query<SessionRow>(
    `select user_id, aal, amr, refresh_counter, refresh_floor, refreshed_at, not_after from auth.sessions where id = $1 for update`,
    [sessionId],
  );
  const row = rows[0];
  if (!row) return { refused: 'session_not_found', message: 'The session has ended. Please sign in again.' };
  const now = context.now();
  if (row.not_after && new Date(row.not_after).getTime() <= now) {
    return { refused: 'session_expired', message: 'The session has expired. Please sign in again.' };
  }
  const user = await findUser(client, row.user_id);
  if (!user) return { refused: 'session_not_found', message: 'The session has ended. Please sign in again.' };
  if (isBanned(user, now)) return { refused: 'user_banned', message: 'This account is suspended.' };

  const inForce = Number(row.refresh_counter);
  const sinceRefresh = row.refreshed_at
    ? now - new Date(row.refreshed_at).getTime()
    : Number.POSITIVE_INFINITY;
  const session = { id: sessionId, aal: row.aal, amr: row.amr ?? [] };
  // Only a database restored from an older backup can see a counter above its own.
  if (counter > inForce) return { refused: 'refresh_token_not_found', message: notFoundMessage };
  if (counter === inForce) {
    const next = inForce + 1;
    await client.query(
      `update auth.sessions set refresh_counter = $2, refreshed_at = $3, updated_at = $3 where id = $1`,
      [sessionId, next, new Date(now)],
    );
    return { user, session: { ...session, counter: next }, reuse: undefined };
  }
  const anotherTab = sinceRefresh < context.settings.refreshReuseSeconds * 1000;
  if (counter < Number(row.refresh_floor)) {
    // From before the second factor: never valid for the aal2 session, but perhaps only a slow tab.
    if (!anotherTab) await client.query(`delete from auth.sessions where id = $1`, [sessionId]);
    return { refused: 'refresh_token_already_used', message: usedMessage };
  }
  const lostAnswer = counter === inForce - 1;
  if (lostAnswer || anotherTab) {
    const reuse = lostAnswer ? 'lost-answer' : 'within-interval';
    return { user, session: { ...session, counter: inForce }, reuse };
  }
  await client.query(`delete from auth.sessions where id = $1`, [sessionId]);
  return {
    refused: 'refresh_token_already_used',
    message: usedMessage,
  };
}

const usedMessage =
  'Invalid Refresh Token: Already Used. The session was ended for safety; please sign in again.';
const notFoundMessage = 'Invalid Refresh Token: Refresh Token Not Found';

/** SQLSTATE 55P03, lock_not_available. */
function isLockTimeout(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === '55P03';
}
