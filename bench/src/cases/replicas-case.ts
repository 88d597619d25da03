import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { postgresPrograms } from '@cellfolio/platform/testing';
import type { BenchCase } from '../bench-context.ts';
import type { ReplicaFigures, ServedFigures } from '../capacity/scale-model.ts';
import type { Result } from '../measure/result.ts';
import { quantile } from '../measure/statistics.ts';
import { sumOfTimes, threadTimes } from '../measure/thread-times.ts';
import { takeTurns, type Turns } from '../measure/turns.ts';
import type { LoadUser } from '../server/load-plan.ts';
import { load } from '../server/load-users.ts';
import { copyDatasets, importedParts, makeUsers, openedDatasets } from '../server/loaded-server.ts';
import { type PostgresProcess, startPostgres } from '../server/postgres-process.ts';
import { type StartedProcess, startServing } from '../server/server-process.ts';
import { paths } from '../paths.ts';

/** Enough that none of the processes ever has nothing to do. */
const users = 24;
/** Of one process: what all ask for is kept then. */
const warmUpSeconds = 60;
const seconds = 40;

/**
 * What the processes have of the machine: a core each, where there are others for database and callers; otherwise the
 * machine in turns, so that one is never slowed by the other, as it would not be by one on a machine of its own.
 */
type Room = 'cores' | 'turns';

const rooms: Readonly<Record<Room, (cores: number) => string>> = {
  cores: (cores) => `each process on a core of its own; database and callers on the other ${cores - 2}`,
  turns: (cores) =>
    `${cores} cores, too few for two processes, database and callers side by side: each process, pinned to a core of its own, runs in every second turn of 20 ms, also where it is the only one`,
};

interface Served extends ServedFigures {
  readonly processes: number;
  readonly plots: readonly number[];
  readonly errors: number;
}

/** One api process and two, on a PostgreSQL server and a folder of datasets that they share, each on a core of its own. */
export const replicasCase: BenchCase = {
  name: 'replicas',
  title: 'two api processes against one, each on one core',
  async run(context) {
    const programs = postgresPrograms();
    if (programs === undefined)
      return { results: [], notes: ['NOT MEASURED: there are no PostgreSQL server programs here'] };
    const datasets = await importedParts(context);
    const folder = join(datasets[0]!.dataDir, 'replicas');
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await copyDatasets(datasets, join(folder, 'objects'));
    const cores = availableParallelism();
    const room: Room = cores >= 4 ? 'cores' : 'turns';
    const postgres = startPostgres(programs);
    const restOfCores = room === 'cores' ? `2-${cores - 1}` : `0-${cores - 1}`;
    try {
      const emails = await makeUsers({ dataDir: folder, url: postgres.url }, users);
      const served: Served[] = [];
      for (const processes of [1, 2]) {
        // On the same cores two processes take twice the time to have kept as much, each for itself.
        const warmUp = room === 'cores' ? warmUpSeconds : warmUpSeconds * processes;
        context.report(`replicas: ${processes} for ${warmUp + seconds} s`);
        const started: StartedProcess[] = [];
        let turns: Turns | undefined;
        pin(process.pid, restOfCores);
        try {
          for (let i = 0; i < processes; i++) started.push(await startApi(folder, postgres.url, i));
          const tabs = await openedDatasets(started[0]!.address, emails, datasets);
          await serve(started, tabs, postgres, warmUp, 1);
          if (room === 'turns')
            turns = takeTurns(
              started.map(({ pid }) => pid),
              2,
            );
          served.push(await serve(started, tabs, postgres, seconds, 2));
        } finally {
          turns?.end();
          for (const one of started) await one.stop();
          pin(process.pid, `0-${cores - 1}`);
        }
      }
      await writeFile(
        join(context.scratch, 'replicas.json'),
        JSON.stringify(partsOf(served, rooms[room](cores))),
      );
      return { results: resultsOf(served), notes: notesOf(served, room, cores) };
    } finally {
      postgres.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function startApi(folder: string, url: string, core: number): Promise<StartedProcess> {
  return startServing(['taskset', '-c', String(core), process.execPath, paths.serverStart], {
    ROLE: 'api',
    DATABASE_URL: url,
    DATA_DIR: join(folder, `api-${core}`),
    OBJECT_STORE_URL: `file:${join(folder, 'objects')}`,
    COMPUTE_THREADS: '1',
    DEMO: 'false',
    // Tokens name who made them: the address of all, not of one.
    SITE_URL: 'http://127.0.0.1:3000',
    LOG_LEVEL: 'error',
  });
}

/** Calls as fast as they are answered, the users divided among the processes. */
async function serve(
  started: readonly StartedProcess[],
  tabs: readonly LoadUser[],
  postgres: PostgresProcess,
  duration: number,
  seed: number,
): Promise<Served> {
  const coreTime = () => started.reduce((sum, { pid }) => sum + sumOfTimes(threadTimes(pid, 'apart')), 0);
  const before = { server: coreTime(), database: postgres.coreTime(), own: process.cpuUsage() };
  const began = performance.now();
  const reports = await Promise.all(
    started.map(({ address }, i) =>
      load({
        address,
        users: tabs.filter((_, tab) => tab % started.length === i),
        seconds: duration,
        seed: seed * 1000 + i * 100,
      }),
    ),
  );
  const passed = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before.own);
  const calls = reports
    .flatMap(({ answered }) => Object.values(answered))
    .reduce((sum, { length }) => sum + length, 0);
  const refused = reports.flatMap(({ statuses }) => [...statuses]).filter(([status]) => status !== 200);
  return {
    processes: started.length,
    callsPerSecond: calls / passed,
    plots: reports.flatMap(({ answered }) => answered['gene plot']),
    server: (coreTime() - before.server) / calls,
    database: (postgres.coreTime() - before.database) / calls,
    caller: (user + system) / 1000 / calls,
    errors:
      refused.reduce((sum, [, count]) => sum + count, 0) +
      reports.reduce((sum, { broken }) => sum + broken, 0),
  };
}

function partsOf([one, two]: readonly Served[], room: string): ReplicaFigures {
  const figures = ({ callsPerSecond, server, database, caller }: Served): ServedFigures => ({
    callsPerSecond,
    server,
    database,
    caller,
  });
  return { room, one: figures(one!), two: figures(two!) };
}

function resultsOf([one, two]: readonly Served[]): Result[] {
  const target = { kind: 'ratio-at-least', limit: 1.7 } as const;
  return [
    ...[one!, two!].flatMap((served): Result[] => [
      { quantity: `${count(served)}: calls answered`, unit: 'calls/s', ours: [served.callsPerSecond] },
      { quantity: `${count(served)}: gene plots, median`, unit: 'ms', ours: [quantile(served.plots, 0.5)] },
      { quantity: `${count(served)}: of the server's core, a call`, unit: 'ms', ours: [served.server] },
      { quantity: `${count(served)}: of the database's, a call`, unit: 'ms', ours: [served.database] },
      { quantity: `${count(served)}: of the caller's, a call`, unit: 'ms', ours: [served.caller] },
    ]),
    // In the column of the peer what is the larger, so that the ratio is that of two to one.
    {
      quantity: 'two against one, as answered',
      unit: 'calls/s',
      ours: [one!.callsPerSecond],
      peer: [two!.callsPerSecond],
      target,
    },
    {
      quantity: 'two against one, by what a call takes of a core',
      unit: 'calls/s',
      ours: [1000 / one!.server],
      peer: [2000 / two!.server],
    },
  ];
}

function notesOf(served: readonly Served[], room: Room, cores: number): string[] {
  return [
    rooms[room](cores),
    ...served.map(
      (one) =>
        `${count(one)}: ${one.errors === 0 ? 'no error' : `${one.errors} ERRORS`}; ${users} users, each calling again as soon as answered`,
    ),
  ];
}

const count = ({ processes }: Served): string => (processes === 1 ? 'one process' : 'two processes');

/** All threads of a process to some cores. */
function pin(pid: number, to: string): void {
  execFileSync('taskset', ['-a', '-c', '-p', to, String(pid)], { stdio: 'ignore' });
}
