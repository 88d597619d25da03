import {
  listDatasets,
  type ObjectStore,
  removeDataset,
  verifyDataset,
  type VerifyReport,
} from '@cellfolio/store';
import { withObjects } from '../../boot/open-stores.ts';
import { Catalogue } from '../../features/catalogue/index.ts';
import { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { type CommandContext, exitCode } from '../command.ts';
import { alignColumns, printable } from '../terminal.ts';

export async function printDatasets({ settings, terminal }: CommandContext): Promise<void> {
  const { datasets, damaged } = await withObjects(settings, async (objects) => {
    // The catalogue of the server, so that both list the same datasets as damaged.
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

export async function removeFromCatalogue(id: string, { settings, terminal }: CommandContext): Promise<void> {
  await removeDataset(settings.objects, id);
  terminal.result({ removed: id }, () => `Removed ${id}.`);
}

export async function verifyDatasets(
  id: string | undefined,
  { settings, terminal }: CommandContext,
): Promise<number> {
  const reports: VerifyReport[] = [];
  await withObjects(settings, async (objects) => {
    const ids = id === undefined ? await allIds(objects) : [id];
    for (const one of ids) reports.push(await verifyDataset(objects, one));
  });
  terminal.result({ datasets: reports }, () =>
    reports
      .flatMap((report) => [
        `${printable(report.id)}: ${report.ok ? 'sound' : 'damaged'}`,
        ...report.problems.map(({ path, problem }) => `  ${printable(path)}: ${problem}`),
      ])
      .join('\n'),
  );
  return reports.every((report) => report.ok) ? exitCode.ok : exitCode.damaged;
}

async function allIds(objects: ObjectStore): Promise<string[]> {
  const { datasets, damaged } = await listDatasets(objects);
  return [...datasets, ...damaged].map(({ id }) => id);
}
