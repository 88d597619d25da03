import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { postgresPrograms, startPrivatePostgres } from './private-postgres.ts';
import { scratchFolder } from './scratch-folder.ts';

const project = fileURLToPath(new URL('..', import.meta.url));

/** One process of the cluster, which can be killed and started again at the same port. */
export interface Member {
  readonly role: 'api' | 'worker';
  readonly url: string;
  readonly running: boolean;
  /** SIGKILL. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface Cluster {
  /** The proxy before the processes that serve. */
  readonly url: string;
  readonly databaseUrl: string;
  readonly apis: readonly [Member, Member];
  readonly workers: readonly [Member, Member];
  close(): Promise<void>;
}

/**
 * PostgreSQL, a server that speaks S3, two processes that serve, two that do jobs, and a round-robin proxy: what an
 * institute runs, on one machine. The processes share nothing but the database and the object store.
 */
export async function startCluster(): Promise<Cluster> {
  const programs = postgresPrograms();
  if (!programs) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const folder = await scratchFolder();
  const postgres = await startPrivatePostgres(programs);
  const s3 = await startObjects(join(folder, 's3'));
  const proxyPort = await freePort();
  const url = `http://127.0.0.1:${proxyPort}`;
  const environment = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    HOST: '127.0.0.1',
    DATABASE_URL: postgres.url,
    OBJECT_STORE_URL: s3.url,
    SITE_URL: url,
    DEMO: 'false',
    LOG_LEVEL: 'error',
    COMPUTE_THREADS: '1',
  };
  const member = async (role: Member['role'], name: string): Promise<Member> =>
    startMember(role, { ...environment, ROLE: role, DATA_DIR: join(folder, name) });
  // One after the other at first: the tables are made once.
  const apis = [await member('api', 'api-1'), await member('api', 'api-2')] as const;
  const workers = await Promise.all([member('worker', 'worker-1'), member('worker', 'worker-2')]);
  const proxy = await startProxy(proxyPort, apis);
  return {
    url,
    databaseUrl: postgres.url,
    apis,
    workers: workers as [Member, Member],
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

async function startMember(role: Member['role'], environment: NodeJS.ProcessEnv): Promise<Member> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const running = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const start = async (): Promise<void> => {
    child = spawn(process.execPath, ['apps/server/src/start/main.ts'], {
      cwd: project,
      env: { ...environment, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
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
  await start();
  return {
    role,
    url,
    get running() {
      return running();
    },
    start,
    kill: async () => {
      if (!child || !running()) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Hands calls to the processes that run, one after the other; a call that a process took with it is a 502. */
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

/** The S3 server that the tests of the stores use, in a process of its own. */
async function startObjects(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const child = fork(join(project, 'packages/platform/src/storage/testing/s3-server-child.ts'), [folder], {
    stdio: 'ignore',
  });
  const [message] = (await once(child, 'message')) as [{ port: number }];
  const endpoint = encodeURIComponent(`http://127.0.0.1:${message.port}`);
  return {
    url: `s3://S3RVER:S3RVER@127.0.0.1/cells/cluster?endpoint=${endpoint}`,
    stop: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
