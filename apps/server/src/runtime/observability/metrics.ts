import type { CacheUse } from '@cellfolio/store';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type {
  ObservedCalls,
  ObservedDatabase,
  ObservedJobs,
  ObservedRun,
  ObservedTable,
  ObservedTask,
} from './observed.ts';

const secondsOfCalls = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const secondsOfJobs = [1, 2.5, 5, 10, 30, 60, 150, 300, 600, 1800, 3600, 7200];

/**
 * What this process counts, in the form of Prometheus. Labels are few and ours: routes as patterns, kinds, states;
 * never a name, an address or an id from outside.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #calls: Histogram<'method' | 'route' | 'status'>;
  readonly #tasks: Histogram<'kind' | 'outcome'>;
  readonly #runs: Histogram<'kind' | 'outcome'>;
  readonly #reads: Counter;
  readonly #bytes: Counter;
  readonly #turnedAway: Counter<'whose'>;
  readonly #start: Gauge<'part'>;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#calls = new Histogram({
      name: 'cellfolio_http_request_duration_seconds',
      help: 'Time from the head of a call to the end of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: secondsOfCalls,
      registers,
    });
    this.#tasks = new Histogram({
      name: 'cellfolio_compute_task_duration_seconds',
      help: 'Time of a task of a compute thread, waiting included.',
      labelNames: ['kind', 'outcome'],
      buckets: secondsOfCalls,
      registers,
    });
    this.#runs = new Histogram({
      name: 'cellfolio_job_run_duration_seconds',
      help: 'Time that this process worked on a job, and how that ended.',
      labelNames: ['kind', 'outcome'],
      buckets: secondsOfJobs,
      registers,
    });
    this.#reads = new Counter({
      name: 'cellfolio_dataset_reads_total',
      help: 'Ranges of datasets that compute threads have read.',
      registers,
    });
    this.#bytes = new Counter({
      name: 'cellfolio_dataset_read_bytes_total',
      help: 'Bytes of datasets that compute threads have read.',
      registers,
    });
    this.#turnedAway = new Counter({
      name: 'cellfolio_calls_turned_away_total',
      help: 'Calls that were refused because too many were under way.',
      labelNames: ['whose'],
      registers,
    });
    this.#start = new Gauge({
      name: 'cellfolio_start_duration_seconds',
      help: 'Time that each part of the start of this process took; recovery of the embedded database is in `database`.',
      labelNames: ['part'],
      registers,
    });
    for (const whose of ['user', 'server']) this.#turnedAway.inc({ whose }, 0);
  }

  /** How long each part of the start took, in seconds. */
  started(parts: ReadonlyMap<string, number>): void {
    for (const [part, seconds] of parts) this.#start.set({ part }, seconds);
  }

  /** Begins to look at how calls are served. */
  watchCalls(observed: ObservedCalls): void {
    this.#watch('cellfolio_compute_threads', 'Compute threads at most.', () => observed.computeThreads);
    this.#watch('cellfolio_compute_tasks_waiting', 'Tasks that wait for a thread.', observed.tasksWaiting);
    this.#watch('cellfolio_calls_running', 'Calls that compute.', observed.callsRunning);
    this.#watch(
      'cellfolio_calls_waiting',
      'Calls that wait for their turn to compute.',
      observed.callsWaiting,
    );
    this.#watchCaches(observed.caches);
  }

  /** Begins to look at the database. Of jobs and tables every process tells the same: those of all. */
  watchDatabase({ connections, jobs, tables }: ObservedDatabase): void {
    this.#registry.registerMetric(
      new Gauge({
        name: 'cellfolio_database_connections',
        help: 'Connections to the database, and calls that wait for one.',
        labelNames: ['state'],
        registers: [],
        collect() {
          const { total, idle, waiting } = connections();
          this.set({ state: 'busy' }, total - idle);
          this.set({ state: 'idle' }, idle);
          this.set({ state: 'awaited' }, waiting);
        },
      }),
    );
    const ofJobs = ({ kind, state }: ObservedJobs) => ({ kind, state });
    this.#watchFound(jobs, { names: ['kind', 'state'], of: ofJobs }, [
      ['cellfolio_jobs', 'Jobs that have not ended.', ({ count }) => count],
      [
        'cellfolio_job_oldest_seconds',
        'Time since the oldest queued job came, and since the oldest running one was begun.',
        ({ oldest }) => oldest,
      ],
    ]);
    const ofTable = ({ table }: ObservedTable) => ({ table });
    this.#watchFound(tables, { names: ['table'], of: ofTable }, [
      ['cellfolio_table_bytes', 'Room that a table of the database takes on its disk.', ({ bytes }) => bytes],
      ['cellfolio_table_rows', 'Rows of a table, as the database last estimated them.', ({ rows }) => rows],
    ]);
  }

  called(call: { method: string; route: string; status: number; seconds: number }): void {
    const { method, route, status, seconds } = call;
    this.#calls.observe({ method, route, status: String(status) }, seconds);
  }

  computed({ kind, outcome, seconds, reads, bytes }: ObservedTask): void {
    this.#tasks.observe({ kind, outcome }, seconds);
    this.#reads.inc(reads);
    this.#bytes.inc(bytes);
  }

  workedOn({ kind, outcome, seconds }: ObservedRun): void {
    this.#runs.observe({ kind, outcome }, seconds);
  }

  turnedAway(whose: 'user' | 'server'): void {
    this.#turnedAway.inc({ whose });
  }

  /** Names of everything that is told, for the test of the dashboard. */
  get names(): readonly string[] {
    return this.#registry.getMetricsAsArray().map(({ name }) => name);
  }

  async text(): Promise<{ readonly type: string; readonly body: string }> {
    return { type: this.#registry.contentType, body: await this.#registry.metrics() };
  }

  #watch(name: string, help: string, read: () => number): void {
    this.#registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(read());
        },
      }),
    );
  }

  /** Several numbers of what one look finds. */
  #watchFound<Found, Label extends string>(
    find: () => Promise<readonly Found[]>,
    labels: { readonly names: Label[]; readonly of: (found: Found) => Record<Label, string> },
    numbers: readonly (readonly [name: string, help: string, of: (found: Found) => number])[],
  ): void {
    let looking: Promise<readonly Found[]> | undefined;
    // One look for all numbers, which are asked for in the same moment. Of a database that does not answer nothing is
    // told; all other numbers are.
    const look = () =>
      (looking ??= find()
        .catch(() => [])
        .finally(() => (looking = undefined)));
    for (const [name, help, of] of numbers) {
      this.#registry.registerMetric(
        new Gauge<Label>({
          name,
          help,
          labelNames: labels.names,
          registers: [],
          async collect() {
            const all = await look();
            this.reset();
            for (const found of all) if (!Number.isNaN(of(found))) this.set(labels.of(found), of(found));
          },
        }),
      );
    }
  }

  #watchCaches(caches: ObservedCalls['caches']): void {
    const labelNames = ['cache'] as const;
    const count = (name: string, help: string, of: (use: CacheUse) => number): void => {
      this.#registry.registerMetric(
        new Counter({
          name,
          help,
          labelNames,
          registers: [],
          collect() {
            // They are counted elsewhere, and only ever rise.
            this.reset();
            for (const [cache, use] of caches()) this.inc({ cache }, of(use));
          },
        }),
      );
    };
    count('cellfolio_cache_hits_total', 'Found in a cache.', ({ hits }) => hits);
    count('cellfolio_cache_misses_total', 'Looked for in a cache in vain.', ({ misses }) => misses);
    count('cellfolio_cache_evictions_total', 'Dropped to make room.', ({ evictions }) => evictions);
    this.#registry.registerMetric(
      new Gauge({
        name: 'cellfolio_cache_bytes',
        help: 'Bytes that a cache holds.',
        labelNames,
        registers: [],
        collect() {
          // Of a folder on the disk it is not known at first.
          for (const [cache, { bytes }] of caches()) if (!Number.isNaN(bytes)) this.set({ cache }, bytes);
        },
      }),
    );
    this.#registry.registerMetric(
      new Gauge({
        name: 'cellfolio_cache_limit_bytes',
        help: 'Bytes that a cache may hold.',
        labelNames,
        registers: [],
        collect() {
          for (const [cache, { limit }] of caches()) this.set({ cache }, limit);
        },
      }),
    );
  }
}
