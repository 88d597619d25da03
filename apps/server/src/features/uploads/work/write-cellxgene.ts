import { readFile } from 'node:fs/promises';
import { deserialize } from 'node:v8';
import {
  cutRows,
  keptColumn,
  keptTable,
  type MatrixContent,
  type SparseBlock,
  writeH5ad,
} from '@cellfolio/ingest';
import { type Column, countText, packStrings, type Table, unpackStrings } from '@cellfolio/model';
import {
  type Dataset,
  DatasetNotFound,
  geneBlocks,
  openDataset,
  openObjectStore,
  type StoredMatrix,
  uniqueNames,
} from '@cellfolio/store';
import { failureOf, goneDataset } from './failures.ts';
import type { CellxgeneResult, CellxgeneWork, WorkContext } from './work.ts';
import type { CuratedContent } from '../../cellxgene/index.ts';
import { writableTable } from './writable-table.ts';

/** Entries of a matrix read at a time. */
const blockEntries = 1 << 21;
/** Row and value of an entry, while it waits for those of its cell. */
const entryBytes = 8;
const gzip = 1;

/** Columns of genes that the portal writes itself. */
const refusedGeneColumns = new Set([
  'feature_name',
  'feature_reference',
  'feature_biotype',
  'feature_length',
  'feature_type',
  'feature_is_filtered',
]);

/**
 * Writes the .h5ad file of a dataset as the schema of CELLxGENE Discover asks for it: expression in X and raw counts in
 * raw.X, both by cell in float32, with the curated columns and Ensembl ids. Throws WorkFailed; the signal's reason. A
 * failure leaves nothing behind.
 */
export async function writeCellxgene(work: CellxgeneWork, context: WorkContext): Promise<CellxgeneResult> {
  const { signal, onProgress } = context;
  onProgress('Reading the cells', 0);
  const objects = await openObjectStore(work.root);
  try {
    const dataset = await openDataset(objects, work.dataset.id);
    if (dataset.manifest.version !== work.dataset.version) throw new DatasetNotFound(work.dataset.id);
    const content = deserialize(await readFile(work.content)) as CuratedContent;
    const { cells, renamed } = await cellTable(dataset, content, signal);
    const X = (await dataset.storedMatrix('X', signal))!;
    const counts = (await dataset.storedMatrix('layers/counts', signal))!;
    const parts = { dataset, content, work, signal, onPass: passes(onProgress) };
    const genes = await geneTables(dataset, content, signal);
    const obsm = [];
    for (const name of content.embeddings) obsm.push(await dataset.embedding(name, signal));
    await writeH5ad(
      work.output,
      {
        obs: cells,
        var: genes.shown,
        X: byCell(X, parts),
        raw: { var: genes.raw, X: byCell(counts, parts) },
        obsm,
        uns: content.uns,
      },
      { gzip, signal, booleans: true },
    );
    return { notes: notesOf(dataset, content, renamed) };
  } catch (error) {
    if (signal.aborted) throw error;
    throw error instanceof DatasetNotFound
      ? goneDataset(work.dataset.name, error)
      : failureOf(error, work.dataset.name);
  } finally {
    await objects.close();
  }
}

function notesOf({ manifest }: Dataset, { genes }: CuratedContent, renamed: number): string[] {
  return [
    `${countText(manifest.cellCount)} cells and ${countText(genes.rows.length)} genes were written.`,
    ...(genes.leftOut > 0
      ? [
          `${countText(genes.leftOut)} genes without an Ensembl id of their own in the list of the schema were left out.`,
        ]
      : []),
    ...(renamed > 0 ? [`${countText(renamed)} cells had the name of another one, and got a number.`] : []),
  ];
}

async function cellTable(
  dataset: Dataset,
  { columns, leftOut }: CuratedContent,
  signal: AbortSignal,
): Promise<{ cells: Table; renamed: number }> {
  const { cellCount } = dataset.manifest;
  const every = { from: 0, to: cellCount };
  const { names } = await dataset.cellRows(every, { columns: [], embeddings: [] }, signal);
  const stored = unpackStrings(names);
  const unique = uniqueNames(stored);
  const taken = new Set([...leftOut, ...columns.map(([name]) => name)]);
  const others: [string, Column][] = [];
  for (const name of dataset.obsColumnNames) {
    if (taken.has(name) || name.startsWith('__')) continue;
    others.push([name, await dataset.obs(name, signal)]);
  }
  const rows = Int32Array.from({ length: cellCount }, (_, row) => row);
  return {
    cells: writableTable({
      rowCount: cellCount,
      indexName: dataset.obsIndexName,
      index: packStrings(unique),
      // The schema refuses categories that no cell is in.
      columns: new Map([...others, ...columns].map(([name, column]) => [name, keptColumn(column, rows)])),
    }),
    renamed: unique.filter((name, row) => name !== stored[row]).length,
  };
}

/** The genes of `X` and those of `raw`, which are the same and have no mark. */
async function geneTables(
  dataset: Dataset,
  { genes: { rows, ids } }: CuratedContent,
  signal: AbortSignal,
): Promise<{ shown: Table; raw: Table }> {
  const { columns, ...table } = keptTable(await dataset.geneTable(signal), rows);
  const symbols = Array.from(rows, (row) => dataset.genes.symbols[row]!);
  const others = [...columns].filter(([name]) => !refusedGeneColumns.has(name) && !name.startsWith('__'));
  const named = new Map<string, Column>(others);
  if (!named.has('symbol')) named.set('symbol', { kind: 'string', strings: packStrings(symbols) });
  const raw = writableTable({ ...table, index: packStrings(ids), columns: named });
  const isFiltered: Column = { kind: 'boolean', values: new Uint8Array(rows.length) };
  return { raw, shown: { ...raw, columns: new Map([...raw.columns, ['feature_is_filtered', isFiltered]]) } };
}

/** Progress of the work: each matrix is read once to count, and at least once to write. */
function passes(onProgress: WorkContext['onProgress']): (share: number) => void {
  let done = 0;
  return (share) => {
    done += share / 2;
    onProgress('Writing the cells', Math.min(1, done));
  };
}

interface Parts {
  dataset: Dataset;
  content: CuratedContent;
  work: CellxgeneWork;
  signal: AbortSignal;
  onPass: (share: number) => void;
}

/**
 * A matrix by cell, of the chosen genes. The store has it by gene: as many cells as fit the memory are gathered at a time,
 * each time from all entries.
 */
function byCell(matrix: StoredMatrix, { dataset, content, work, signal, onPass }: Parts): MatrixContent {
  const { cellCount, geneCount } = dataset.manifest;
  const { rows } = content.genes;
  const geneOf = new Int32Array(geneCount).fill(-1);
  rows.forEach((row, gene) => (geneOf[row] = gene));
  async function eachBlock(
    use: (block: { gene: number; cells: Int32Array; values: ArrayLike<number> }) => void,
    { withValues, share }: { withValues: boolean; share: number },
  ): Promise<void> {
    const { starts } = matrix;
    const entries = Math.max(1, starts.at(-1)!);
    for (const { from, to } of geneBlocks(starts, blockEntries)) {
      const [first, end] = [starts[from]!, starts[to]!];
      const cells = await matrix.cells(first, end, { signal });
      const values = withValues ? await matrix.values(first, end, { signal }) : cells;
      for (let row = from; row < to; row++) {
        if (geneOf[row]! < 0) continue;
        const [start, stop] = [starts[row]! - first, starts[row + 1]! - first];
        use({
          gene: geneOf[row]!,
          cells: cells.subarray(start, stop),
          values: withValues ? values.subarray(start, stop) : [],
        });
      }
      onPass((share * (end - first)) / entries);
    }
  }
  async function* blocks(): AsyncGenerator<SparseBlock> {
    const starts = new Float64Array(cellCount + 1);
    await eachBlock(({ cells }) => cells.forEach((cell) => starts[cell + 1]!++), {
      withValues: false,
      share: 0.3,
    });
    for (let cell = 0; cell < cellCount; cell++) starts[cell + 1]! += starts[cell]!;
    const cuts = cutRows(starts, Math.floor(work.memoryBytes / 4 / entryBytes), cellCount);
    for (const [at, to] of cuts.slice(1).entries()) {
      const from = cuts[at]!;
      const indptr = starts.slice(from, to + 1).map((start) => start - starts[from]!);
      const entries = indptr.at(-1)!;
      const next = indptr.slice(0, -1);
      const indices = new Int32Array(entries);
      const values = new Float32Array(entries);
      await eachBlock(
        ({ gene, cells, values: read }) => {
          for (let entry = 0; entry < cells.length; entry++) {
            const cell = cells[entry]! - from;
            if (cell < 0 || cell >= to - from) continue;
            const place = next[cell]!++;
            indices[place] = gene;
            values[place] = read[entry]!;
          }
        },
        { withValues: true, share: 0.7 / (cuts.length - 1) },
      );
      yield { indptr, indices, values };
    }
  }
  return { format: 'csr', dtype: 'float32', blocks: blocks() };
}
