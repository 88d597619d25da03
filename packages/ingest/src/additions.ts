import type {
  Column,
  Caution,
  Embedding,
  ProcessingRecord,
  Table,
  NumericArray,
  PackedStrings,
  WideIntegers,
} from '@cellfolio/model';
import type { EmbeddingLayout } from './dataset-file.ts';

/** Data computed for a file, stored in its dataset as if the file had contained it. */
export interface DatasetAdditions {
  /** Indices of the kept cells, ascending; all by default. */
  readonly keptCells?: Int32Array;
  /** Columns with a value per kept cell; they replace columns of the file with the same name. */
  readonly obs?: ReadonlyMap<string, Column>;
  /** Columns with a value per gene of the expression. */
  readonly var?: ReadonlyMap<string, Column>;
  /** Coordinates per kept cell; they replace entries of the file with the same name. */
  readonly obsm?: readonly Embedding[];
  readonly warnings?: readonly Caution[];
  readonly processing?: ProcessingRecord;
}

export function withColumns(
  table: Table,
  columns: DatasetAdditions['obs'],
  keptRows?: DatasetAdditions['keptCells'],
): Table {
  const base = keptRows === undefined ? table : keptTable(table, keptRows);
  return columns === undefined ? base : { ...base, columns: new Map([...base.columns, ...columns]) };
}

export function withEmbeddings(
  layouts: readonly EmbeddingLayout[],
  { obsm = [], keptCells }: DatasetAdditions,
): EmbeddingLayout[] {
  const added = new Set(obsm.map(({ name }) => name));
  const own = layouts.filter(({ name }) => !added.has(name));
  const keptLayouts = own.map((layout) => (keptCells === undefined ? layout : keptLayout(layout, keptCells)));
  return [
    ...keptLayouts,
    ...obsm.map((embedding) => ({
      name: embedding.name,
      rowCount: embedding.values.length / embedding.dimensions,
      dimensions: embedding.dimensions,
      read: () => embedding,
    })),
  ];
}

export function keptLayout(layout: EmbeddingLayout, cells: Int32Array): EmbeddingLayout {
  return { ...layout, rowCount: cells.length, read: () => keptEmbedding(layout.read(), cells) };
}

export function keptTable(table: Table, rows: Int32Array): Table {
  return {
    ...table,
    rowCount: rows.length,
    index: keptStrings(table.index, rows),
    columns: new Map(Array.from(table.columns, ([name, column]) => [name, keptColumn(column, rows)])),
  };
}

function keptEmbedding({ name, dimensions, values }: Embedding, rows: Int32Array): Embedding {
  const length = rows.length * dimensions;
  const keptValues = values instanceof Float32Array ? new Float32Array(length) : new Float64Array(length);
  for (let i = 0; i < rows.length; i++) {
    const start = rows[i]! * dimensions;
    for (let d = 0; d < dimensions; d++) keptValues[i * dimensions + d] = values[start + d]!;
  }
  return { name, dimensions, values: keptValues };
}

/** Drops unused categories, as pandas' `remove_unused_categories` does. */
export function keptColumn(column: Column, rows: Int32Array): Column {
  switch (column.kind) {
    case 'categorical': {
      const codes = keptNumbers(column.codes, rows);
      const used = new Set(codes);
      const present = column.categories.flatMap((_, code) => (used.has(code) ? [code] : []));
      if (present.length === column.categories.length) return { ...column, codes };
      const newCode = new Map(present.map((code, position) => [code, position]));
      return {
        ...column,
        codes: codes.map((code) => newCode.get(code) ?? -1),
        categories: present.map((code) => column.categories[code]!),
        ...(column.colours && { colours: present.map((code) => column.colours![code]!) }),
      };
    }
    case 'string':
      return { ...column, strings: keptStrings(column.strings, rows), ...keptMissing(column.missing, rows) };
    case 'boolean':
      return { ...column, values: keptNumbers(column.values, rows), ...keptMissing(column.missing, rows) };
    case 'numeric':
      return { ...column, values: keptNumbers(column.values, rows), ...keptMissing(column.missing, rows) };
    case 'wide-integer':
      return { ...column, values: keptNumbers(column.values, rows), ...keptMissing(column.missing, rows) };
  }
}

function keptMissing(missing: Uint8Array | undefined, rows: Int32Array): { missing?: Uint8Array } {
  return missing === undefined ? {} : { missing: keptNumbers(missing, rows) };
}

function keptNumbers<T extends NumericArray | WideIntegers>(values: T, rows: Int32Array): T {
  const keptValues = new (values.constructor as new (length: number) => T)(rows.length);
  for (let i = 0; i < rows.length; i++) keptValues[i] = values[rows[i]!]!;
  return keptValues;
}

export function keptStrings({ bytes, offsets }: PackedStrings, rows: Int32Array): PackedStrings {
  const keptOffsets = new Uint32Array(rows.length + 1);
  for (let i = 0; i < rows.length; i++)
    keptOffsets[i + 1] = keptOffsets[i]! + offsets[rows[i]! + 1]! - offsets[rows[i]!]!;
  const keptBytes = new Uint8Array(keptOffsets[rows.length]!);
  for (let i = 0; i < rows.length; i++)
    keptBytes.set(bytes.subarray(offsets[rows[i]!]!, offsets[rows[i]! + 1]!), keptOffsets[i]);
  return { bytes: keptBytes, offsets: keptOffsets };
}
