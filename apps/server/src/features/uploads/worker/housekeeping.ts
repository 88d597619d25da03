import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, pruneRows } from '@cellfolio/platform';
import { collectionPrefix, type ObjectStore, type StorePlace, sweepDatasets } from '@cellfolio/store';
import { forgetOldJobs } from '../job-table.ts';

const keptDays = 30;
const runName = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface HousekeepingParts {
  readonly database: Database;
  readonly objects: ObjectStore;
  /** Where datasets are written. */
  readonly objectRoot: StorePlace;
  readonly scratchRoot: string;
  readonly removeDataset: (fileId: string) => Promise<void>;
}

/** Clears up what processes that died left behind, and what nobody looks at any more. May run anywhere, at any time. */
export async function keepJobsTidy(parts: HousekeepingParts): Promise<void> {
  await parts.database.pool.query('select cellfolio.inspect_forgotten_files()');
  await forgetOldJobs(parts.database, keptDays);
  await pruneRows(parts.database);
  await sweepScratch(parts);
  await removeOrphans(parts);
  await sweepDatasets(parts.objectRoot);
}

async function sweepScratch({ database, scratchRoot }: HousekeepingParts): Promise<void> {
  // The folders first: a run that begins now has its token written down before its folder is made.
  const names = (await readdir(scratchRoot).catch(() => [])).filter((name) => runName.test(name));
  if (names.length === 0) return;
  const { rows } = await database.pool.query<{ run_token: string }>(
    `select run_token from cellfolio.jobs
     where run_token = any($1::uuid[]) and (state = 'running' or lease_until > now())`,
    [names],
  );
  const alive = new Set(rows.map(({ run_token }) => run_token));
  for (const name of names) {
    if (!alive.has(name)) await rm(join(scratchRoot, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Datasets whose file is gone: a build may have ended after its file did. */
async function removeOrphans({ database, objects, removeDataset }: HousekeepingParts): Promise<void> {
  const prefix = collectionPrefix('custom');
  const found = new Set<string>();
  for await (const key of objects.list(prefix)) found.add(key.slice(prefix.length).split('/', 1)[0]!);
  const ids = [...found].filter((name) => runName.test(name));
  if (ids.length === 0) return;
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from public.user_files where id = any($1::uuid[])',
    [ids],
  );
  const owned = new Set(rows.map(({ id }) => id));
  for (const id of ids) if (!owned.has(id)) await removeDataset(id);
}
