import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { postgresPrograms } from '@cellfolio/platform/testing';
import type { BenchCase } from '../bench-context.ts';
import type { ReplicaFigures, ServedFigures } from '../capacity/scale-model.ts';
import type { Result } from '../measure/result.ts';
import { median } from '../measure/statistics.ts';
import { sumOfTimes, type ThreadTimes, threadTimes, timesBetween } from '../measure/thread-times.ts';
import { takeTurns, type Turns } from '../measure/turns.ts';
import type { LoadUser } from '../server/load-plan.ts';
import { load } from '../server/load-users.ts';
import {
  copyDatasets,
  importedParts,
  makeUsers,
  openedDatasets,
  figuresDrawnBy,
} from '../server/loaded-server.ts';
import { type PostgresProcess, startPostgres } from '../server/postgres-process.ts';
import { freePort, type StartedProcess, startServing } from '../server/server-process.ts';
import { paths } from '../paths.ts';

/** Enough that none of the processes ever has nothing to do. */
const users = 24;
/** Of one process: what all ask for is kept then. */
const warmUpSeconds = 60;
const seconds = 15;
/** One process and two after one another, so that a machine that is slower for minutes is so for both. */
const rounds = 10;

/**
 * What the processes have of the machine: a core each, where there are others for database and callers; otherwise one
 * core in turns, so that a process has no less of it, and is slowed no more, where there is another.
 */
interface Room {
  readonly turns: boolean;
  /** The core of the process of that number. */
  readonly coreOf: (process: number) => number;
  /** What database and callers have, as taskset names cores. */
  readonly rest: string;
  readonly words: string;
}

function roomOn(cores: number): Room {
  return cores >= 4
    ? {
        turns: false,
        coreOf: (process) => process,
        rest: `2-${cores - 1}`,
        words: `each process on a core of its own; database and callers on the other ${cores - 2}`,
      }
    : {
        turns: true,
        coreOf: () => 0,
        rest: `1-${cores - 1}`,
        words: `${cores} cores, too few for a core for each of two processes, for the database and for the callers: each process has a core for itself in every second turn of 20 ms, also where it is the only one; database and callers have another core`,
      };
}

interface Served extends ServedFigures {
  readonly processes: number;
  readonly plots: readonly number[];
  /** Milliseconds of a core for each call, by what the threads of the processes are there for. */
  readonly threads: ThreadTimes;
  /** The share of the calls for which a figure was drawn; all other figures were kept. */
  readonly drawn: number;
  readonly errors: number;
}

interface ApiProcess extends StartedProcess {
  readonly metricsPort: number;
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
    const room = roomOn(cores);
    // Before the database is started: its processes have the cores of the one that starts them.
    pin(process.pid, room.rest);
    const postgres = startPostgres(programs);
    try {
      const emails = await makeUsers({ dataDir: folder, url: postgres.url }, users);
      const sets: ApiProcess[][] = [[], []];
      const served: [Served[], Served[]] = [[], []];
      try {
        for (const [i, set] of sets.entries()) {
          for (let number = 0; number <= i; number++)
            set.push(await startApi(folder, postgres.url, `${i}-${number}`, room.coreOf(number)));
        }
        const tabs = await openedDatasets(sets[0]![0]!.address, emails, datasets);
        for (const set of sets) {
          // On the same core two processes take twice the time to have kept as much, each for itself.
          const warmUp = room.turns ? warmUpSeconds * set.length : warmUpSeconds;
          context.report(`replicas: ${set.length} warm up for ${warmUp} s`);
          await serve(set, tabs, postgres, warmUp, 1);
        }
        for (let round = 0; round < rounds; round++) {
          context.report(`replicas: round ${round + 1} of ${rounds}`);
          for (const [i, set] of sets.entries()) {
            const turns = room.turns ? inTurns(set) : undefined;
            try {
              served[i]!.push(await serve(set, tabs, postgres, seconds, 2 + round));
            } finally {
              turns?.end();
            }
          }
        }
      } finally {
        for (const one of sets.flat()) await one.stop();
      }
      await writeFile(join(context.scratch, 'replicas.json'), JSON.stringify(partsOf(served, room.words)));
      return { results: resultsOf(served), notes: notesOf(served, room.words) };
    } finally {
      postgres.stop();
      pin(process.pid, `0-${cores - 1}`);
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const inTurns = (set: readonly ApiProcess[]): Turns =>
  takeTurns(
    set.map(({ pid }) => pid),
    2,
  );

async function startApi(folder: string, url: string, name: string, core: number): Promise<ApiProcess> {
  const metricsPort = await freePort();
  const started = await startServing(['taskset', '-c', String(core), process.execPath, paths.serverStart], {
    ROLE: 'api',
    DATABASE_URL: url,
    METRICS_PORT: String(metricsPort),
    DATA_DIR: join(folder, `api-${name}`),
    OBJECT_STORE_URL: `file:${join(folder, 'objects')}`,
    COMPUTE_THREADS: '1',
    DEMO: 'false',
    // Tokens name who made them: the address of all, not of one.
    SITE_URL: 'http://127.0.0.1:3000',
    LOG_LEVEL: 'error',
  });
  return { ...started, metricsPort };
}

/** Calls as fast as they are answered, the users divided among the processes. */
async function serve(
  started: readonly ApiProcess[],
  tabs: readonly LoadUser[],
  postgres: PostgresProcess,
  duration: number,
  seed: number,
): Promise<Served> {
  const coreTimes = () => started.map(({ pid }) => threadTimes(pid, 'apart'));
  const drawn = async () => {
    const each = await Promise.all(started.map(({ metricsPort }) => figuresDrawnBy(metricsPort)));
    return each.reduce((sum, count) => sum + count, 0);
  };
  const before = {
    server: coreTimes(),
    database: postgres.coreTime(),
    own: process.cpuUsage(),
    drawn: await drawn(),
  };
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
  const threads = mean(
    coreTimes().map((now, i) => timesBetween(before.server[i]!, now)),
    calls,
  );
  return {
    processes: started.length,
    callsPerSecond: calls / passed,
    plots: reports.flatMap(({ answered }) => answered['gene plot']),
    server: sumOfTimes(threads),
    threads,
    drawn: ((await drawn()) - before.drawn) / calls,
    database: (postgres.coreTime() - before.database) / calls,
    caller: (user + system) / 1000 / calls,
    errors:
      refused.reduce((sum, [, count]) => sum + count, 0) +
      reports.reduce((sum, { broken }) => sum + broken, 0),
  };
}

/** What each of so many calls took, of the times of several processes. */
function mean(times: readonly ThreadTimes[], calls: number): ThreadTimes {
  const of = (part: keyof ThreadTimes) => times.reduce((sum, one) => sum + one[part], 0) / calls;
  return { loop: of('loop'), database: of('database'), compute: of('compute'), aside: of('aside') };
}

/** The rounds of one process, and those of two. */
type Rounds = readonly [one: readonly Served[], two: readonly Served[]];

function partsOf([one, two]: Rounds, room: string): ReplicaFigures {
  const figures = (served: readonly Served[]): ServedFigures => {
    const of = (part: keyof ServedFigures) => median(served.map((round) => round[part]));
    return {
      callsPerSecond: of('callsPerSecond'),
      server: of('server'),
      database: of('database'),
      caller: of('caller'),
    };
  };
  return { room, one: figures(one), two: figures(two) };
}

function resultsOf([one, two]: Rounds): Result[] {
  const target = { kind: 'ratio-at-least', limit: 1.7 } as const;
  return [
    ...[one, two].flatMap(resultsOfEach),
    // In the column of the peer what is the larger, so that the ratio is that of two to one.
    {
      quantity: 'two against one, as answered',
      unit: 'calls/s',
      ours: one.map(({ callsPerSecond }) => callsPerSecond),
      peer: two.map(({ callsPerSecond }) => callsPerSecond),
      target,
    },
    {
      quantity: 'two against one, by what a call takes of a core',
      unit: 'calls/s',
      ours: one.map(({ server }) => 1000 / server),
      peer: two.map(({ server }) => 2000 / server),
    },
  ];
}

function resultsOfEach(served: readonly Served[]): Result[] {
  const of = (quantity: string, unit: Result['unit'], read: (round: Served) => number): Result => ({
    quantity: `${nameOf(served)}: ${quantity}`,
    unit,
    ours: served.map(read),
  });
  return [
    of('calls answered', 'calls/s', ({ callsPerSecond }) => callsPerSecond),
    of('gene plots, median', 'ms', ({ plots }) => median(plots)),
    of("of the server's core, a call", 'ms', ({ server }) => server),
    of('of that event loop', 'ms', ({ threads }) => threads.loop),
    of('of that compute threads', 'ms', ({ threads }) => threads.compute),
    of('of that collector and compiler', 'ms', ({ threads }) => threads.aside),
    of('figures drawn, of all calls', 'share', ({ drawn }) => drawn),
    of("of the database's, a call", 'ms', ({ database }) => database),
    of("of the caller's, a call", 'ms', ({ caller }) => caller),
  ];
}

function notesOf(rounds: Rounds, room: string): string[] {
  return [
    room,
    ...rounds.map((served) => {
      const errors = served.reduce((sum, round) => sum + round.errors, 0);
      const each = served.map(({ callsPerSecond }) => callsPerSecond.toFixed(0)).join(', ');
      return `${nameOf(served)}: ${errors === 0 ? 'no error' : `${errors} ERRORS`}; ${users} users, each calling again as soon as answered; calls a second by rounds ${each}`;
    }),
  ];
}

const nameOf = ([first]: readonly Served[]): string =>
  first!.processes === 1 ? 'one process' : 'two processes';

/** All threads of a process to some cores. */
function pin(pid: number, to: string): void {
  execFileSync('taskset', ['-a', '-c', '-p', to, String(pid)], { stdio: 'ignore' });
}
