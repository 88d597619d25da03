import type { AuthContext } from '../auth-context.ts';
import type { AccessTokenClaims } from '../tokens/access-token.ts';

export type SignOutScope = 'global' | 'local' | 'others';

const conditions = {
  global: '',
  local: ' and id = $2',
  others: ' and id <> $2',
} as const satisfies Record<SignOutScope, string>;

/** Ends all sessions of the user, this one, or all but this one; their refresh tokens end with them. */
export async function signOut(
  context: AuthContext,
  claims: AccessTokenClaims,
  scope: SignOutScope,
): Promise<void> {
  await context.database.pool.query(
    `delete from auth.sessions where user_id = $1${conditions[scope]}`,
    scope === 'global' ? [claims.sub] : [claims.sub, claims.session_id],
  );
}
