import { randomUUID } from 'node:crypto';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext, ImportedDataset } from '../bench-context.ts';
import { ChildFailed, LineServer, processMemory, processorSeconds } from '../measure/child.ts';
import { paths } from '../paths.ts';

export class ExplorerClient {
  readonly #address: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(address: string, headers: Record<string, string>) {
    this.#address = address;
    this.headers = headers;
  }

  static async signUp(address: string): Promise<ExplorerClient> {
    return ExplorerClient.#of(address, await newSession(address), 'bench');
  }

  static async signIn(
    address: string,
    { tab, ...account }: { email: string; password: string; tab: string },
  ): Promise<ExplorerClient> {
    return ExplorerClient.#of(address, await sessionOf(address, 'token?grant_type=password', account), tab);
  }

  static async #of(address: string, session: Session, tab: string): Promise<ExplorerClient> {
    const { apiKey } = await publicKeys(address);
    return new ExplorerClient(address, {
      'x-api-key': apiKey,
      authorization: `Bearer ${session.access_token}`,
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

  async drawGene(gene: string): Promise<{ milliseconds: number; png: Buffer }> {
    const { milliseconds, answer } = await this.call('plot-umap-with-genes', { genes: [gene] });
    const { plots } = answer as { plots: { image: { value: string } }[] };
    const image = plots[0]?.image;
    if (image === undefined) throw new Error(`drawing ${gene} gave no figure`);
    const png = Buffer.from(image.value.slice(image.value.indexOf(',') + 1), 'base64');
    return { milliseconds, png };
  }
}

interface Session {
  access_token: string;
  user: { id: string };
}

/** Signs up a new user. */
export function newSession(address: string): Promise<Session> {
  const account = { email: `bench-${randomUUID()}@example.org`, password: randomUUID() };
  return sessionOf(address, 'signup', account);
}

async function sessionOf(address: string, call: string, account: object): Promise<Session> {
  const { publishableKey } = await publicKeys(address);
  const answer = await fetch(`${address}/auth/v1/${call}`, {
    method: 'POST',
    headers: { apikey: publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  return (await json(answer)) as Session;
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
  address: string;
  pid: number;
  /** From the start of the process to the first response of /healthz. */
  millisecondsToServing: number;
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

/** Starts the server of this checkout, without the demo catalogue. */
export function startServer(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<StartedProcess> {
  return startServing([process.execPath, paths.serverStart], {
    DATA_DIR: dataDir,
    DEMO: 'false',
    LOG_LEVEL: 'error',
    ...environment,
  });
}

/** Data folder and settings of a server over the store of a dataset, with a database of its own. */
export function serverPlace({ dataDir }: ImportedDataset, name: string) {
  return [join(dataDir, name), { OBJECT_STORE_URL: `file:${join(dataDir, 'objects')}` }] as const;
}

/** A process that answers calls. */
interface Contender {
  peak: () => number;
  processor: () => number;
  close: () => Promise<void>;
}

export interface DatasetServer extends Contender {
  address: string;
  pid: number;
  /** Its user has opened the dataset. */
  client: ExplorerClient;
  environment: Readonly<Record<string, string>>;
}

/** Two compute threads, as the peers have, and no figure cache. */
const peerConditions = { COMPUTE_THREADS: '2', FIGURE_CACHE_MB: '0' };

/** Starts a server over a dataset, on a database that exists. */
export async function openDatasetServer(
  dataset: ImportedDataset,
  settings: Readonly<Record<string, string>> = peerConditions,
): Promise<DatasetServer> {
  const [own, store] = serverPlace(dataset, 'dataset-server');
  const environment = { ...store, ...settings };
  // The first start creates the database.
  await (await startServer(own, environment)).stop();
  const server = await startServer(own, environment);
  const client = await ExplorerClient.signUp(server.address);
  await client.openDataset(dataset.id);
  return {
    address: server.address,
    pid: server.pid,
    client,
    environment: { DATA_DIR: own, ...environment },
    peak: () => processMemory(server.pid).peak,
    processor: () => processorSeconds(server.pid),
    close: async () => {
      await server.stop();
      await rm(own, { recursive: true, force: true });
    },
  };
}

interface AnalysisPeer extends Contender {
  /** Milliseconds of a call. */
  time: (request: object) => Promise<number>;
}

/** The peer's process with the file of a dataset in memory. */
export async function openAnalysisPeer(
  { python }: BenchContext,
  { path }: ImportedDataset,
): Promise<AnalysisPeer | undefined> {
  if (python === undefined) return undefined;
  const peer = new LineServer(python, [paths.analysisPeer, path]);
  await peer.answer();
  return {
    time: async (request) => ((await peer.ask(request)) as { seconds: number }).seconds * 1000,
    peak: () => processMemory(peer.pid).peak,
    processor: () => processorSeconds(peer.pid),
    close: () => peer.close(),
  };
}

/** Measures a server over a dataset, and the peer, beside each other. */
export async function withContenders<T>(
  context: BenchContext,
  dataset: ImportedDataset,
  measure: (server: DatasetServer, peer: AnalysisPeer | undefined) => Promise<T>,
): Promise<T> {
  const server = await openDatasetServer(dataset);
  try {
    const peer = await openAnalysisPeer(context, dataset);
    try {
      return await measure(server, peer);
    } finally {
      await peer?.close();
    }
  } finally {
    await server.close();
  }
}
