import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postgresPrograms, type PrivatePostgres, startPrivatePostgres } from '@cellfolio/platform/testing';
import { scratchFolder } from './databases.ts';
import { freePort } from './platform-server.ts';

const project = fileURLToPath(new URL('..', import.meta.url));

export interface Member {
  name: string;
  role: 'all' | 'api' | 'worker';
  url: string;
  dataDir: string;
  pid: number | undefined;
  running: boolean;
  /** SIGKILL. */
  kill(): Promise<void>;
  stop(): Promise<number | null>;
  start(): Promise<void>;
}

interface ClusterOptions {
  /** Maps the address of the object store to that for the processes, such as of a proxy. */
  beforeObjects?: (endpoint: string) => Promise<string>;
  settings?: (name: string, dataDir: string) => Promise<NodeJS.ProcessEnv>;
  onError?: (name: string, text: string) => void;
}

export interface Cluster {
  url: string;
  databaseUrl: string;
  postgres: PrivatePostgres;
  objectsFolder: string;
  environment: NodeJS.ProcessEnv;
  proxy: Server;
  apis: readonly [Member, Member];
  /** The second is not started initially. */
  workers: readonly [Member, Member];
  close(): Promise<void>;
}

/**
 * Starts a production setup on one machine: PostgreSQL, an S3 server, two API processes, the first of two workers and a
 * round-robin proxy. The processes share only the database and the object store.
 */
export async function startCluster({
  beforeObjects = async (endpoint) => endpoint,
  settings = async () => ({}),
  onError,
}: ClusterOptions = {}): Promise<Cluster> {
  const programs = postgresPrograms();
  if (!programs) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const folder = await scratchFolder();
  const postgres = await startPrivatePostgres(programs);
  const s3 = await startObjects(join(folder, 's3'));
  const endpoint = encodeURIComponent(await beforeObjects(s3.endpoint));
  const proxyPort = await freePort();
  const url = `http://127.0.0.1:${proxyPort}`;
  const environment = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    HOST: '127.0.0.1',
    DATABASE_URL: postgres.url,
    OBJECT_STORE_URL: `s3://S3RVER:S3RVER@127.0.0.1/cells/cluster?endpoint=${endpoint}`,
    SITE_URL: url,
    DEMO: 'false',
    LOG_LEVEL: 'error',
    COMPUTE_THREADS: '1',
  };
  const member = async (role: Member['role'], name: string): Promise<Member> => {
    const dataDir = join(folder, name);
    const own = await settings(name, dataDir);
    return startMember(
      { role, name, dataDir, ...(onError && { onError }) },
      { ...environment, ROLE: role, DATA_DIR: dataDir, ...own },
    );
  };
  const apis = [await member('api', 'api-1'), await member('api', 'api-2')] as const;
  const workers = [await member('worker', 'worker-1'), await member('worker', 'worker-2')] as const;
  // One after the other: the first one creates the tables.
  for (const one of [...apis, workers[0]]) await one.start();
  const proxy = await startProxy(proxyPort, apis);
  return {
    url,
    databaseUrl: postgres.url,
    postgres,
    objectsFolder: join(folder, 's3'),
    environment,
    proxy,
    apis,
    workers,
    close: async () => {
      proxy.close();
      proxy.closeAllConnections();
      await Promise.all([...apis, ...workers].map((one) => one.kill()));
      await s3.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type MemberOptions = Pick<Member, 'role' | 'name' | 'dataDir'> & Pick<ClusterOptions, 'onError'>;

export async function startMember(
  { role, name, dataDir, onError }: MemberOptions,
  environment: NodeJS.ProcessEnv,
): Promise<Member> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const running = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const start = async (): Promise<void> => {
    child = spawn(process.execPath, ['apps/server/src/boot/main.ts'], {
      cwd: project,
      env: { ...environment, PORT: String(port) },
      stdio: ['ignore', 'ignore', onError ? 'pipe' : 'inherit'],
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => onError?.(name, text));
    while (running()) {
      const ready = await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (ready) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`A process of the role ${role} ended with ${child.exitCode} before it was ready.`);
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (!child || !running()) return null;
    const [code] = (await Promise.all([once(child, 'exit'), child.kill(signal)]))[0] as [number | null];
    return code;
  };
  return {
    name,
    role,
    url,
    dataDir,
    get pid() {
      return child?.pid;
    },
    get running() {
      return running();
    },
    start,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}

/** Round robin over the running processes; a call whose process is killed is answered with 502. */
async function startProxy(port: number, targets: readonly Member[]): Promise<Server> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const alive = targets.filter(({ running }) => running);
    const target = alive[(turn += 1) % Math.max(1, alive.length)];
    const fail = () => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    };
    if (!target) return fail();
    const passed = httpRequest(
      target.url + incoming.url,
      { method: incoming.method ?? 'GET', headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        answer.on('error', fail);
      },
    );
    passed.on('error', fail);
    incoming.pipe(passed);
    outgoing.on('close', () => passed.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export async function startObjects(
  folder: string,
  bucket = 'cells',
): Promise<{ endpoint: string; stop(): Promise<void> }> {
  const child = fork(join(project, 'packages/bytes/src/testing/s3-server-child.ts'), [folder, bucket], {
    stdio: 'ignore',
  });
  const [message] = (await once(child, 'message')) as [{ port: number }];
  return {
    endpoint: `http://127.0.0.1:${message.port}`,
    stop: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

const countOf = (gene: number, cell: number): number => {
  const noise = (Math.imul(gene * 7919 + cell * 104_729 + 1, 2_654_435_761) >>> 16) % 6;
  return gene % 2 === cell % 2 ? 3 * noise + 1 : noise;
};
export const trioOf = (geneCount: number, cellCount: number): Readonly<Record<string, string>> => ({
  'small.mtx': [
    '%%MatrixMarket matrix coordinate integer general',
    `${geneCount} ${cellCount} ${geneCount * cellCount}`,
    ...Array.from({ length: geneCount * cellCount }, (_, at) => {
      const gene = at % geneCount;
      const cell = Math.floor(at / geneCount);
      return `${gene + 1} ${cell + 1} ${countOf(gene, cell)}`;
    }),
  ].join('\n'),
  'barcodes.tsv': Array.from({ length: cellCount }, (_, cell) => `CELL${cell}-1`).join('\n'),
  'features.tsv': Array.from(
    { length: geneCount },
    (_, gene) => `ENSG${gene}\tGENE${gene}\tGene Expression`,
  ).join('\n'),
});
