import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { modelName, startScriptedModel } from './scripted-model.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));

export default () => startServer();

/**
 * Starts the server as `npm start` does, on a new data folder, and stops it after the last test. If CELLFOLIO_E2E_URL
 * names a running server, the tests use that one. `commands`: further command lines, as words, that prepare its data.
 */
export async function startServer(...commands: readonly (readonly string[])[]): Promise<() => Promise<void>> {
  if (process.env['CELLFOLIO_E2E_URL']) return async () => {};
  const folder = await mkdtemp(join(tmpdir(), 'cellfolio-e2e-'));
  const port = await freePort();
  // Where tests listen for what links lead to.
  const linkOrigin = `http://127.0.0.1:${await freePort()}`;
  process.env['CELLFOLIO_E2E_LINK_ORIGIN'] = linkOrigin;
  // A site that may frame views.
  const embedOrigin = `http://127.0.0.1:${await freePort()}`;
  process.env['CELLFOLIO_E2E_EMBED_ORIGIN'] = embedOrigin;
  const model = await startScriptedModel();
  const env = {
    ...process.env,
    AI_PROVIDER: 'openai-compatible',
    AI_MODEL: modelName,
    AI_BASE_URL: model.url,
    AI_PRICE: '2 10 USD',
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    LINK_ORIGINS: linkOrigin,
    EMBED_ORIGINS: embedOrigin,
    // Apps of tests describe themselves on this machine.
    OAUTH_LOOPBACK_CLIENTS: 'true',
    TRIAL_DAYS: '7',
  };
  // The server would make the demo catalogue when all the rest is there: beside it, it takes half the time.
  const [ended] = await Promise.all([
    finished('e2e/support/ended-trial.ts', env, []),
    ...[['demo'], ...commands].map((words) => finished('apps/server/src/ops/main.ts', env, words)),
  ]);
  process.env['CELLFOLIO_E2E_ENDED_TRIAL'] = ended;
  const server = spawn(process.execPath, ['apps/server/src/boot/main.ts'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stopped = new Promise<void>((done) => server.once('exit', () => done()));
  await ready(server.stdout, stopped);
  process.env['CELLFOLIO_E2E_URL'] = `http://127.0.0.1:${port}`;
  return async () => {
    server.kill('SIGTERM');
    await stopped;
    model.close();
    await rm(folder, { recursive: true, force: true });
  };
}

async function ready(output: NodeJS.ReadableStream, stopped: Promise<void>): Promise<void> {
  await new Promise<void>((done, fail) => {
    let text = '';
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('Cellfolio is ready')) done();
    });
    void stopped.then(() => fail(new Error(`The server stopped before it was ready:\n${text}`)));
  });
}

function finished(script: string, env: NodeJS.ProcessEnv, args: readonly string[]): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: project,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.once('close', (code) =>
      code === 0 ? done(text) : fail(new Error(`${script} ended with ${code}`)),
    );
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
