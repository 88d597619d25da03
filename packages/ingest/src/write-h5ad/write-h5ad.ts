import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { mismatchedColumns } from '@cellfolio/model';
import type { Table } from '@cellfolio/model';
import { H5adWriteFailed } from './h5ad-write-failed.ts';
import { createH5Output } from './h5-output.ts';
import type { H5Output } from './h5-output.ts';
import type { H5adContent, WriteH5adOptions } from './h5ad-content.ts';
import { writeMatrix } from './write-matrix.ts';
import { writeRows, writeTable } from './write-table.ts';

const dict = { 'encoding-type': 'dict', 'encoding-version': '0.1.0' };

/**
 * Writes an .h5ad file with the encodings of current anndata (0.8 and later read them). Matrices come in
 * blocks, so memory is bounded by the largest block and by obs. The file appears at `path` when it is whole.
 *
 * Throws H5adWriteFailed; the signal's reason when aborted.
 */
export async function writeH5ad(
  path: string,
  content: H5adContent,
  options: WriteH5adOptions = {},
): Promise<void> {
  const partial = `${path}.${randomUUID().slice(0, 8)}.partial`;
  let output: H5Output | undefined;
  try {
    checkTable('obs', content.obs);
    checkTable('var', content.var);
    // Made by Node first: its error says what the library's does not.
    await writeFile(partial, '', { flag: 'wx' });
    output = await createH5Output(partial, path);
    await writeContent(output, content, options);
    output.close();
    await rename(partial, path);
  } catch (cause) {
    try {
      output?.close();
    } catch {
      // The first failure is the one to tell.
    }
    await rm(partial, { force: true });
    if (options.signal?.aborted === true || cause instanceof H5adWriteFailed) throw cause;
    throw new H5adWriteFailed(path, 'content', cause instanceof Error ? cause.message : String(cause), {
      cause,
    });
  }
}

async function writeContent(
  output: H5Output,
  content: H5adContent,
  options: WriteH5adOptions,
): Promise<void> {
  const { gzip } = options;
  const cells = content.obs.rowCount;
  const genes = content.var.rowCount;
  output.group('', { 'encoding-type': 'anndata', 'encoding-version': '0.1.0' });
  for (const name of ['layers', 'obsm', 'obsp', 'uns', 'varm', 'varp']) output.group(name, dict);
  writeTable(output, 'obs', content.obs, gzip);
  writeTable(output, 'var', content.var, gzip);
  for (const { name, values, dimensions: width } of content.obsm ?? []) {
    if (values.length !== cells * width)
      throw new RangeError(`obsm/${name} has ${values.length} values for ${cells} cells`);
    writeRows(output, `obsm/${name}`, { values, width }, gzip);
  }
  await writeMatrix(output, 'X', { content: content.X, size: { cells, genes } }, options);
  for (const [name, layer] of Object.entries(content.layers ?? {}))
    await writeMatrix(output, `layers/${name}`, { content: layer, size: { cells, genes } }, options);
  if (content.raw === undefined) return;
  output.group('raw', { 'encoding-type': 'raw', 'encoding-version': '0.1.0' });
  checkTable('raw/var', content.raw.var);
  writeTable(output, 'raw/var', content.raw.var, gzip);
  output.group('raw/varm', dict);
  const size = { cells, genes: content.raw.var.rowCount };
  await writeMatrix(output, 'raw/X', { content: content.raw.X, size }, options);
}

function checkTable(name: string, table: Table): void {
  const wrong = mismatchedColumns(table);
  if (wrong.length > 0)
    throw new RangeError(`${name} has ${table.rowCount} rows, but not in the columns ${wrong.join(', ')}`);
  if (table.index.offsets.length - 1 !== table.rowCount)
    throw new RangeError(`${name} has ${table.rowCount} rows and ${table.index.offsets.length - 1} names`);
}
