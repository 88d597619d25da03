import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@cellfolio/platform';
import {
  isHeld,
  latestLines,
  type LogLine,
  logLine,
  maxLogLines,
  renewLease,
  type Run,
} from '../job-table.ts';

/** Interval of lease checks, which also record the progress. */
const lookMs = 1000;
/** A lease is renewed after this share of it, so that a busy machine may be late. */
const renewAfter = 1 / 4;

export interface RunProgressOptions {
  database: Database;
  leaseSeconds: number;
  logError: (error: unknown, jobId: string) => void;
}

/**
 * Records the progress of a run and keeps its lease alive until it is stopped; aborts `lost` when the job is taken
 * away, or when the database was unreachable so long that another process may have it.
 */
export class RunProgress {
  readonly lost = new AbortController();
  readonly #options: RunProgressOptions;
  readonly #run: Run;
  readonly #log: LogOnce;
  readonly #stopped = new AbortController();
  readonly #logged = new Set<string>();
  readonly #looking: Promise<void>;
  #renewedAt = performance.now();
  #heardAt = this.#renewedAt;
  #stage: string | undefined;
  #detail = '';
  #fraction = 0;
  #lines: LogLine[] = [];
  #changed = false;

  constructor(options: RunProgressOptions, run: Run) {
    this.#options = options;
    this.#run = run;
    this.#log = new LogOnce((error) => options.logError(error, run.job.id));
    this.#looking = this.#keepLooking();
  }

  /** `detail` is shown with the stage, but not logged. */
  progress(stage: string, fraction: number, detail = ''): void {
    if (stage !== this.#stage) this.log(stage);
    this.#stage = stage;
    this.#detail = detail;
    this.#fraction = Number.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : this.#fraction;
    this.#changed = true;
  }

  log(text: string): void {
    const line = logLine(text);
    if (this.#logged.size < maxLogLines) this.#logged.add(line.text);
    this.#lines = latestLines([...this.#lines, line]);
    this.#changed = true;
  }

  hasLogged(text: string): boolean {
    return this.#logged.has(logLine(text).text);
  }

  /** Checks at once, besides the regular checks. Never rejects. */
  async look(): Promise<void> {
    const leaseMs = this.#options.leaseSeconds * 1000;
    // The lease is counted from before the statement, however late its answer.
    const startedAt = performance.now();
    try {
      const renew = this.#changed || startedAt - this.#renewedAt > leaseMs * renewAfter;
      if (!(await (renew ? this.#renew() : isHeld(this.#options.database, this.#run))))
        return this.lost.abort();
      if (renew) this.#renewedAt = startedAt;
      this.#heardAt = startedAt;
      this.#log.succeeded();
    } catch (error) {
      this.#log.failed(error);
      if (performance.now() - this.#heardAt > leaseMs) this.lost.abort();
    }
  }

  stop(): Promise<void> {
    this.#stopped.abort();
    return this.#looking;
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted && !this.lost.signal.aborted) {
      await this.look();
      await pause(lookMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #renew(): Promise<boolean> {
    const { database, leaseSeconds } = this.#options;
    const lines = this.#lines;
    this.#lines = [];
    this.#changed = false;
    const stage = this.#detail === '' ? this.#stage : `${this.#stage}: ${this.#detail}`;
    const progress = { stage, fraction: this.#fraction, lines };
    return renewLease(database, this.#run, leaseSeconds, progress).catch((error: unknown) => {
      this.#lines = latestLines([...lines, ...this.#lines]);
      this.#changed = true;
      throw error;
    });
  }
}

/**
 * Logs a repeated failure with the same cause once, until it has succeeded: a half-hour outage of the database is one
 * line of the log.
 */
export class LogOnce {
  readonly #logged = new Set<string>();
  readonly #log: (error: unknown) => void;

  constructor(log: (error: unknown) => void) {
    this.#log = log;
  }

  failed(error: unknown): void {
    const { name, code, message } = error as NodeJS.ErrnoException;
    const reason = `${name} ${code ?? message}`;
    if (this.#logged.has(reason)) return;
    this.#logged.add(reason);
    this.#log(error);
  }

  succeeded(): void {
    this.#logged.clear();
  }
}
