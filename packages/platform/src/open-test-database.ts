import type { Database } from './database/database.ts';
import { openTestEmbedded } from './database/test-databases.ts';

/** For tests: a migrated embedded database in a folder of its own, gone when it is closed. */
export async function openTestDatabase(): Promise<Database> {
  const { database, remove } = await openTestEmbedded();
  const close = database.close.bind(database);
  database.close = async () => {
    database.close = close;
    await remove();
  };
  return database;
}

/** The plan under which the policies of the product let an account keep files. */
export async function grantProfessional({ pool }: Database, email: string): Promise<void> {
  await pool.query(
    `insert into public.subscriptions (user_id, source, tier)
     select id, 'operator', 'Professional' from auth.users where email = $1`,
    [email],
  );
}
