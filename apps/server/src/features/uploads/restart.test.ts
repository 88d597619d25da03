import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate, openDatabase } from '@cellfolio/platform';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paths } from '../../boot/paths.ts';
import { JobsWorld } from './testing/jobs-world.ts';
import { isProcessThere } from '../../testing/is-process-there.ts';

let folder: string;
let world: JobsWorld;
let process1: ChildProcess | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-restart-'));
});
afterAll(async () => {
  process1?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const script = fileURLToPath(new URL('./testing/jobs-process.ts', import.meta.url));
const startProcess = () =>
  fork(script, [folder], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
const open = () => openDatabase({ dataDir: join(folder, 'data') });

test('a job outlives the process that is killed while it does it, and has one result', async () => {
  await copyTestDatabase(join(folder, 'data'));
  const before = await open();
  await migrate(before, paths.migrations);
  world = new JobsWorld(before, folder);
  const owner = await world.addUser('Professional');
  const gate = world.gate();
  await world.addFile(owner, 'a.h5ad', world.saying(`build: wait ${gate.path}`));
  await before.close();

  process1 = startProcess();
  await world.until('the build', async () => (await world.runs()).includes('build a.h5ad'));
  process1.kill('SIGKILL');
  await once(process1, 'exit');
  // What it had begun ends with it.
  const [, building] = await world.pids();
  await world.until('the end of its work', async () => !isProcessThere(building!));
  await gate.open();
  const [code] = await once(startProcess(), 'exit');
  expect(code).toBe(0);

  expect(await world.runs()).toEqual(['inspect a.h5ad', 'build a.h5ad', 'build a.h5ad']);
  expect(await world.scratch()).toEqual([]);
  const after = await open();
  const { rows } = await after.pool.query(
    'select kind, state, attempts from cellfolio.jobs order by created_at',
  );
  expect(rows).toEqual([
    { kind: 'inspect', state: 'done', attempts: 1 },
    { kind: 'build', state: 'done', attempts: 2 },
  ]);
  const { rows: datasets } = await after.pool.query(
    'select cellfolio.dataset_state(d) as state, version from cellfolio.custom_datasets d',
  );
  expect(datasets).toEqual([{ state: 'ready', version: 'v1' }]);
  await after.close();
}, 300_000);
