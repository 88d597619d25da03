import { createHash } from 'node:crypto';
import { isSameKey } from '../credentials.ts';
import { AuthError } from './auth-error.ts';
import type { AuthContext } from './auth-context.ts';
import type { Queryable } from './user-record.ts';

/** PKCE challenge of a client that begins a sign-in (RFC 7636). */
export interface CodeChallenge {
  method: 's256' | 'plain';
  challenge: string;
}

/** Challenge of a request; undefined if it has none. Throws AuthError 400 `validation_failed`. */
export function codeChallengeOf(input: {
  code_challenge?: string | null | undefined;
  code_challenge_method?: string | null | undefined;
}): CodeChallenge | undefined {
  const challenge = input.code_challenge || undefined;
  const method = input.code_challenge_method?.toLowerCase() || undefined;
  if (challenge === undefined && method === undefined) return undefined;
  if (challenge === undefined || method === undefined) {
    throw new AuthError(
      400,
      'validation_failed',
      'PKCE flow requires code_challenge_method and code_challenge',
    );
  }
  if (method !== 's256' && method !== 'plain') {
    throw new AuthError(400, 'validation_failed', 'The code challenge method must be s256 or plain.');
  }
  if (!/^[\w.~-]{43,128}$/.test(challenge)) {
    throw new AuthError(
      400,
      'validation_failed',
      'A code challenge has 43 to 128 letters, digits, dots, hyphens, underscores or tildes.',
    );
  }
  return { method, challenge };
}

export function verifierFits({ method, challenge }: CodeChallenge, verifier: string): boolean {
  const computed = method === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  return isSameKey(computed, challenge);
}

/** Sign-in method behind an exchanged code; goes into the session's `amr`. */
export type FlowMethod = 'email/signup' | 'recovery' | 'magiclink' | 'invite' | 'email_change' | 'oauth';

interface NewFlow {
  challenge: CodeChallenge | undefined;
  /** `email`, or the provider that the browser leaves for. */
  provider: string;
  method: FlowMethod;
}

/** Stores a started flow and returns the row's id. */
export async function beginFlow(client: Queryable, context: AuthContext, flow: NewFlow): Promise<string> {
  const now = context.now();
  // A flow this old has no valid link, code or page left.
  const oldest = now - (context.settings.mailLinkSeconds + 3_600) * 1000;
  await client.query(`delete from auth.flow_state where created_at < $1`, [new Date(oldest)]);
  const id = crypto.randomUUID();
  await client.query(
    `insert into auth.flow_state (id, code_challenge, code_challenge_method, provider_type, authentication_method,
       created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)`,
    [
      id,
      flow.challenge?.challenge ?? null,
      flow.challenge?.method ?? null,
      flow.provider,
      flow.method,
      new Date(now),
    ],
  );
  return id;
}

/** Issues a code that the client of the flow exchanges for a session of this user; undefined if the flow is gone. */
export async function issueAuthCode(
  client: Queryable,
  context: AuthContext,
  flowId: string,
  userId: string,
  tokens?: { accessToken: string | undefined; refreshToken: string | undefined },
): Promise<string | undefined> {
  const code = crypto.randomUUID();
  const { rowCount } = await client.query(
    `update auth.flow_state set user_id = $2, auth_code = $3, auth_code_issued_at = $4, updated_at = $4,
       provider_access_token = $5, provider_refresh_token = $6
     where id = $1 and code_challenge is not null`,
    [
      flowId,
      userId,
      authCodeHash(code),
      new Date(context.now()),
      tokens?.accessToken ?? null,
      tokens?.refreshToken ?? null,
    ],
  );
  return rowCount ? code : undefined;
}

export function authCodeHash(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
