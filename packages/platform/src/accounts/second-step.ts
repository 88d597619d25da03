import type { Database } from '../database/database.ts';

/** True where the account has a second factor and the session of the token has not passed it. */
export async function secondStepPending(
  database: Database,
  { sub, aal }: { readonly sub: string; readonly aal?: string | undefined },
): Promise<boolean> {
  if (aal === 'aal2') return false;
  const { rowCount } = await database.pool.query(
    `select 1 from auth.mfa_factors where user_id = $1 and status = 'verified' limit 1`,
    [sub],
  );
  return (rowCount ?? 0) > 0;
}
