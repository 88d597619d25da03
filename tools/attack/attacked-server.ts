import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@cellfolio/platform';
import { setPlan } from '@cellfolio/server';
import type { BenchContext } from '../../bench/src/bench-context.ts';
import { geneNames } from '../../bench/src/data/generated-file.ts';
import {
  copyDatasets,
  importDatasets,
  type LoadUser,
  makeUsers,
  signIn,
} from '../../bench/src/server/load-users.ts';
import { startServer } from '../../bench/src/server/running-server.ts';
import type { AttackerData } from './attacker.ts';

const bystanders = 3;
const accounts = 12;

export interface AttackedServer {
  address: string;
  pid: number;
  publishableKey: string;
  users: readonly LoadUser[];
  emails: readonly string[];
  attacker: AttackerData;
  remove(): Promise<void>;
}

export async function startAttackedServer(
  context: Pick<BenchContext, 'options' | 'imported' | 'scratch'>,
  programs?: string,
): Promise<AttackedServer> {
  const datasets = await importDatasets(context);
  const dataDir = join(context.scratch, `attacked-${process.pid}`);
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  await copyDatasets(datasets, join(dataDir, 'objects'));
  const postgres = programs === undefined ? undefined : startPostgres(programs);
  const place = { dataDir, ...(postgres && { url: postgres.url }) };
  const closers = [async () => rm(dataDir, { recursive: true, force: true }), async () => postgres?.stop()];
  const remove = async () => {
    for (const close of closers.toReversed()) await close();
  };
  try {
    const emails = await makeUsers(place, accounts);
    const attackersEmail = emails.pop()!;
    const database = await openDatabase(place);
    await setPlan(database, attackersEmail, 'Professional').finally(() => database.close());
    const server = await startServer(dataDir, {
      MALLOC_ARENA_MAX: '2',
      ...(postgres && { DATABASE_URL: postgres.url }),
      LOG_LEVEL: 'silent',
    });
    closers.push(() => server.stop());
    const { address, pid } = server;
    const config = (await (await fetch(`${address}/config.json`)).json()) as Pick<
      AttackerData,
      'publishableKey' | 'apiKey'
    >;
    const users: LoadUser[] = [];
    for (const [i, email] of emails.slice(0, bystanders).entries()) {
      const { id, size } = datasets[i % datasets.length]!;
      const client = await signIn(address, email, `tab-${i}`);
      await client.openDataset(id);
      users.push({ headers: client.headers, dataset: id, genes: shuffled(geneNames(size.genes)) });
    }
    const { scratch } = context;
    const { dataset, genes } = users[0]!;
    const attacker = await attackerAt({ address, email: attackersEmail, ...config, dataset, genes, scratch });
    return { address, pid, publishableKey: config.publishableKey, users, emails, attacker, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function attackerAt(details: Omit<AttackerData, 'token' | 'userId'>): Promise<AttackerData> {
  const { address, email, genes } = details;
  const client = await signIn(address, email, 'attack');
  const token = client.headers['authorization']!.replace('Bearer ', '');
  const { sub } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { sub: string };
  return { ...details, genes: genes.slice(0, 2000), token, userId: sub };
}

/** Deterministic order, so that all runs draw the same genes. */
function shuffled(names: readonly string[]): string[] {
  // Visits each name once, as the number of genes is no multiple of this prime.
  return Array.from({ length: names.length }, (_, i) => names[(i * 7919) % names.length]!);
}

interface PostgresProcess {
  url: string;
  stop(): void;
}

/** With default settings, including fsync. */
function startPostgres(programs: string): PostgresProcess {
  const folder = mkdtempSync(join(tmpdir(), 'cellfolio-bench-postgres-'));
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? accountOf('postgres') : undefined;
  if (account) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const run = (program: string, ...parameters: string[]): void => {
    execFileSync(join(programs, program), parameters, { cwd: folder, stdio: 'ignore', ...account });
  };
  const stop = (): void => {
    run('pg_ctl', '-D', data, '-m', 'fast', '-w', 'stop');
    rmSync(folder, { recursive: true, force: true });
  };
  run('initdb', '-D', data, '-U', 'owner', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8');
  const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c max_connections=100`;
  run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start');
  process.once('exit', stop);
  return {
    url: `postgresql://owner@localhost/postgres?host=${encodeURIComponent(folder)}`,
    stop: () => {
      process.removeListener('exit', stop);
      stop();
    },
  };
}

function accountOf(name: string): { uid: number; gid: number } {
  const id = (flag: string): number => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
