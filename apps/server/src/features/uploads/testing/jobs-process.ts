import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '@cellfolio/platform';
import { JobsWorld } from './jobs-world.ts';

/** Test process that takes the jobs of a folder and ends when there are none left. */
const folder = process.argv[2]!;
const database = await openDatabase({ dataDir: join(folder, 'data') });
const world = new JobsWorld(database, folder);
world.start();
for (;;) {
  const { rows } = await database.pool.query<{ busy: boolean }>(
    `select exists (select from cellfolio.jobs where state in ('queued', 'running')) as busy`,
  );
  if (!rows[0]?.busy) break;
  await pause(100);
}
await world.close();
await database.close();
