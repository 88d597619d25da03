import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { importH5ad } from '@cellfolio/ingest';
import type { Settings } from '../boot/settings/read-settings.ts';

const shared = process.env['CELLFOLIO_SHARED'] ?? resolve(import.meta.dirname, '../../../../../shared');
const source = join(shared, 'data/pbmc68k_reduced.h5ad');

/** Whether the blood cells are there; says so where they are not. @param what is not tested then */
export function hasPbmc68k(what: string): boolean {
  const there = existsSync(source);
  if (!there) console.warn(`\n!! SKIPPED: ${source} is absent, so ${what}.\n`);
  return there;
}

/** Imports the blood cells as `pbmc.h5ad`. */
export async function importPbmc68k({
  objectRoot,
  importMemoryBytes,
}: Pick<Settings, 'objectRoot' | 'importMemoryBytes'>): Promise<void> {
  await importH5ad({
    path: source,
    root: objectRoot,
    id: 'pbmc.h5ad',
    memoryBudget: importMemoryBytes,
    catalogue: {
      name: 'PBMC 68k',
      disease: 'Healthy',
      subdisease: 'Blood',
      category1: 'Healthy',
      category2: 'Blood',
      description: '',
      simulated: false,
    },
  });
}
