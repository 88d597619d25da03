import { randomUUID } from 'node:crypto';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChildFailed } from '../measure/child.ts';

export class ExplorerClient {
  readonly #address: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(address: string, headers: Record<string, string>) {
    this.#address = address;
    this.headers = headers;
  }

  static async signUp(address: string): Promise<ExplorerClient> {
    const { apiKey } = await publicKeys(address);
    const { access_token: token } = await newSession(address);
    return new ExplorerClient(address, {
      'x-api-key': apiKey,
      authorization: `Bearer ${token}`,
      'x-session-id': 'bench',
    });
  }

  static async signIn(
    address: string,
    { email, password, tab }: { email: string; password: string; tab: string },
  ): Promise<ExplorerClient> {
    const { publishableKey, apiKey } = await publicKeys(address);
    const answer = await fetch(`${address}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const { access_token: token } = (await json(answer)) as { access_token: string };
    return new ExplorerClient(address, {
      'x-api-key': apiKey,
      authorization: `Bearer ${token}`,
      'x-session-id': tab,
    });
  }

  async openDataset(id: string): Promise<void> {
    const path = `/api/dataset_analysis/${encodeURIComponent(id)}`;
    await json(await fetch(`${this.#address}${path}`, { headers: this.headers }));
  }

  /** Calls `/api`; the time is from sending to the last byte. Throws if the status is not ok. */
  async call(path: string, body: object): Promise<{ milliseconds: number; answer: Record<string, unknown> }> {
    const started = performance.now();
    const answer = await fetch(`${this.#address}/api/${path}`, {
      method: 'POST',
      headers: { ...this.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    const milliseconds = performance.now() - started;
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    return { milliseconds, answer: isJson ? (JSON.parse(text) as Record<string, unknown>) : {} };
  }

  async drawGene(
    gene: string,
  ): Promise<{ milliseconds: number; png: Buffer; width: number; height: number }> {
    const { milliseconds, answer } = await this.call('plot-umap-with-genes', { genes: [gene] });
    const { plots } = answer as {
      plots: { image: { value: string; width: number; height: number } }[];
    };
    const image = plots[0]?.image;
    if (image === undefined) throw new Error(`drawing ${gene} gave no figure`);
    const png = Buffer.from(image.value.slice(image.value.indexOf(',') + 1), 'base64');
    return { milliseconds, png, width: image.width, height: image.height };
  }
}

export async function newSession(address: string): Promise<{ access_token: string }> {
  const { publishableKey } = await publicKeys(address);
  const answer = await fetch(`${address}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `bench-${randomUUID()}@example.org`, password: randomUUID() }),
  });
  return (await json(answer)) as { access_token: string };
}

async function publicKeys(address: string): Promise<{ publishableKey: string; apiKey: string }> {
  return (await json(await fetch(`${address}/config.json`))) as { publishableKey: string; apiKey: string };
}

async function json(answer: Response): Promise<unknown> {
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${body}`);
  return JSON.parse(body);
}

const startLimitMs = 180_000;

export interface StartedProcess {
  readonly address: string;
  readonly pid: number;
  /** From the start of the process to the first response of /healthz. */
  readonly millisecondsToServing: number;
  stop(): Promise<void>;
}

/** Starts a program that listens on PORT and waits until it is healthy. Throws ChildFailed. */
export async function startServing(
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
): Promise<StartedProcess> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const [program, ...args] = command;
  const name = command.join(' ');
  const started = performance.now();
  // In a process group of its own, so that a signal reaches the server behind npm.
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
    env: { ...process.env, ...environment, HOST: '127.0.0.1', PORT: String(port) },
  });
  const stopAtExit = () => signalGroup(child);
  process.once('exit', stopAtExit);
  while (!(await serves(address))) {
    if (child.exitCode !== null) throw new ChildFailed(name, `ended with ${child.exitCode} before it served`);
    if (performance.now() - started > startLimitMs) {
      signalGroup(child);
      throw new ChildFailed(name, `did not serve within ${startLimitMs / 1000} s`);
    }
    await sleep(10);
  }
  return {
    address,
    pid: child.pid!,
    millisecondsToServing: performance.now() - started,
    async stop() {
      process.removeListener('exit', stopAtExit);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'close');
      signalGroup(child);
      await ended;
      // The server may outlive its parent by a moment.
      while (await serves(address)) await sleep(50);
    },
  };
}

function signalGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGTERM');
  } catch {
    // It has already ended.
  }
}

async function serves(address: string): Promise<boolean> {
  try {
    const answer = await fetch(`${address}/healthz`);
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
