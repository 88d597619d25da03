import type { Pool, PoolClient } from 'pg';
import type { Engine } from './engine.ts';

export interface HousekeepingOptions {
  readonly engine: Engine;
  readonly pool: Pool;
  readonly log: (line: string) => void;
  readonly checkpointEveryMs?: number;
  readonly vacuumEveryMs?: number;
  /** A process that never lives as long as `vacuumEveryMs` still vacuums once. */
  readonly firstVacuumAfterMs?: number;
}

export type Outcome = 'done' | 'nothing to do' | 'failed';

const minute = 60_000;
/** What the engine starts with. */
const engineMemory = 128 * 2 ** 20;

/** The engine has no background processes: does what its checkpointer and autovacuum would. */
export class Housekeeping {
  readonly #options: HousekeepingOptions;
  readonly #timers: NodeJS.Timeout[] = [];
  #lastPosition = new Map<string, string>();

  constructor(options: HousekeepingOptions) {
    this.#options = options;
    const {
      checkpointEveryMs = 5 * minute,
      vacuumEveryMs = 60 * minute,
      firstVacuumAfterMs = 2 * minute,
    } = options;
    const checkpoint = () => void this.run('checkpoint');
    const vacuum = () => void this.run('vacuum (analyze)');
    this.#timers.push(
      setInterval(checkpoint, checkpointEveryMs),
      setInterval(vacuum, vacuumEveryMs),
      setTimeout(vacuum, firstVacuumAfterMs),
    );
    for (const timer of this.#timers) timer.unref();
  }

  /** Does the task unless nothing was written since it was last done; waits its turn behind other work. */
  run(task: 'checkpoint' | 'vacuum (analyze)'): Promise<Outcome> {
    return this.#alone(task, async (client) => {
      if ((await position(client)) === this.#lastPosition.get(task)) return 'nothing to do';
      await this.#options.engine.maintain(task);
      this.#lastPosition.set(task, await position(client));
      return 'done';
    });
  }

  /**
   * Replaces the engine where its memory has grown, since it never shrinks. Statements that come meanwhile wait, as they
   * do for one another.
   */
  giveBack(): Promise<Outcome> {
    return this.#alone('giving memory back', async () => {
      const { engine } = this.#options;
      if ((await engine.maintain('select 1')) <= engineMemory) return 'nothing to do';
      await engine.renew();
      return 'done';
    });
  }

  /** Holding the one connection keeps clients away from the engine meanwhile. */
  async #alone(task: string, work: (client: PoolClient) => Promise<Outcome>): Promise<Outcome> {
    const { pool, log } = this.#options;
    try {
      const client = await pool.connect();
      try {
        return await work(client);
      } finally {
        client.release();
      }
    } catch (error) {
      log(
        `database housekeeping (${task}) failed: ${error instanceof Error ? error.message : String(error)}`,
      );
      return 'failed';
    }
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }
}

/** Where the write-ahead log ends. */
async function position(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn');
  return rows[0]!.lsn;
}
