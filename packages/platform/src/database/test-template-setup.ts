import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyTestDatabase } from './test-databases.ts';
import { postgresPrograms, startPrivatePostgres } from './test-postgres.ts';

/**
 * For vitest: makes the databases that tests copy, as the first files of a run would each make them at the same time. In
 * a process of its own, for vitest's loader of setups does not resolve modules as the embedded engine asks for it.
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
