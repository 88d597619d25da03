import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { H5adError, readableFile } from '@cellfolio/ingest';
import { CommandFailure, exitCode } from '../command.ts';
import { convertedTrio, type ConvertedTrio, type ConvertOptions } from './matrix-market-source.ts';

export interface LocalSource {
  path: string;
  /** Default name of the dataset. */
  named: string;
  made?: Omit<ConvertedTrio, 'remove'>;
  /** Whether it is a text table or matrix, whose genes can be on either axis. */
  isTable?: boolean;
  remove: () => Promise<void>;
}

/**
 * Opens a local source: a file of any format, a folder of Cell Ranger or of Zarr. `shown` is the source's name in
 * messages. Throws CommandFailure; as converting does, with errors that name the source.
 */
export async function localSource(
  path: string,
  dataDir: string,
  options: ConvertOptions,
  shown: string = path,
): Promise<LocalSource> {
  const trio = await convertedTrio(path, dataDir, options);
  if (trio !== undefined)
    return { path: trio.path, named: trio.name, isTable: true, made: trio, remove: trio.remove };
  return readableSource({ path, name: basename(path), shown }, dataDir, options);
}

async function readableSource(
  { path: from, name, shown }: { path: string; name: string; shown: string },
  dataDir: string,
  { genesIn, onProgress, signal }: ConvertOptions,
): Promise<LocalSource> {
  const folder = join(dataDir, 'downloads');
  await mkdir(folder, { recursive: true });
  const output = join(folder, `${randomUUID()}.h5ad`);
  const remove = () => rm(output, { force: true });
  const { path, madeFrom, notes, table } = await readableFile({ path: from, name }, output, {
    genesIn,
    signal,
    onProgress: (share) => onProgress({ stage: 'reading', done: Math.round(share * 100), total: 100 }),
  });
  if (table?.assumed === true) {
    await remove();
    throw new CommandFailure(
      exitCode.usage,
      `${shown}: the names in the table do not show whether its genes are in rows or in columns. Say it with --genes-in rows or --genes-in columns. Nothing was added.`,
    );
  }
  if (madeFrom === undefined) return { path, named: shown, remove };
  const bytes = (await stat(from)).size;
  return {
    path,
    named: shown,
    remove,
    isTable: table !== undefined,
    made: {
      path,
      name: shown,
      rows: [{ label: 'Read from', value: madeFrom }],
      reported: (report) => ({
        ...report,
        file: { path: shown, bytes },
        warnings: [...notes.map((message) => ({ code: 'read-from', message })), ...report.warnings],
      }),
    },
  };
}

/** Rewords an error about a temporary file to one about its source. */
export function aboutSource(error: unknown, { path, made }: LocalSource): unknown {
  if (!(error instanceof H5adError) || made === undefined || error.path !== path) return error;
  const { code, part, problem, hint, cause } = error;
  return new H5adError({ code, part, problem, hint, cause, path: made.name });
}
