import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportedDataset } from '../bench-context.ts';
import { runForJson } from '../measure/child.ts';
import { paths } from '../paths.ts';
import { copyDatasets } from '../server/loaded-server.ts';
import type { MeasuredCapacity } from './scale-model.ts';

/** Each dataset is opened so often: what opens them is compiled, as in a process that serves. */
const openings = 8;

/** What importing and opening datasets take, each in a process of its own. */
export async function measureDatasets(
  datasets: readonly ImportedDataset[],
  folder: string,
): Promise<Pick<MeasuredCapacity, 'importing' | 'opening'>> {
  const root = join(folder, 'objects');
  try {
    const first = datasets[0]!;
    const importing = await runForJson(process.execPath, [paths.importOnce, first.path, root, 'again.h5ad']);
    await copyDatasets(datasets, root);
    const ids = datasets.toReversed().map(({ id }) => id);
    const again = Array.from({ length: openings }, () => ids).flat();
    const opening = await runForJson(process.execPath, ['--expose-gc', paths.openOnce, root, ...again]);
    return {
      importing: importing as MeasuredCapacity['importing'],
      opening: opening as MeasuredCapacity['opening'],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
