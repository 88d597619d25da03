import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, copyFile, link, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ImageSteps, makeImageFolder, readImageSteps } from '../testing/image-folder.ts';

const project = fileURLToPath(new URL('../../../../', import.meta.url));
const isRoot = process.getuid?.() === 0;
let root: string;
let app: string;
let data: string;
let steps: ImageSteps;
/** The project may be in a folder that is closed to the user of the image. */
let node: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellfolio-image-'));
  await chmod(root, 0o755);
  [app, data] = [join(root, 'app'), join(root, 'data')];
  node = join(root, 'node');
  await link(process.execPath, node).catch(() => copyFile(process.execPath, node));
  steps = await readImageSteps(project);
  await makeImageFolder(project, steps, app);
  await mkdir(data);
  await copyTestDatabase(data);
  if (isRoot) for (const path of await everythingIn(root, 'data')) await chown(path, steps.user, steps.user);
  // As in the image, and with --read-only: nothing can be added, replaced or removed.
  for (const path of await foldersIn(app)) await chmod(path, 0o555);
});
afterAll(async () => {
  for (const path of await foldersIn(app)) await chmod(path, 0o755);
  await rm(root, { recursive: true, force: true });
});

async function everythingIn(folder: string, name: string): Promise<string[]> {
  const inside = await readdir(join(folder, name), { recursive: true });
  return [join(folder, name), ...inside.map((path) => join(folder, name, path))];
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return [
    folder,
    ...entries.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name)),
  ];
}

function run(args: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  return spawn(node, args, {
    cwd: app,
    env: { ...steps.environment, DATA_DIR: data, HOST: '127.0.0.1', DEMO: 'false', ...environment },
    ...(isRoot && { uid: steps.user, gid: steps.user }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function ending(child: ChildProcess): Promise<unknown> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return code ?? signal;
}

test('the steps of the image give a server that starts, writes private files below its data folder only, and stops on SIGTERM', async () => {
  const server = run(steps.command, { PORT: '0', LOG_LEVEL: 'info' });
  const ended = ending(server);
  let output = '';
  server.stdout?.on('data', (piece: Buffer) => (output += piece.toString()));
  const address = () => /ready at http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1];
  while (address() === undefined && server.exitCode === null) await pause(50);
  expect(output).toContain('Cellfolio is ready');
  expect(await ending(run(steps.healthCheck, { PORT: address()! }))).toBe(0);
  // If the documentation is built, the image has it.
  const docs = await fetch(`http://127.0.0.1:${address()}/docs/analyses/gradient`);
  expect(docs.status).toBe(existsSync(join(project, 'apps/docs/dist/index.html')) ? 200 : 404);
  const { mode } = await stat(join(data, 'database', 'lock'));
  // The compiled program is cached for the next start.
  expect(await readdir(join(data, 'compiled'))).not.toEqual([]);
  server.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(mode & 0o007).toBe(0);
  expect(await ending(run(steps.healthCheck, { PORT: address()! }))).toBe(1);
}, 180_000);

test('the image contains modules that are loaded on demand: the command line, the work on files, S3', async () => {
  expect(await ending(run(['apps/server/src/ops/main.ts', 'dataset', 'list', '--json']))).toBe(0);
  const lazy = [
    './apps/server/src/ops/datasets/add-dataset.ts',
    './apps/server/src/ops/gene-sets/libraries.ts',
    './apps/server/src/ops/backup/backup-and-restore.ts',
    './apps/server/src/features/uploads/work/index.ts',
    './apps/server/src/features/explore/draw.ts',
    './packages/store/src/publish/s3-publisher.ts',
    './apps/server/src/features/ai/model-analysis.ts',
    './apps/server/src/features/billing/stripe-payments.ts',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace',
  ];
  const load = `await Promise.all(${JSON.stringify(lazy)}.map((path) => import(path)))`;
  expect(await ending(run(['--input-type=module', '-e', load]))).toBe(0);
});
