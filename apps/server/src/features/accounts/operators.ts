import { AccountError, type Database } from '@cellfolio/platform';

/**
 * Whether the user operates the server: `operator` is true in `app_metadata` of the account, which its user cannot
 * write.
 */
export async function isOperator(database: Database, userId: string): Promise<boolean> {
  const { rows } = await database.pool.query<{ operates: boolean }>(
    `select raw_app_meta_data -> 'operator' = 'true' as operates from auth.users
     where id = $1 and deleted_at is null`,
    [userId],
  );
  return rows[0]?.operates === true;
}

/** Grants or revokes the operator role of an account. Throws AccountError `no_such_account`. */
export async function setOperator(database: Database, email: string, operates: boolean): Promise<void> {
  const { rowCount } = await database.pool.query(
    `update auth.users set updated_at = now(),
       raw_app_meta_data = (coalesce(raw_app_meta_data, '{}'::jsonb) - 'operator')
         || case when $2 then '{"operator": true}'::jsonb else '{}'::jsonb end
     where email = $1 and deleted_at is null`,
    [email.trim().toLowerCase(), operates],
  );
  if (rowCount === 0) throw new AccountError('no_such_account', email);
}
