import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Database } from '../database.ts';
import { PooledDatabase } from '../pooled-database.ts';
import { checkClusterFormat, clusterExists, engineFormat, engineVersion } from './cluster-format.ts';
import { limitStatements, openEnginePool } from './engine-pool.ts';
import { Engine } from './engine.ts';
import { lockFolder } from './folder-lock.ts';
import { Housekeeping } from './housekeeping.ts';
import { initialiseCluster } from './initialise-cluster.ts';
import { syncFile, syncFolder } from '@cellfolio/bytes';

export interface EmbeddedOptions {
  /** The application's data folder; the database lives in its `database` folder. */
  readonly dataDir: string;
  readonly statementTimeoutMs: number;
  readonly connectionTimeoutMs: number;
  readonly log: (line: string) => void;
}

/**
 * Opens the embedded database, and makes it when it is not there. One process at a time.
 * Throws DatabaseLockedError, DatabaseVersionError, EngineError.
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
    // Only for people to read: what decides is in the cluster itself.
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
