import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyTestDatabase } from './test-databases.ts';
import { postgresPrograms, startPrivatePostgres } from './test-postgres.ts';

/**
 * For vitest: creates the template databases first, since otherwise the first test files of a run would each create
 * them at the same time. Runs in a separate process, because vitest's setup loader does not resolve modules as the
 * embedded engine needs.
 */
export function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(import.meta.url)], { stdio: 'inherit' });
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), 'cellfolio-database-'));
  await copyTestDatabase(join(folder, 'data'));
  rmSync(folder, { recursive: true, force: true });
  const programs = postgresPrograms();
  if (programs) await (await startPrivatePostgres(programs)).stop();
}
