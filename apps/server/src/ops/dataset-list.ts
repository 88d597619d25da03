import { OpenDatasets } from '../runtime/compute/open-datasets.ts';
import type { Settings } from '../boot/settings/read-settings.ts';
import { alignColumns, printable } from './table.ts';
import type { Terminal } from './terminal.ts';
import { withObjects } from './with-objects.ts';
import { Catalogue } from '../features/catalogue/index.ts';

/** Prints the datasets of the store, and those that are there but cannot be read. */
export async function printDatasets(settings: Settings, terminal: Terminal): Promise<void> {
  const { datasets, damaged } = await withObjects(settings, async (objects) => {
    // Columns are read as the server reads them: it lists as damaged what this does.
    const catalogue = new Catalogue(objects, new OpenDatasets(objects, { datasets: 4, cacheBytes: 0 }));
    const damaged = (await catalogue.damaged()).map(({ id, reason }) => ({ id, reason }));
    const unreadable = new Set(damaged.map(({ id }) => id));
    return {
      datasets: (await catalogue.manifests()).filter(({ id }) => !unreadable.has(id)),
      damaged,
    };
  });
  const listed = datasets.map(({ id, cellCount, geneCount, catalogue, createdAt, version }) => ({
    id,
    name: catalogue.name,
    disease: catalogue.disease,
    subdisease: catalogue.subdisease,
    cells: cellCount,
    genes: geneCount,
    simulated: catalogue.simulated,
    createdAt,
    version,
  }));
  terminal.result({ datasets: listed, damaged }, () => {
    if (listed.length + damaged.length === 0) return 'No datasets yet. Add one with: dataset add FILE';
    const rows = listed.map((row) => [
      row.id,
      printable(row.name),
      printable(`${row.disease} / ${row.subdisease}`),
      row.cells.toLocaleString('en'),
      row.genes.toLocaleString('en'),
      row.simulated ? 'simulated' : '',
    ]);
    const broken = damaged.map(({ id, reason }) => `${printable(id)}: damaged: ${reason}`);
    return [alignColumns([['FILE', 'NAME', 'DISEASE', 'CELLS', 'GENES', ''], ...rows]), ...broken].join('\n');
  });
}
