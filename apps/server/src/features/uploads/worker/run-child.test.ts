import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChildOptions, type RunOutcome, isOverTime, runChild } from './run-child.ts';
import { inspectionLimitMs } from '../kinds/inspect.ts';
import { isProcessThere } from '../../../testing/is-process-there.ts';

const workModule = new URL('../testing/tiny-work.ts', import.meta.url).href;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-child-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;
async function run(text: string, more: Partial<ChildOptions> = {}): Promise<RunOutcome & { pid: number }> {
  const path = join(folder, `${(files += 1)}`);
  await writeFile(path, text);
  const name = `file-${files}.tsv`;
  const outcome = await runChild({
    workModule,
    work: { kind: 'inspect', file: { path, name } },
    scratch: folder,
    memoryBytes: 128 * 1024 ** 2,
    timeLimitMs: 20_000,
    signal: new AbortController().signal,
    onProgress: () => {},
    onLog: () => {},
    ...more,
  });
  const runs = await readFile(join(folder, 'runs'), 'utf8').catch(() => '');
  return { ...outcome, pid: Number(new RegExp(`${name} (\\d+)`).exec(runs)?.[1]) };
}

test('the result is returned, with the progress reported on the way', async () => {
  const progress: [string, number][] = [];
  const outcome = await run('fine', { onProgress: (...one) => progress.push(one) });
  expect(outcome).toMatchObject({ kind: 'result', result: { kind: 'barcodes', first: ['a'] } });
  expect(progress).toEqual([['Doing what the file says', 0.5]]);
  expect(isProcessThere(outcome.pid)).toBe(false);
});

test('the owner sees a refusal, and the operator of the server a fault', async () => {
  expect(await run('refuse')).toMatchObject({
    kind: 'problem',
    problem: { code: 'refused', message: 'The file is of no use.' },
    fault: null,
  });
  const outcome = await run('fault');
  expect(outcome).toMatchObject({ kind: 'problem', fault: expect.stringContaining('/secret/path') });
  expect(JSON.stringify((outcome as { problem: unknown }).problem)).not.toContain('secret');
});

test('a process that dies is distinguished from one that takes too much memory', async () => {
  expect(await run('crash')).toMatchObject({ kind: 'died', how: 'exit code 3' });
  expect(await run('fill')).toMatchObject({ kind: 'too-large' });
});

test('work that hears nothing is ended by force, after its time and when it is stopped', async () => {
  const late = await run('spin', { timeLimitMs: 1500 });
  expect(late.kind).toBe('too-long');
  expect(isProcessThere(late.pid)).toBe(false);
  const controller = new AbortController();
  const stopped = await run('hang', {
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  expect(stopped.kind).toBe('stopped');
  expect(isProcessThere(stopped.pid)).toBe(false);
});

test('work that hears nothing ends with the server that started it', async () => {
  const path = join(folder, 'orphan');
  await writeFile(path, 'spin');
  const options = {
    workModule,
    work: { kind: 'inspect', file: { path, name: 'orphan.tsv' } },
    scratch: folder,
  };
  const server = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { runChild } from ${JSON.stringify(new URL('./run-child.ts', import.meta.url).href)};
       const more = { memoryBytes: 2 ** 27, timeLimitMs: 600_000, signal: new AbortController().signal };
       await runChild({ ...${JSON.stringify(options)}, ...more, onProgress() {}, onLog() {} });`,
    ],
    { stdio: 'ignore' },
  );
  const begun = async () => {
    const runs = await readFile(join(folder, 'runs'), 'utf8').catch(() => '');
    return Number(/orphan\.tsv (\d+)/.exec(runs)?.[1] ?? 0);
  };
  await expect.poll(begun, { timeout: 20_000 }).toBeGreaterThan(0);
  const pid = await begun();
  server.kill('SIGKILL');
  await expect.poll(() => isProcessThere(pid), { timeout: 20_000 }).toBe(false);
});

test('work that was kept waiting by a busy machine has not had its time, work that waits for ever has', () => {
  const limit = 60_000;
  expect(isOverTime({ worked: 59_000, passed: 59_999, limit })).toBe(false);
  expect(isOverTime({ worked: 30_000, passed: 60_000, limit })).toBe(true);
  expect(isOverTime({ worked: 2000, passed: 60_000, limit })).toBe(false);
  expect(isOverTime({ worked: 2000, passed: 300_000, limit })).toBe(true);
  // Not every system tells how long a process has worked.
  expect(isOverTime({ worked: undefined, passed: 60_000, limit })).toBe(true);
});

test('an inspection may take minutes of a small file, and as long as any of a large one', () => {
  const [minute, maximum] = [60_000, 1_200_000];
  expect(inspectionLimitMs(2000, maximum)).toBeLessThan(4 * minute);
  expect(inspectionLimitMs(100e6, maximum)).toBeGreaterThan(6 * minute);
  expect(inspectionLimitMs(10e9, maximum)).toBe(maximum);
});

test('the process that opens files of strangers knows none of the server’s secrets', async () => {
  process.env.DATABASE_URL_OF_TEST = 'postgres://owner:secret@db';
  const outcome = await run('env');
  expect(outcome).toMatchObject({ kind: 'problem', problem: { code: 'refused' } });
  expect(JSON.stringify(outcome)).toContain('PATH');
  // Nor is it compiled anew each time.
  expect(JSON.stringify(outcome)).toContain('NODE_COMPILE_CACHE');
  expect(JSON.stringify(outcome)).not.toContain('DATABASE_URL_OF_TEST');
});
