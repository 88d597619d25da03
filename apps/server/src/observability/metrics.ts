import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What is looked at when somebody asks, instead of being counted. */
export interface Observed {
  readonly computeThreads: number;
  /** Tasks that wait for a compute thread. */
  readonly tasksWaiting: () => number;
  /** Calls that compute, and calls that wait to. */
  readonly callsRunning: () => number;
  readonly callsWaiting: () => number;
  /** Connections to the database: in use, idle, awaited. */
  readonly database: () => { readonly total: number; readonly idle: number; readonly waiting: number };
  /** Jobs that have not ended, by kind and state. */
  readonly jobs: () => Promise<
    readonly { readonly kind: string; readonly state: string; readonly count: number }[]
  >;
}

/** A task of a compute thread that has ended. */
export interface ObservedTask {
  readonly kind: string;
  readonly outcome: 'done' | 'failed' | 'cancelled';
  readonly seconds: number;
  /** Reads of the object store and the bytes they brought. */
  readonly reads: number;
  readonly bytes: number;
}

const secondsOfCalls = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * What this process counts, in the form of Prometheus. Labels are few and ours: routes as patterns, kinds, states;
 * never a name, an address or an id from outside.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #calls: Histogram<'method' | 'route' | 'status'>;
  readonly #tasks: Histogram<'kind' | 'outcome'>;
  readonly #reads: Counter;
  readonly #bytes: Counter;
  readonly #turnedAway: Counter<'whose'>;

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
    for (const whose of ['user', 'server']) this.#turnedAway.inc({ whose }, 0);
  }

  /** Begins to look at what the process works with. */
  observe(observed: Observed): void {
    const gauge = (name: string, help: string, read: () => number): void => {
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
    };
    gauge('cellfolio_compute_threads', 'Compute threads at most.', () => observed.computeThreads);
    gauge('cellfolio_compute_tasks_waiting', 'Tasks that wait for a thread.', observed.tasksWaiting);
    gauge('cellfolio_calls_running', 'Calls that compute.', observed.callsRunning);
    gauge('cellfolio_calls_waiting', 'Calls that wait for their turn to compute.', observed.callsWaiting);
    this.#registry.registerMetric(
      new Gauge({
        name: 'cellfolio_database_connections',
        help: 'Connections to the database, and calls that wait for one.',
        labelNames: ['state'],
        registers: [],
        collect() {
          const { total, idle, waiting } = observed.database();
          this.set({ state: 'busy' }, total - idle);
          this.set({ state: 'idle' }, idle);
          this.set({ state: 'awaited' }, waiting);
        },
      }),
    );
    this.#registry.registerMetric(
      new Gauge({
        name: 'cellfolio_jobs',
        help: 'Jobs that have not ended.',
        labelNames: ['kind', 'state'],
        registers: [],
        async collect() {
          const jobs = await observed.jobs();
          this.reset();
          for (const { kind, state, count } of jobs) this.set({ kind, state }, count);
        },
      }),
    );
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
}
