import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FileReport } from '@cellfolio/contract';
import { inspectH5ad, inspectTextFile } from '@cellfolio/ingest';
import { failureOf } from './failure-of.ts';
import { h5adFileReport } from './h5ad-file-report.ts';
import { missingParts } from './missing-parts.ts';
import { planFileQuality } from './plan-file-quality.ts';
import { plainName, plainText } from './plain-text.ts';
import { refuseForeignContent } from './refuse-foreign-content.ts';
import { WorkFailed } from './work-failed.ts';
import type { InputFile, InspectWork, WorkContext } from './work.ts';

/**
 * What an upload is. Of an .h5ad the tables are read and values sampled, all counts where cells
 * would be taken away; of a matrix its head, of a .tsv all lines.
 * Throws WorkFailed; the signal's reason.
 */
export async function inspectFile(work: InspectWork, context: WorkContext): Promise<FileReport> {
  const { file } = work;
  const { signal, onProgress } = context;
  onProgress('Looking at the file', 0);
  await refuseForeignContent(file);
  try {
    if (extname(file.name).toLowerCase() === '.h5ad') {
      const preflight = await inspectH5ad(file.path, { signal });
      const checked = missingParts(preflight).computable.includes('qualityControl');
      return h5adFileReport(preflight, checked ? await planFileQuality(work, preflight, context) : undefined);
    }
    const report = await inspectTextFile(file.path, file.name);
    signal.throwIfAborted();
    const notes = report.notes.map(plainText);
    if (report.kind === 'matrix') {
      await refuseTooManyEntries(file, report.entries);
      return { ...report, notes };
    }
    const { first, obstacles } = report;
    return { ...report, notes, first: first.map(plainText), obstacles: obstacles.map(plainText) };
  } catch (error) {
    throw signal.aborted ? error : failureOf(error, file.name);
  }
}

/** Two indices of a digit each, a blank and an end of line. */
const SHORTEST_ENTRY = 4;
/** What unpacks to more is refused wherever it is read. */
const MOST_UNPACKED = 100;

/** Throws WorkFailed where a matrix says that it has more entries than there is file: it was cut short, or is none. */
async function refuseTooManyEntries({ path, name }: InputFile, entries: number): Promise<void> {
  await using handle = await open(path);
  const { size } = await handle.stat();
  const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  const packed = buffer[0] === 0x1f && buffer[1] === 0x8b;
  if (entries * SHORTEST_ENTRY <= size * (packed ? MOST_UNPACKED : 1)) return;
  throw new WorkFailed(
    'cut_short',
    `${plainName(name)} declares ${entries.toLocaleString('en-US')} entries, more than a file of ${size.toLocaleString('en-US')} bytes can hold. It is damaged or cut short: copy it again, then upload it again.`,
  );
}
