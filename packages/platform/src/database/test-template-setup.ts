import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyTestDatabase } from './test-databases.ts';
import { postgresPrograms, startPrivatePostgres } from './test-postgres.ts';

/** For vitest: makes the databases that tests copy, as the first files of a run would each make them at the same time. */
export async function setup(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cellfolio-database-'));
  await copyTestDatabase(join(folder, 'data'));
  rmSync(folder, { recursive: true, force: true });
  const programs = postgresPrograms();
  if (programs) await (await startPrivatePostgres(programs)).stop();
}
