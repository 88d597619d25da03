import { execFile } from 'node:child_process';
import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Database } from '@cellfolio/platform';
import type { Cluster, Member } from '../../conformance/cluster.ts';
import type { FaultyObjects, ObjectsWeather } from './faulty-objects.ts';
import type { Findings } from './ledger.ts';

const run = promisify(execFile);

export interface FaultDeps {
  readonly cluster: Cluster;
  readonly objects: FaultyObjects;
  readonly findings: Findings;
  readonly random: () => number;
  /** A connection of the harness, which is cut with the others. */
  readonly database: Database;
  /** Processes whose data folder is a file system of its own, which can be filled. */
  readonly fillable: boolean;
  readonly log: (line: string) => void;
}

/** Resolves when the fault is over and what it took down is on its way up again. */
type Fault = (deps: FaultDeps) => Promise<void>;

const between = (random: () => number, least: number, most: number) => least + (most - least) * random();
const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** One fault of these at a time; more of the same would say nothing new. */
const busy = new Set<unknown>();

async function alone(what: unknown, work: () => Promise<void>): Promise<void> {
  while (busy.has(what)) await pause(50);
  busy.add(what);
  try {
    await work();
  } finally {
    busy.delete(what);
  }
}

const killed =
  (role: Member['role']): Fault =>
  async ({ cluster, random, findings }) => {
    const member = pick(random, role === 'api' ? cluster.apis : cluster.workers);
    const away = between(random, 0, 3000);
    // Perhaps while it starts.
    await member.kill();
    await pause(away);
    await revive(member, findings);
  };

const stopped =
  (role: Member['role']): Fault =>
  async ({ cluster, random, findings }) => {
    const member = pick(random, role === 'api' ? cluster.apis : cluster.workers);
    const away = between(random, 0, 1000);
    const code = await member.stop();
    findings.count(code === 0 ? 'processes that stopped in order' : `processes that stopped with ${code}`);
    await pause(away);
    await revive(member, findings);
  };

const reviving = new Map<Member, Promise<void>>();

/** As a service manager does: starts it until it stays. */
export function revive(member: Member, findings: Findings): Promise<void> {
  const known = reviving.get(member);
  if (known) return known;
  const begun = startUntilItStays(member, findings).finally(() => reviving.delete(member));
  reviving.set(member, begun);
  return begun;
}

async function startUntilItStays(member: Member, findings: Findings): Promise<void> {
  for (let attempt = 1; !member.running; attempt += 1) {
    try {
      await member.start();
    } catch {
      findings.count('starts that failed or were killed, and were repeated');
      if (attempt === 200) findings.add('stuck', `a process of the role ${member.role} does not start`);
      await pause(500);
    }
  }
}

const databaseRestart =
  (how: 'fast' | 'immediate'): Fault =>
  async ({ cluster, random }) => {
    const away = between(random, 0, 3000);
    await alone(cluster.postgres, () => cluster.postgres.restart(how, away));
  };

const connectionsCut: Fault = async ({ database, random }) => {
  const share = random();
  await database.pool
    .query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid() and random() < $1`,
      [Math.max(0.3, share)],
    )
    .catch(() => undefined);
};

const clientsCut: Fault = async ({ cluster }) => cluster.proxy.closeAllConnections();

const weather =
  (change: (random: () => number) => Partial<ObjectsWeather>): Fault =>
  async ({ objects, random }) => {
    const chosen = change(random);
    const time = between(random, 1000, 7000);
    await alone(objects, async () => {
      Object.assign(objects.weather, chosen);
      await pause(time);
      objects.clear();
    });
  };

/** Fills the file system of one process to the last byte. */
const diskFull: Fault = async ({ cluster, random, fillable, findings }) => {
  if (!fillable) return;
  const member = pick(random, [...cluster.apis, ...cluster.workers]);
  const time = between(random, 2000, 8000);
  const path = join(member.dataDir, 'ballast');
  await alone(`disk of ${member.name}`, async () => {
    const ballast = await open(path, 'w');
    try {
      for (const piece of [1 << 20, 4096, 512, 1]) {
        const zeros = Buffer.alloc(piece);
        for (;;) await ballast.writeFile(zeros);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') findings.count('disks filled');
    } finally {
      await ballast.close();
    }
    await pause(time);
    await rm(path, { force: true });
  });
};

export const clockFile = (dataDir: string) => `${dataDir}.clock`;

const clockStep: Fault = async ({ cluster, random }) => {
  const member = pick(random, [...cluster.apis, ...cluster.workers]);
  const hours = between(random, -6, 6);
  const time = between(random, 2000, 10_000);
  await alone(`clock of ${member.name}`, async () => {
    await setClock(member, Math.round(hours * 3600_000));
    await pause(time);
    await setClock(member, 0);
  });
};

async function setClock(member: Member, milliseconds: number): Promise<void> {
  await writeFile(clockFile(member.dataDir), String(milliseconds));
  if (!member.running || member.pid === undefined) return;
  // Before its clock is loaded the signal would end a process; then it reads the file by itself.
  const listening = await fetch(`${member.url}/healthz`).catch(() => undefined);
  if (listening && member.running) process.kill(member.pid, 'SIGUSR2');
}

/** The process that does the work of a job, as the system does when memory runs out. */
const jobKilled: Fault = async ({ cluster, random, findings }) => {
  const pids: number[] = [];
  for (const worker of cluster.workers) {
    if (worker.running && worker.pid !== undefined) pids.push(...(await childrenOf(worker.pid)));
  }
  if (pids.length === 0) return;
  try {
    process.kill(pick(random, pids), 'SIGKILL');
    findings.count('processes of jobs killed');
  } catch {
    // It ended by itself.
  }
};

async function childrenOf(pid: number): Promise<number[]> {
  const found: number[] = [];
  for (const task of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const text = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '');
    found.push(...text.split(' ').filter(Boolean).map(Number));
  }
  return found;
}

/** Which faults there are, and how often each comes: those after which a process has to start take the longest. */
const kinds: readonly (readonly [weight: number, name: string, fault: Fault])[] = [
  [6, 'SIGKILL to a process that serves', killed('api')],
  [6, 'SIGKILL to a process that works', killed('worker')],
  [2, 'SIGTERM to a process that serves', stopped('api')],
  [2, 'SIGTERM to a process that works', stopped('worker')],
  [8, 'SIGKILL to the process of a job', jobKilled],
  [6, 'restart of PostgreSQL', databaseRestart('fast')],
  [6, 'crash of PostgreSQL', databaseRestart('immediate')],
  [16, 'connections to PostgreSQL cut', connectionsCut],
  [8, 'connections of clients cut', clientsCut],
  [10, 'object store answers 500 and 503', weather((random) => ({ errors: between(random, 0.1, 1) }))],
  [6, 'object store is slow', weather((random) => ({ delay: between(random, 100, 3000) }))],
  [7, 'answers of the object store are lost', weather((random) => ({ lost: between(random, 0.05, 0.6) }))],
  [6, 'bodies of the object store are cut', weather((random) => ({ cut: between(random, 0.1, 1) }))],
  [5, 'object store is away', weather(() => ({ away: true }))],
  [6, 'disk full', diskFull],
  [10, 'clock set', clockStep],
];

export interface InjectOptions {
  readonly faults: number;
  /** Milliseconds between two faults, on average. */
  readonly pace: number;
  /** No more of them begin after so many milliseconds. */
  readonly time: number;
}

/** Lets the faults come, some on top of others, and resolves when all of them are over. */
export async function inject(
  deps: FaultDeps,
  { faults, pace, time }: InjectOptions,
): Promise<Map<string, number>> {
  const { random, log } = deps;
  const done = new Map<string, number>();
  const under = new Set<Promise<void>>();
  const whole = kinds.reduce((sum, [weight]) => sum + weight, 0);
  const end = Date.now() + time;
  for (let number = 1; number <= faults && Date.now() < end; number += 1) {
    // What is drawn is drawn in one order, whatever the faults take; those have streams of their own.
    let at = random() * whole;
    const wait = pace * (0.2 + 1.6 * random());
    const own = streamOf(random());
    const looks = random() < 0.15 ? 0 : 150;
    const [, name, fault] = kinds.find(([weight]) => (at -= weight) < 0) ?? kinds[0]!;
    // Most of the time somebody is there to be hit; else it would be a day without users.
    for (let look = 0; look < looks && !isServing(deps.cluster); look += 1) await pause(100);
    log(`fault ${number}: ${name}`);
    done.set(name, (done.get(name) ?? 0) + 1);
    const underWay: Promise<void> = fault({ ...deps, random: own })
      .catch((error: unknown) => log(`  the fault could not be done: ${String(error)}`))
      .finally(() => under.delete(underWay));
    under.add(underWay);
    await pause(wait);
    while (under.size > 10) await Promise.race(under);
  }
  await Promise.all(under);
  return done;
}

function isServing({ apis, workers }: Cluster): boolean {
  const ready = (members: readonly Member[]) =>
    members.some((member) => member.running && !reviving.has(member));
  return ready(apis) && ready(workers);
}

/** Numbers of its own for what goes on beside other things. */
export function streamOf(seed: number): () => number {
  let state = Math.floor(seed * 2 ** 32) | 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** Whether this process may mount file systems; they go with it where it has a mount namespace of its own. */
export async function mountFolder(folder: string, megabytes: number): Promise<boolean> {
  return run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
}

export async function unmountFolder(folder: string): Promise<void> {
  await run('umount', ['-l', folder]).catch(() => undefined);
}
