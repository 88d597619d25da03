import type { Column, Caution, Embedding, ProcessingRecord, Table } from '@cellfolio/model';
import type { EmbeddingLayout } from '../layout/embedding-layout.ts';
import { keptEmbedding, keptTable } from './kept-rows.ts';

/** What was computed of a file, stored in its dataset as if the file had held it. */
export interface DatasetAdditions {
  /** Positions of the cells that stay, rising; all unless told. */
  readonly keptCells?: Int32Array;
  /** Columns with a value for each cell that stays; they replace columns of the file with the same name. */
  readonly obs?: ReadonlyMap<string, Column>;
  /** Columns with a value for each gene of the expression. */
  readonly var?: ReadonlyMap<string, Column>;
  /** Coordinates for each cell that stays; they replace entries of the file with the same name. */
  readonly obsm?: readonly Embedding[];
  readonly warnings?: readonly Caution[];
  readonly processing?: ProcessingRecord;
}

/** The rows that stay, and the columns that come to them. */
export function withColumns(
  table: Table,
  columns: DatasetAdditions['obs'],
  keptRows?: DatasetAdditions['keptCells'],
): Table {
  const kept = keptRows === undefined ? table : keptTable(table, keptRows);
  return columns === undefined ? kept : { ...kept, columns: new Map([...kept.columns, ...columns]) };
}

/** Embeddings of a file with the rows that stay, and those that come to them. */
export function withEmbeddings(
  layouts: readonly EmbeddingLayout[],
  { obsm = [], keptCells }: DatasetAdditions,
): EmbeddingLayout[] {
  const added = new Set(obsm.map(({ name }) => name));
  const own = layouts.filter(({ name }) => !added.has(name));
  const kept = own.map((layout) => (keptCells === undefined ? layout : keptLayout(layout, keptCells)));
  return [
    ...kept,
    ...obsm.map((embedding) => ({
      name: embedding.name,
      rowCount: embedding.values.length / embedding.dimensions,
      dimensions: embedding.dimensions,
      read: () => embedding,
    })),
  ];
}

function keptLayout(layout: EmbeddingLayout, cells: Int32Array): EmbeddingLayout {
  return { ...layout, rowCount: cells.length, read: () => keptEmbedding(layout.read(), cells) };
}
