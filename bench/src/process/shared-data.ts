import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { paths } from '../paths.ts';

/** A data set that lies beside the repository, or where CELLFOLIO_SHARED says; undefined where it is not. */
export function sharedData(name: string): string | undefined {
  const path = join(resolve(process.env['CELLFOLIO_SHARED'] ?? join(paths.root, '../shared')), 'data', name);
  return existsSync(path) ? path : undefined;
}
