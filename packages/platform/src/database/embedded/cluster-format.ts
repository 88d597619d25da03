import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DatabaseVersionError } from '../errors.ts';

/** What decides whether an engine can read the files of a cluster. */
export interface ClusterFormat {
  /** PostgreSQL's major version, as PG_VERSION holds it. */
  readonly major: string;
  /** `pg_control_version` and `catalog_version_no` of global/pg_control. */
  readonly control: number;
  readonly catalogue: number;
}

/** The format that the pinned engine writes; a test compares it with a cluster it has just made. */
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

/** Whether whoever had the cluster open last closed it, so that nothing has to be recovered. */
export function wasClosed(cluster: string): boolean {
  return readFileSync(join(cluster, 'global', 'pg_control')).readUInt32LE(stateOffset) === shutDown;
}

/** Whether a cluster is there at all; it is moved into place whole, so its version file is enough to tell. */
export function clusterExists(cluster: string): boolean {
  return existsSync(join(cluster, 'PG_VERSION'));
}

/**
 * Throws DatabaseVersionError unless this engine reads exactly what is in the folder. PostgreSQL checks the same
 * later, but its complaint is lost inside the engine.
 */
export function checkClusterFormat(cluster: string, writtenBy: string | undefined): void {
  const found = readClusterFormat(cluster);
  const { major, control, catalogue } = engineFormat;
  if (found.major === major && found.control === control && found.catalogue === catalogue) return;
  throw new DatabaseVersionError(
    cluster,
    describe(found) + (writtenBy ? ` (PGlite ${writtenBy})` : ''),
    describe(engineFormat) + ` (PGlite ${engineVersion()})`,
  );
}

function describe({ major, catalogue }: ClusterFormat): string {
  return `PostgreSQL ${major} with catalogue ${catalogue}`;
}

/** The version of the installed engine package. */
export function engineVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const manifest = JSON.parse(readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}
