import type { CategoricalColumn, Column, NumericColumn } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';

/** A user's own column beside those of a dataset, at one revision. */
export interface UserColumn {
  id: string;
  revision: number;
  /** Differs from all columns of the dataset. */
  name: string;
  /** Its codes or values are in shared memory, so that posting it copies nothing. */
  column: CategoricalColumn | NumericColumn;
}

/** The dataset with these columns appended to those of obs. They have no stored statistics. */
export function withOwnColumns(dataset: Dataset, own: readonly UserColumn[]): Dataset {
  const columns = new Map(own.map(({ name, column }) => [name, column]));
  return {
    manifest: dataset.manifest,
    genes: dataset.genes,
    counters: dataset.counters,
    proteins: dataset.proteins,
    embeddings: dataset.embeddings,
    valueStarts: dataset.valueStarts,
    assets: dataset.assets,
    asset: (name, range, signal) => dataset.asset(name, range, signal),
    carried: dataset.carried,
    graphHead: dataset.graphHead,
    graph: (signal) => dataset.graph(signal),
    obsColumnNames: [...dataset.obsColumnNames, ...columns.keys()],
    obsIndexName: dataset.obsIndexName,
    obs: async (name, signal) => columns.get(name) ?? dataset.obs(name, signal),
    cellRows: async (range, selection, signal) => {
      const stored = selection.columns.filter((name) => !columns.has(name));
      const rows = await dataset.cellRows(range, { ...selection, columns: stored }, signal);
      const read = new Map(stored.map((name, at) => [name, rows.columns[at]!]));
      return {
        ...rows,
        columns: selection.columns.map((name) => read.get(name) ?? rowsOf(columns.get(name)!, range)),
      };
    },
    embedding: (name, signal) => dataset.embedding(name, signal),
    geneTable: (signal) => dataset.geneTable(signal),
    geneMeans: (signal) => dataset.geneMeans(signal),
    groupStatistics: async (name, signal) =>
      columns.has(name) ? undefined : dataset.groupStatistics(name, signal),
    geneStatistics: async (name, signal) =>
      columns.has(name) ? undefined : dataset.geneStatistics(name, signal),
    gene: (row, signal) => dataset.gene(row, signal),
    useGeneBlock: (from, to, use, signal) => dataset.useGeneBlock(from, to, use, signal),
    counts: (signal) => dataset.counts(signal),
    storedMatrix: (path, signal) => dataset.storedMatrix(path, signal),
    useGenes: (rows, use, signal) => dataset.useGenes(rows, use, signal),
  };
}

function rowsOf(column: UserColumn['column'], { from, to }: { from: number; to: number }): Column {
  if (column.kind === 'numeric') return { ...column, values: column.values.subarray(from, to) };
  return { ...column, codes: column.codes.subarray(from, to) };
}

/** Shared memory cannot be serialised. */
export function unshared(column: UserColumn['column']): UserColumn['column'] {
  if (column.kind === 'categorical') {
    const { codes } = column;
    return { ...column, codes: codes instanceof Int8Array ? Int8Array.from(codes) : Int16Array.from(codes) };
  }
  return column.kind === 'numeric' ? { ...column, values: Float64Array.from(column.values) } : column;
}
