import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { syncFolder } from '@cellfolio/bytes';
import { DatabaseVersionError, EngineError } from '../errors.ts';

/** Determines whether an engine can read the files of a cluster. */
interface ClusterFormat {
  major: string;
  /** `pg_control_version` and `catalog_version_no` of global/pg_control. */
  control: number;
  catalogue: number;
}

/** Format written by the pinned engine; a test compares it with a new cluster. */
export const engineFormat: ClusterFormat = { major: '18', control: 1800, catalogue: 202506291 };

/** Byte offsets in global/pg_control: a 64-bit system identifier comes first, in the machine's byte order. */
const controlOffset = 8;
const catalogueOffset = 12;
const stateOffset = 16;
/** DB_SHUTDOWNED of PostgreSQL's DBState. */
const shutDown = 1;

export function readClusterFormat(cluster: string): ClusterFormat {
  const control = readFileSync(join(cluster, 'global', 'pg_control'));
  return {
    major: readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim(),
    control: control.readUInt32LE(controlOffset),
    catalogue: control.readUInt32LE(catalogueOffset),
  };
}

/** Whether the cluster was closed cleanly, so that no recovery is needed. */
export function wasClosed(cluster: string): boolean {
  return readFileSync(join(cluster, 'global', 'pg_control')).readUInt32LE(stateOffset) === shutDown;
}

/** Checks the version file alone, since a cluster is moved into place as a whole. */
export function clusterExists(cluster: string): boolean {
  return existsSync(join(cluster, 'PG_VERSION'));
}

/**
 * Throws DatabaseVersionError unless this engine reads exactly this format. PostgreSQL checks the same later, but its
 * message is lost inside the engine.
 */
export function checkClusterFormat(cluster: string, writtenBy: string | undefined): void {
  const format = readClusterFormat(cluster);
  const { major, control, catalogue } = engineFormat;
  if (format.major === major && format.control === control && format.catalogue === catalogue) return;
  throw new DatabaseVersionError(
    cluster,
    describe(format) + (writtenBy ? ` (PGlite ${writtenBy})` : ''),
    describe(engineFormat) + ` (PGlite ${engineVersion()})`,
  );
}

function describe({ major, catalogue }: ClusterFormat): string {
  return `PostgreSQL ${major} with catalog ${catalogue}`;
}

export function engineVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const manifest = JSON.parse(readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}

/**
 * Creates an empty cluster in the folder `cluster`, which must not exist. Runs in a child process, because it takes 600
 * MB that a long-lived process would not release; the folder is synced, then renamed into place.
 */
export async function initialiseCluster(cluster: string): Promise<void> {
  const draft = `${cluster}.new`;
  // Left by an interrupted first start; the caller holds the folder lock.
  rmSync(draft, { recursive: true, force: true });
  await runChild(draft);
  renameSync(draft, cluster);
  await syncFolder(dirname(cluster));
}

function runChild(draft: string): Promise<void> {
  const script = fileURLToPath(new URL('./initialise-cluster-child.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    const child = fork(script, [draft], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let complaint = '';
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (complaint = (complaint + text).slice(-4000)));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) return resolve();
      const end = signal ? `was ended by ${signal}` : `ended with code ${String(code)}`;
      reject(new EngineError(`Making the embedded database failed: the process ${end}. ${complaint.trim()}`));
    });
  });
}
