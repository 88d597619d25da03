import { curatedFields, refusedColumns } from '@cellfolio/contract';
import type { Column } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { type UserColumn, unshared } from '../../runtime/compute/own-columns.ts';
import { type CuratedDataset, curatedEmbeddings } from './check-dataset.ts';
import type { CuratedColumn } from './curated-columns.ts';

/** Decisions of a curator for a dataset, resolved for its cells and genes. Plain data. */
export interface CuratedContent {
  /** Beside those of the dataset, or in their place. */
  columns: readonly (readonly [name: string, column: Column])[];
  /** Columns of obs that are not written. */
  leftOut: readonly string[];
  genes: {
    /** Rows in var of the genes that are written, and their Ensembl ids. */
    rows: Int32Array;
    ids: readonly string[];
    leftOut: number;
  };
  embeddings: readonly string[];
  uns: Readonly<Record<string, string>>;
}

/** Content of the file of a checked dataset; undefined if it is not ready. */
export function curatedContent(
  dataset: Dataset,
  own: readonly UserColumn[],
  { check, columns, genes }: CuratedDataset,
): CuratedContent | undefined {
  if (!check.ready || genes === undefined) return undefined;
  const embeddings = curatedEmbeddings(dataset);
  const curated = curatedFields.map(
    ({ name }) => [name, columnOf(name, columns.get(name)!, dataset.manifest.cellCount)] as const,
  );
  return {
    columns: [...own.map(({ name, column }) => [name, unshared(column)] as const), ...curated].filter(
      ([name]) => !refusedColumns.has(name),
    ),
    leftOut: [...refusedColumns],
    genes: { rows: genes.rows, ids: genes.ids, leftOut: genes.unknown.length + genes.repeated.length },
    embeddings,
    uns: {
      title: check.title!,
      organism_ontology_term_id: check.organism.id!,
      default_embedding: embeddings.find((name) => /umap/i.test(name)) ?? embeddings[0]!,
    },
  };
}

function columnOf(name: string, { values, codes }: CuratedColumn, cells: number): Column {
  const categories = [...new Set(values.map((value) => value ?? ''))].sort();
  const places = Int32Array.from(values, (value) => categories.indexOf(value ?? ''));
  const ofCell = codes ? codes.map((code) => places[code]!) : new Int32Array(cells);
  if (name === 'is_primary_data')
    return {
      kind: 'boolean',
      values: Uint8Array.from(ofCell, (code) => (categories[code] === 'True' ? 1 : 0)),
    };
  return { kind: 'categorical', codes: ofCell, categories, categoryType: 'string', ordered: false };
}
