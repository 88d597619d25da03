import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatabaseLockedError } from '../errors.ts';
import { temporaryFolder } from '../test-databases.ts';
import { lockFolder } from './folder-lock.ts';
import { ownIdentity } from '@cellfolio/bytes';

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a second lock is refused, naming the process and the folder, until the first is released', async () => {
  const lock = await lockFolder(path, () => {});
  const refusal = await lockFolder(path, () => {}).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DatabaseLockedError);
  expect((refusal as DatabaseLockedError).holder.pid).toBe(process.pid);
  expect((refusal as Error).message).toContain(folder);
  expect((refusal as Error).message).toContain(`process ${process.pid} (this one)`);
  lock.release();
  expect(readdirSync(folder)).toEqual([]);
  const again = await lockFolder(path, () => {});
  again.release();
});

test('a lock holds while its process runs, and is released when it is killed', async () => {
  const script = new URL('./folder-lock.ts', import.meta.url).href;
  const holder = join(folder, 'holder.mjs');
  writeFileSync(
    holder,
    `import { lockFolder } from ${JSON.stringify(script)};
     await lockFolder(process.argv[2], () => {});
     process.send('locked');
     setInterval(() => {}, 1000);`,
  );
  const child = fork(holder, [path], { execArgv: [] });
  try {
    await once(child, 'message');
    await expect(lockFolder(path, () => {})).rejects.toThrow(`process ${child.pid}`);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const logLines: string[] = [];
  const lock = await lockFolder(path, (line) => logLines.push(line));
  expect(logLines).toEqual([expect.stringContaining(`process ${child.pid}`)]);
  lock.release();
});

if (ownIdentity().started === null)
  console.warn('SKIPPED: this system does not say when it or a process began.');
const knowsStarts = ownIdentity().started !== null && ownIdentity().boot !== null;

test.skipIf(!knowsStarts)(
  'a process id that was given to another process since does not hold the lock',
  async () => {
    writeFileSync(path, JSON.stringify({ ...ownIdentity(), started: '1' }));
    const lock = await lockFolder(path, () => {});
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ ...ownIdentity() });
    lock.release();
  },
);

test.skipIf(!knowsStarts)('a lock from before the machine restarted does not hold', async () => {
  writeFileSync(path, JSON.stringify({ ...ownIdentity(), boot: 'another' }));
  const lock = await lockFolder(path, () => {});
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ ...ownIdentity() });
  lock.release();
});

test('a lock taken on another machine holds while it is refreshed', async () => {
  const quick = { heartbeatMs: 100, stillMs: 1_000 };
  writeFileSync(path, JSON.stringify({ ...ownIdentity(), host: 'elsewhere', pid: 7 }));
  const touching = setInterval(() => utimesSync(path, new Date(), new Date()), 20);
  try {
    await expect(lockFolder(path, () => {}, quick)).rejects.toThrow('process 7 on elsewhere');
  } finally {
    clearInterval(touching);
  }
  const lock = await lockFolder(path, () => {}, quick);
  lock.release();
});

test('of many processes that find a stale lock, one takes it', async () => {
  writeFileSync(path, 'not a lock');
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(path, () => {})));
  const won = tries.filter((result) => result.status === 'fulfilled');
  expect(won).toHaveLength(1);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  won[0]!.value.release();
  expect(existsSync(path)).toBe(false);
});
