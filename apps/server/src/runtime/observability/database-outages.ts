import { setTimeout as pause } from 'node:timers/promises';
import { type Database, isDatabaseAway, isDatabaseUnavailable } from '@cellfolio/platform';
import type { Logger } from 'pino';

interface Outage {
  cause: Error;
  /** Milliseconds. */
  began: number;
  callsRefused: number;
}

const settleMilliseconds = 250;
const lookMilliseconds = 1000;

/**
 * Logs outages of the database: a line when one begins, with its cause, and one when it has ended, instead of one for
 * each call and job that fails meanwhile.
 */
export class DatabaseOutages {
  #outage: Outage | undefined;
  #watched: { database: Pick<Database, 'pool'>; log: Logger } | undefined;
  #query: Promise<boolean> | undefined;

  /** Starts logging outages of this database to `log`. */
  watch(database: Pick<Database, 'pool'>, log: Logger): void {
    this.#watched = { database, log };
  }

  noteLoss(cause: Error): void {
    if (!this.#watched || this.#outage) return;
    this.#outage = { cause, began: performance.now(), callsRefused: 0 };
    void this.#follow(this.#outage, this.#watched.log);
  }

  /** Whether a log line about this error is part of an outage. `refusesCall`: it is about a refused call. */
  covers(error: unknown, { refusesCall }: { refusesCall: boolean }): boolean {
    if (!isDatabaseUnavailable(error)) return false;
    // What a server says while it stops comes before its connection breaks. A system call may be that of another service.
    if (isDatabaseAway(error) && !('syscall' in (error as Error))) this.noteLoss(error as Error);
    if (!this.#outage) return false;
    if (refusesCall) this.#outage.callsRefused += 1;
    return true;
  }

  async close(): Promise<void> {
    this.#watched = undefined;
  }

  async #follow(outage: Outage, log: Logger): Promise<void> {
    const { message, code } = outage.cause as NodeJS.ErrnoException;
    let isAway = !(await this.#answers());
    if (!isAway) {
      // A server that stops may end one connection while another still answers.
      await pause(settleMilliseconds, undefined, { ref: false });
      isAway = !(await this.#answers());
    }
    if (isAway) {
      log.error({ cause: message, code }, 'the database is unavailable: calls are refused until it is back');
      do await pause(lookMilliseconds, undefined, { ref: false });
      while (!(await this.#answers()));
    }
    this.#outage = undefined;
    if (!this.#watched) return;
    const seconds = Math.round((performance.now() - outage.began) / 100) / 10;
    const end = { seconds, callsRefused: outage.callsRefused };
    if (isAway) log.warn(end, 'the database is available again');
    else log.warn({ cause: message, code, ...end }, 'a connection to the database was lost');
  }

  /** Whether the database responds within a second; true when none is watched. */
  #answers(): Promise<boolean> {
    this.#query ??= this.#watched?.database.pool
      .query('select 1')
      .then(() => true)
      .catch(() => false)
      .finally(() => (this.#query = undefined));
    return Promise.race([this.#query ?? true, pause(lookMilliseconds, false, { ref: false })]);
  }
}
