import type { QualityPlan } from '@cellfolio/contract';
import type { PreflightReport } from '@cellfolio/ingest';
import type { ProcessingRecord } from '@cellfolio/model';
import { readSettings } from '../../boot/settings/read-settings.ts';
import { addDataset, type DatasetAddOptions } from './add-dataset.ts';
import type { Archives } from '../../runtime/archives/linked-datasets.ts';

export interface Printed {
  json: {
    report: PreflightReport;
    processing?: ProcessingRecord;
    quality?: QualityPlan;
    log: string[];
    dataset: string;
    version: string;
  };
  text: string;
}

/** Runs `dataset add` with its own data folder; with archives, without catalogue options. */
export async function addedTo(
  dataDir: string,
  source: string | undefined,
  more: Partial<DatasetAddOptions>,
  archives?: Archives,
): Promise<Printed> {
  let printed: Printed | undefined;
  const options: DatasetAddOptions = {
    ...(archives === undefined && { name: 'A', disease: 'B', subdisease: 'C' }),
    metadata: {},
    replace: false,
    compute: true,
    keepAllCells: false,
    dryRun: false,
    ...more,
  };
  const context = {
    settings: readSettings({ DATA_DIR: dataDir }),
    terminal: {
      json: true,
      result: (value: unknown, text: () => string) =>
        (printed = { json: value as Printed['json'], text: text() }),
      progress: () => ({ update: () => undefined, stop: () => undefined }),
    },
    signal: new AbortController().signal,
  };
  await addDataset(source, options, context, archives);
  return printed!;
}
