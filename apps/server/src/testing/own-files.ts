import { createUser, type Database, migrate, openDatabase, setPlan } from '@cellfolio/platform';
import { paths } from '../start/paths.ts';

export const ownersPassword = 'correct horse';

/** People with files, in a database that no server has open yet. */
export interface OwnersWorld {
  readonly database: Database;
  addUser(name: string, tier: 'Standard' | 'Professional' | undefined, daysAgo?: number): Promise<string>;
  /** A file as its row alone; the id of the file. */
  addFile(userId: string, name: string): Promise<string>;
}

/** Opens the database of a data folder for a while, for what no caller of a server could prepare. */
export async function prepareOwners<T>(
  dataDir: string,
  work: (world: OwnersWorld) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ dataDir });
  try {
    await migrate(database, paths.migrations);
    return await work({
      database,
      async addUser(name, tier, daysAgo = 1) {
        const email = `${name}@example.org`;
        const { id } = await createUser(database, {
          email,
          password: ownersPassword,
          confirmed: true,
          createdAt: new Date(Date.now() - daysAgo * 24 * 3600 * 1000),
          passwordCost: { memoryKib: 64, passes: 1 },
        });
        if (tier) await setPlan(database, email, tier);
        return id;
      },
      async addFile(userId, name) {
        const { rows } = await database.pool.query<{ id: string }>(
          `insert into public.user_files (user_id, file_name, original_filename, file_path)
           values ($1::uuid, $2, $2, $1::text || '/1_' || $2) returning id`,
          [userId, name],
        );
        return rows[0]!.id;
      },
    });
  } finally {
    await database.close();
  }
}
