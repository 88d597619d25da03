import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type GenesIn, H5adError, type PreflightReport } from '@cellfolio/ingest';
import { type OpenedFile, WorkFailed, type WorkContext } from '../../features/uploads/index.ts';
import { CommandFailure, exitCode } from '../command.ts';
import { convertedTrio, type LocalSource } from './matrix-market-source.ts';

/**
 * Opens a local source: a file of any format, a folder of Cell Ranger or of Zarr. Throws CommandFailure; as converting
 * does.
 */
export async function localSource(
  path: string,
  genesIn: GenesIn | undefined,
  context: Pick<WorkContext, 'scratch' | 'signal' | 'onProgress'>,
  shown: string = path,
): Promise<LocalSource> {
  const trio = await convertedTrio(path, genesIn, context);
  return trio ?? { file: { path, name: basename(path) }, shown, named: shown, rows: [], warnings: [] };
}

/** The report and the rows above it, of the source instead of a temporary file. */
export async function reportOf(
  { file, shown, bytes, rows, warnings }: LocalSource,
  { readable: { madeFrom, notes }, report }: Pick<OpenedFile, 'readable' | 'report'>,
): Promise<{ rows: LocalSource['rows']; report: PreflightReport }> {
  const size = bytes ?? (madeFrom === undefined ? report.file.bytes : (await stat(file.path)).size);
  const readFrom = notes.map((message) => ({ code: 'read-from', message }));
  return {
    rows: [...rows, ...(madeFrom === undefined ? [] : [{ label: 'Read from', value: madeFrom }])],
    report: {
      ...report,
      file: { path: shown, bytes: size },
      warnings: [...warnings, ...readFrom, ...report.warnings],
    },
  };
}

/** Rewords an error of the work to one about its source, and to the option that answers its question. */
export function aboutSource(
  error: unknown,
  { path: opened, shown }: { path: string; shown: string },
  { scratch }: Pick<WorkContext, 'scratch'>,
): unknown {
  if (error instanceof WorkFailed && error.code === 'undecided_genes')
    return new CommandFailure(
      exitCode.usage,
      `${shown}: the names in the table do not show whether its genes are in rows or in columns. Say it with --genes-in rows or --genes-in columns. Nothing was added.`,
    );
  if (!(error instanceof H5adError)) return error;
  const { code, part, problem, hint, cause } = error;
  const path = error.path === opened || error.path.startsWith(scratch) ? shown : error.path;
  if (code === 'undecided-scale')
    return new CommandFailure(
      exitCode.usage,
      `${path}: ${part}: ${problem} ${hint} Use the option --expression. Nothing was added.`,
    );
  return new H5adError({ code, part, problem, hint, cause, path });
}
