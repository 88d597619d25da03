import type { CacheUse } from '@cellfolio/store';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type {
  ObservedCalls,
  ObservedDatabase,
  ObservedJobs,
  ObservedLeftovers,
  ObservedRun,
  ObservedTable,
  ObservedTask,
} from './observed.ts';

const secondsOfCalls = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const secondsOfJobs = [1, 2.5, 5, 10, 30, 60, 150, 300, 600, 1800, 3600, 7200];

/** Metrics of this process for Prometheus. Labels have few values (routes, kinds, states), never names or ids of users. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #calls: Histogram<'method' | 'route' | 'status'>;
  readonly #tasks: Histogram<'kind' | 'outcome'>;
  readonly #runs: Histogram<'kind' | 'outcome'>;
  readonly #reads: Counter;
  readonly #bytes: Counter;
  readonly #turnedAway: Counter<'whose'>;
  readonly #start: Gauge<'part'>;
  readonly #leftovers: Counter<'kind'>;
  readonly #leftoverBytes: Counter<'kind'>;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#calls = new Histogram({
      name: 'cellfolio_http_request_duration_seconds',
      help: 'Time from the headers of a request to the end of the response.',
      labelNames: ['method', 'route', 'status'],
      buckets: secondsOfCalls,
      registers,
    });
    this.#tasks = new Histogram({
      name: 'cellfolio_compute_task_duration_seconds',
      help: 'Time of a compute task, including the time in the queue.',
      labelNames: ['kind', 'outcome'],
      buckets: secondsOfCalls,
      registers,
    });
    this.#runs = new Histogram({
      name: 'cellfolio_job_run_duration_seconds',
      help: 'Time that this process worked on a job, and the outcome.',
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
      help: 'Calls refused because too many were running.',
      labelNames: ['whose'],
      registers,
    });
    this.#start = new Gauge({
      name: 'cellfolio_start_duration_seconds',
      help: 'Duration of each part of the start; `database` includes recovery of the embedded database.',
      labelNames: ['part'],
      registers,
    });
    const labelNames = ['kind'] as const;
    this.#leftovers = new Counter({
      name: 'cellfolio_leftovers_removed_total',
      help: 'Objects and datasets removed because no row of a file names them.',
      labelNames,
      registers,
    });
    this.#leftoverBytes = new Counter({
      name: 'cellfolio_leftover_bytes_removed_total',
      help: 'Bytes of the objects and datasets removed because no row of a file names them.',
      labelNames,
      registers,
    });
    for (const kind of ['objects', 'datasets'] as const) this.removed({ kind, count: 0, bytes: 0 });
    for (const whose of ['user', 'server']) this.#turnedAway.inc({ whose }, 0);
  }

  /** `parts` holds seconds by part of the start. */
  started(parts: ReadonlyMap<string, number>): void {
    for (const [part, seconds] of parts) this.#start.set({ part }, seconds);
  }

  watchCalls(observed: ObservedCalls): void {
    this.#watch(
      'cellfolio_compute_threads',
      'Maximum number of compute threads.',
      () => observed.computeThreads,
    );
    this.#watch('cellfolio_compute_tasks_waiting', 'Tasks that wait for a thread.', observed.tasksWaiting);
    this.#watch('cellfolio_calls_running', 'Calls that compute.', observed.callsRunning);
    this.#watch(
      'cellfolio_calls_waiting',
      'Calls that wait for their turn to compute.',
      observed.callsWaiting,
    );
    this.#watchCaches(observed.caches);
  }

  /** Jobs and tables are the same in all processes that share the database. */
  watchDatabase({ connections, jobs, tables }: ObservedDatabase): void {
    this.#registry.registerMetric(
      new Gauge({
        name: 'cellfolio_database_connections',
        help: 'Connections to the database, and requests that wait for one.',
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
        'Time since the oldest queued job was created, and since the oldest running one started.',
        ({ oldest }) => oldest,
      ],
    ]);
    const ofTable = ({ table }: ObservedTable) => ({ table });
    this.#watchFound(tables, { names: ['table'], of: ofTable }, [
      ['cellfolio_table_bytes', 'Size of a table on disk.', ({ bytes }) => bytes],
      ['cellfolio_table_rows', 'Rows of a table, as last estimated by the database.', ({ rows }) => rows],
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

  removed({ kind, count, bytes }: ObservedLeftovers): void {
    this.#leftovers.inc({ kind }, count);
    this.#leftoverBytes.inc({ kind }, bytes);
  }

  turnedAway(whose: 'user' | 'server'): void {
    this.#turnedAway.inc({ whose });
  }

  /** Names of all metrics, for the test of the dashboard. */
  get names(): readonly string[] {
    return this.#registry.getMetricsAsArray().map(({ name }) => name);
  }

  async text(): Promise<{ type: string; body: string }> {
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

  #watchFound<Found, Label extends string>(
    find: () => Promise<readonly Found[]>,
    labels: { names: Label[]; of: (entry: Found) => Record<Label, string> },
    numbers: readonly (readonly [name: string, help: string, of: (entry: Found) => number])[],
  ): void {
    let running: Promise<readonly Found[]> | undefined;
    // All gauges are collected in the same moment. When the query fails they are left out; the other metrics are not.
    const query = () =>
      (running ??= find()
        .catch(() => [])
        .finally(() => (running = undefined)));
    for (const [name, help, of] of numbers) {
      this.#registry.registerMetric(
        new Gauge<Label>({
          name,
          help,
          labelNames: labels.names,
          registers: [],
          async collect() {
            const all = await query();
            this.reset();
            for (const entry of all) if (!Number.isNaN(of(entry))) this.set(labels.of(entry), of(entry));
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
            // Set to totals that are counted elsewhere.
            this.reset();
            for (const [cache, use] of caches()) this.inc({ cache }, of(use));
          },
        }),
      );
    };
    count('cellfolio_cache_hits_total', 'Cache hits.', ({ hits }) => hits);
    count('cellfolio_cache_misses_total', 'Cache misses.', ({ misses }) => misses);
    count('cellfolio_cache_evictions_total', 'Cache entries evicted.', ({ evictions }) => evictions);
    this.#registry.registerMetric(
      new Gauge({
        name: 'cellfolio_cache_bytes',
        help: 'Size of a cache.',
        labelNames,
        registers: [],
        collect() {
          // The size of the disk cache is unknown at first.
          for (const [cache, { bytes }] of caches()) if (!Number.isNaN(bytes)) this.set({ cache }, bytes);
        },
      }),
    );
    this.#registry.registerMetric(
      new Gauge({
        name: 'cellfolio_cache_limit_bytes',
        help: 'Maximum size of a cache.',
        labelNames,
        registers: [],
        collect() {
          for (const [cache, { limit }] of caches()) this.set({ cache }, limit);
        },
      }),
    );
  }
}
