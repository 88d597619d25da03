import { createUser, type Database, migrate, openDatabase } from '@cellfolio/platform';
import { setPlan } from '../features/billing/index.ts';
import { paths } from '../boot/paths.ts';

export const ownersPassword = 'correct horse';

export interface OwnersWorld {
  database: Database;
  addUser(name: string, tier: 'Standard' | 'Professional' | undefined, daysAgo?: number): Promise<string>;
  /** Adds the row of a file without its bytes; returns its id. */
  addFile(userId: string, name: string): Promise<string>;
  /** As the rows have no files: marks them as inspected, and keeps conversions and builds from starting. */
  holdJobs(): Promise<void>;
}

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
      async holdJobs() {
        await database.pool.query('delete from cellfolio.jobs');
        await database.pool.query(
          `insert into cellfolio.file_reports (file_id, report)
           select id, '{"kind": "barcodes", "lines": 1, "columns": 1, "first": [], "notes": []}' from public.user_files`,
        );
        // Each user has a cancelled job that has not stopped yet.
        await database.pool.query(
          `insert into cellfolio.jobs (owner_id, kind, file_ids, name, state, run_token, lease_until, finished_at)
           select id, 'build', array[gen_random_uuid()], 'stopping', 'cancelled', gen_random_uuid(),
             now() + interval '1 hour', now() from auth.users`,
        );
      },
    });
  } finally {
    await database.close();
  }
}
