import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import type { FactorRecord, UserRecord } from '../user-record.ts';
import type { SignedIn } from './authenticate.ts';

/** Removes a factor; sessions that it raised fall back. A verified one needs aal2. Throws AuthError. */
export async function unenrol(
  context: AuthContext,
  { user, claims }: SignedIn,
  factorId: string,
): Promise<{ readonly id: string }> {
  const factor = ownFactor(user, factorId);
  if (factor.status === 'verified' && claims.aal !== 'aal2') {
    throw new AuthError(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor');
  }
  await removeFactor(context, factor.id);
  return { id: factor.id };
}

/** Removes a factor without asking whether it may be: for who has asked, and for operators. */
export async function removeFactor(context: AuthContext, factorId: string): Promise<void> {
  await context.database.transaction(async (client) => {
    await client.query(`delete from auth.mfa_factors where id = $1`, [factorId]);
    await client.query(
      `update auth.sessions set aal = 'aal1', factor_id = null, updated_at = $2,
         amr = coalesce((select jsonb_agg(entry) from jsonb_array_elements(amr) entry
                         where entry ->> 'method' not in ('totp', 'mfa/phone')), '[]'::jsonb)
       where factor_id = $1`,
      [factorId, new Date(context.now())],
    );
  });
}

/** Throws AuthError 404 `mfa_factor_not_found`, also for what is another user's. */
export function ownFactor(user: UserRecord, factorId: string): FactorRecord {
  const factor = user.factors.find(({ id }) => id === factorId);
  if (!factor) throw new AuthError(404, 'mfa_factor_not_found', 'Factor not found');
  return factor;
}
