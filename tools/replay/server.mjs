// A server of a checkout on a data folder of its own, and its callers.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Only these variables, so that no setting of this machine changes an answer. Two threads, whatever the cores. */
function environment(dataDir) {
  const { PATH, TMPDIR } = process.env;
  return {
    PATH,
    ...(TMPDIR && { TMPDIR }),
    TZ: 'UTC',
    DATA_DIR: dataDir,
    COMPUTE_THREADS: '2',
    LOG_LEVEL: 'error',
  };
}

/** Runs the command line of the checkout; returns what it printed (of a failure, with its progress) and its exit code. */
export function runCommand(checkout, dataDir, words) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(checkout, 'apps/server/src/ops/main.ts'), ...words],
    { cwd: checkout, env: environment(dataDir), encoding: 'utf8', maxBuffer: 2 ** 26 },
  );
  return `${stdout}${status === 0 ? '' : stderr}exit code ${status}\n`;
}

/** Starts the server with the demo catalogue, as `npm start` does. */
export async function startServer(checkout, dataDir) {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  // In a process group of its own, so that a signal also reaches the child that prepares the catalogue.
  const server = spawn(process.execPath, [join(checkout, 'apps/server/src/boot/main.ts')], {
    cwd: checkout,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...environment(dataDir), HOST: '127.0.0.1', PORT: String(port) },
  });
  const ended = once(server, 'close');
  const isRunning = () => server.exitCode === null && server.signalCode === null;
  const end = () => isRunning() && process.kill(-server.pid, 'SIGTERM');
  process.once('exit', end);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const stop = async () => {
    process.removeListener('exit', end);
    end();
    await ended;
  };
  try {
    while (!(await isReady(address))) {
      if (!isRunning()) throw new Error(`the server of ${checkout} ended before it was ready`);
      await sleep(200);
    }
    const config = await (await fetch(`${address}/config.json`)).json();
    return { address, config, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function isReady(address) {
  try {
    return (await fetch(`${address}/readyz`)).ok;
  } catch {
    return false;
  }
}

/** Access token of the demo account with this plan. */
export async function signIn({ address, config }, tier) {
  const { email, password } = config.demoAccounts.find((account) => account.tier === tier);
  const answer = await fetch(`${address}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: config.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`signing in as ${tier}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()).access_token;
}

/** Headers of a signed-in caller, for the API and the platform. */
export function headersOf({ config }, token, tab) {
  return {
    apikey: config.publishableKey,
    'x-api-key': config.apiKey,
    authorization: `Bearer ${token}`,
    'x-session-id': tab,
  };
}

/** Statuses of a server that is busy, which is asked again. */
const busy = new Set([429, 503, 504]);

/** @returns `{ status, type, bytes }`. Texts and bytes are sent unchanged, other bodies as JSON. */
export async function send(address, method, path, { headers = {}, body, tries = 5 } = {}) {
  const request = { method, headers };
  if (typeof body === 'string' || body instanceof Uint8Array) request.body = body;
  else if (body !== undefined) {
    request.body = JSON.stringify(body);
    request.headers = { 'content-type': 'application/json', ...headers };
  }
  for (let tried = 1; ; tried++) {
    const answer = await fetch(`${address}${path}`, request);
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (tried < tries && busy.has(answer.status)) await sleep(1000 * tried);
    else return { status: answer.status, type: answer.headers.get('content-type') ?? '', bytes };
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
