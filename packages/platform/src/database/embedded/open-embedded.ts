import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { syncFile, syncFolder } from '@cellfolio/bytes';
import type { Pool, PoolClient } from 'pg';
import type { Database } from '../database.ts';
import { PooledDatabase } from '../pooled-database.ts';
import {
  checkClusterFormat,
  clusterExists,
  engineFormat,
  engineVersion,
  initialiseCluster,
} from './cluster-format.ts';
import { limitStatements, openEnginePool } from './engine-pool.ts';
import { Engine } from './engine.ts';
import { lockFolder } from './folder-lock.ts';

interface EmbeddedOptions {
  dataDir: string;
  statementTimeoutMs: number;
  connectionTimeoutMs: number;
  log: (line: string) => void;
}

/**
 * Opens the embedded database; creates it if missing. One process at a time. Throws DatabaseLockedError,
 * DatabaseVersionError, EngineError.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Database> {
  const { log } = options;
  const folder = resolve(options.dataDir, 'database');
  const cluster = join(folder, 'cluster');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(join(folder, 'lock'), log);
  try {
    const versionFile = join(folder, 'version.json');
    if (clusterExists(cluster)) {
      const writtenBy = readWriter(versionFile);
      checkClusterFormat(cluster, writtenBy);
      if (writtenBy !== engineVersion()) writeWriter(versionFile, folder);
    } else {
      log('making the embedded database (once; takes a few seconds)');
      await initialiseCluster(cluster);
      writeWriter(versionFile, folder);
    }
    const engine = new Engine({ cluster, statementTimeoutMs: options.statementTimeoutMs, log });
    await engine.ready();
    const { pool, connectLast } = openEnginePool(engine, options.connectionTimeoutMs);
    const housekeeping = new Housekeeping({ engine, pool, log });
    return new PooledDatabase({
      kind: 'embedded',
      pool,
      // Ours are short, and those who sign in wait for them; a caller's may take long.
      connectCaller: connectLast,
      log,
      limitStatements,
      giveBack: () => housekeeping.giveBack(),
      dispose: async () => {
        housekeeping.stop();
        await engine.close();
        lock.release();
      },
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

function readWriter(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { pglite?: string }).pglite;
  } catch {
    // For human readers only: the version that counts is in the cluster.
    return undefined;
  }
}

async function writeWriter(path: string, folder: string): Promise<void> {
  writeFileSync(
    `${path}.new`,
    `${JSON.stringify({ pglite: engineVersion(), postgres: engineFormat.major })}\n`,
  );
  await syncFile(`${path}.new`);
  renameSync(`${path}.new`, path);
  await syncFolder(folder);
}

interface HousekeepingOptions {
  engine: Engine;
  pool: Pool;
  log: (line: string) => void;
  checkpointEveryMs?: number;
  vacuumEveryMs?: number;
  /** A process with a lifetime shorter than `vacuumEveryMs` still vacuums once. */
  firstVacuumAfterMs?: number;
}

type Outcome = 'done' | 'nothing to do' | 'failed';

const minute = 60_000;
const engineMemory = 128 * 2 ** 20;

/** The engine has no background processes: does the work of its checkpointer and autovacuum. */
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

  /** Does the task unless nothing was written since the last time; queues behind other work. */
  run(task: 'checkpoint' | 'vacuum (analyze)'): Promise<Outcome> {
    return this.#alone(task, async (client) => {
      if ((await position(client)) === this.#lastPosition.get(task)) return 'nothing to do';
      await this.#options.engine.maintain(task);
      this.#lastPosition.set(task, await position(client));
      return 'done';
    });
  }

  /** Replaces the engine if its memory has grown, since it never shrinks. Statements sent meanwhile are queued. */
  giveBack(): Promise<Outcome> {
    return this.#alone('giving memory back', async () => {
      const { engine } = this.#options;
      if ((await engine.maintain('select 1')) <= engineMemory) return 'nothing to do';
      await engine.renew();
      return 'done';
    });
  }

  /** Holding the only connection keeps clients away from the engine meanwhile. */
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

async function position(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn');
  return rows[0]!.lsn;
}
