import { importH5ad } from '@cellfolio/ingest';
import { realData } from '@cellfolio/model/testing/real-data';
import type { Settings } from '../boot/settings/read-settings.ts';

type ImportSettings = Pick<Settings, 'objectRoot' | 'importMemoryBytes'>;

export async function importFile(
  { objectRoot, importMemoryBytes }: ImportSettings,
  { path, id }: { path: string; id: string },
): Promise<void> {
  await importH5ad({
    path,
    root: objectRoot,
    id,
    memoryBudget: importMemoryBytes,
    catalogue: {
      name: id,
      disease: 'Healthy',
      subdisease: 'Blood',
      category1: 'Healthy',
      category2: 'Blood',
      description: '',
      simulated: false,
    },
  });
}

/** Imports the real blood cells as `pbmc.h5ad`. */
export async function importPbmc68k(settings: ImportSettings): Promise<void> {
  await importFile(settings, { path: realData('pbmc68k_reduced.h5ad'), id: 'pbmc.h5ad' });
}
