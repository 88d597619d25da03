import { createHash } from 'node:crypto';
import type { AuthContext } from '../auth-context.ts';
import type { Queryable } from '../user-record.ts';
import type { CodeChallenge } from './code-challenge.ts';

/** How a sign-in that a client exchanges a code for was made; goes into the session's `amr`. */
export type FlowMethod = 'email/signup' | 'recovery' | 'magiclink' | 'invite' | 'email_change' | 'oauth';

export interface NewFlow {
  readonly challenge: CodeChallenge | undefined;
  /** `email`, or the provider that the browser leaves for. */
  readonly provider: string;
  readonly method: FlowMethod;
}

/** Remembers what a client has begun; answers the row's id. */
export async function beginFlow(client: Queryable, context: AuthContext, flow: NewFlow): Promise<string> {
  const now = context.now();
  // Whatever began so long ago has no link, code or page left that could end it.
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

export interface ProviderTokens {
  readonly accessToken: string | undefined;
  readonly refreshToken: string | undefined;
}

/** The code that the client which began the flow gets a session of this user for; undefined when the flow is gone. */
export async function issueAuthCode(
  client: Queryable,
  context: AuthContext,
  flowId: string,
  userId: string,
  tokens?: ProviderTokens,
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

/** What is stored of a code. */
export function authCodeHash(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
