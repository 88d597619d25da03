import { listDatasets, type ObjectStore, verifyDataset, type VerifyReport } from '@cellfolio/store';
import type { Settings } from '../boot/settings/read-settings.ts';
import { exitCode } from './exit-code.ts';
import { printable } from './table.ts';
import type { Terminal } from './terminal.ts';
import { withObjects } from './with-objects.ts';

/** Reads every byte of one dataset, or of all, against its checksums; returns the exit code. */
export async function verifyDatasets(
  id: string | undefined,
  settings: Settings,
  terminal: Terminal,
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
