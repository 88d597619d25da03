import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { combineSamples, type CombineFilesOptions, type SampleFile } from '@cellfolio/ingest';
import { countText, type SamplesRecord } from '@cellfolio/model';
import type { Fetched } from './links/fetch-linked.ts';
import { localSource } from './local-source.ts';
import type { ConvertOptions } from './matrix-market-source.ts';
import type { ConvertedTrio } from './matrix-market-source.ts';
import type { SampleLine, SamplesTable } from './samples-table.ts';

export interface CombinedSource extends ConvertedTrio {
  table: SamplesTable;
  source: Pick<SamplesRecord, 'genes' | 'files'>;
}

interface CombineOptions extends ConvertOptions {
  /** Name of the table in the report: its path, or the link it was made from. */
  from: string;
  genes: CombineFilesOptions['genes'];
  dataDir: string;
  /** The source of a line on this machine; temporary if it has a `remove`. */
  fetch: (line: SampleLine) => Promise<Pick<Fetched, 'path'> & Partial<Fetched>>;
}

/**
 * Combines the files of a table of samples into one .h5ad file of raw counts. Each can be any source that can be added
 * by itself. Throws CommandFailure; as combining, converting and fetching do.
 */
export async function combinedSource(
  samples: SamplesTable,
  options: CombineOptions,
): Promise<CombinedSource> {
  const { from, genes, dataDir } = options;
  const { signal, onProgress } = options;
  const folder = join(dataDir, 'downloads');
  const path = join(folder, `${randomUUID()}.h5ad`);
  await mkdir(folder, { recursive: true });
  const disposables: { remove: () => Promise<void> }[] = [];
  try {
    const files: SampleFile[] = [];
    for (const line of samples.lines) {
      const fetched = await options.fetch(line);
      if (fetched.remove !== undefined) disposables.push({ remove: fetched.remove });
      const local = await localSource(fetched.path, dataDir, options, line.source).catch((error: unknown) => {
        // The files of samples have the same names, such as matrix.mtx.gz.
        if (error instanceof Error) error.message = `sample ${line.sample}: ${error.message}`;
        throw error;
      });
      disposables.push(local);
      files.push({ name: line.sample, path: local.path, source: line.source, values: line.values });
    }
    const combined = await combineSamples(files, path, {
      genes,
      signal,
      onProgress: (share) => onProgress({ stage: 'combining', done: Math.round(share * 100), total: 100 }),
    });
    const { size: bytes } = await stat(path);
    const { carried, left } = combined;
    return {
      path,
      name: basename(from, extname(from)),
      table: samples,
      rows: [
        { label: 'Samples from', value: `${from} (${combined.samples.length})` },
        ...combined.samples.map(({ name, cells, genes: own, proteins }) => ({
          label: `  ${name}`,
          value: `${countText(cells)} cells, ${countText(own)} genes${proteins > 0 ? `, ${countText(proteins)} proteins` : ''}`,
        })),
        ...combined.sameCells.map((value) => ({ label: 'Look at this', value })),
        ...combined.proteins.map((value) => ({ label: 'Proteins', value })),
        ...(carried.length > 0 ? [{ label: 'Columns kept', value: carried.join(', ') }] : []),
        ...(left.length > 0 ? [{ label: 'Columns left', value: left.join(', ') }] : []),
      ],
      source: {
        genes: {
          kept: genes,
          matchedBy: combined.matchedBy,
          shared: combined.genesShared,
          ofAny: combined.genesOfAny,
        },
        files: combined.samples.map(({ name, cells, genes: own }, at) => ({
          sample: name,
          file: basename(samples.lines[at]!.source),
          cells,
          genes: own,
        })),
      },
      reported: (report) => ({ ...report, file: { path: from, bytes } }),
      remove: () => rm(path, { force: true }),
    };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    for (const { remove } of disposables) await remove();
  }
}
