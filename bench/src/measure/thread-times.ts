import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of processor time that a server process has taken, by what its threads are there for. */
export interface ThreadTimes {
  /** The main thread: calls are read, checked and answered here. */
  readonly loop: number;
  /** The thread of the embedded database; nothing where the database is a server of its own. */
  readonly database: number;
  /** The threads that work on cells. */
  readonly compute: number;
  /** Collector and compiler of the engine, and the file system: they work beside what calls wait for. */
  readonly aside: number;
}

/**
 * Reads what Linux has counted, to the nanosecond. Threads that have ended are not in it, so take differences over
 * times in which none ends. The embedded database starts before the compute threads and so has the lowest number of the
 * workers.
 */
export function threadTimes(pid: number, database: 'embedded' | 'apart' = 'embedded'): ThreadTimes {
  const times = { loop: 0, database: 0, compute: 0, aside: 0 };
  const workers: { thread: number; milliseconds: number }[] = [];
  for (const name of readdirSync(`/proc/${pid}/task`)) {
    const thread = Number(name);
    const read = look(pid, thread);
    if (!read) continue;
    const { title, milliseconds } = read;
    if (thread === pid) times.loop += milliseconds;
    else if (title === 'WorkerThread') workers.push({ thread, milliseconds });
    else times.aside += milliseconds;
  }
  workers.sort((a, b) => a.thread - b.thread);
  for (const [i, { milliseconds }] of workers.entries()) {
    times[i === 0 && database === 'embedded' ? 'database' : 'compute'] += milliseconds;
  }
  return times;
}

/** What was taken between two looks. */
export function timesBetween(before: ThreadTimes, after: ThreadTimes): ThreadTimes {
  return {
    loop: after.loop - before.loop,
    database: after.database - before.database,
    compute: after.compute - before.compute,
    aside: after.aside - before.aside,
  };
}

export const sumOfTimes = ({ loop, database, compute, aside }: ThreadTimes): number =>
  loop + database + compute + aside;

/** Undefined for a thread that has ended since it was listed. */
function look(pid: number, thread: number): { title: string; milliseconds: number } | undefined {
  try {
    const folder = `/proc/${pid}/task/${thread}`;
    const [nanoseconds] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ');
    return {
      title: readFileSync(`${folder}/comm`, 'utf8').trim(),
      milliseconds: Number(nanoseconds) / 1e6,
    };
  } catch {
    return undefined;
  }
}
