import {
  type CategoricalColumn,
  type Column,
  isCategorical,
  listedNames,
  quotedHead,
} from '@cellfolio/model';
import {
  type CacheUse,
  type Dataset,
  DatasetNotFound,
  GeneCache,
  type ObjectStore,
  openDataset,
} from '@cellfolio/store';
import { ApiFailure } from '../api-failure.ts';
import { columnNames, quotedColumn } from '../column-names.ts';
import { ambiguousGenes, NamedGenes } from '../gene-names/named-genes.ts';
import { withOwnColumns } from './own-columns.ts';
import type { DatasetRef } from './task.ts';

/** The open datasets of a process or thread: the most recently used ones, each at one version. */
export class OpenDatasets {
  readonly #open = new Map<string, Promise<Dataset>>();
  readonly #objects: ObjectStore;
  readonly #limit: number;
  readonly #expression: GeneCache;

  /** `cacheBytes`: decoded expression of all datasets together. */
  constructor(objects: ObjectStore, limits: { datasets: number; cacheBytes: number }) {
    this.#objects = objects;
    this.#limit = limits.datasets;
    this.#expression = new GeneCache(limits.cacheBytes);
  }

  get cacheUse(): CacheUse {
    return this.#expression.use;
  }

  /** Returns the dataset, opening it if needed. Throws DatasetNotFound when the version no longer exists. */
  async get(ref: DatasetRef): Promise<Dataset> {
    const key = keyOf(ref);
    const opening = this.#open.get(key) ?? this.#opening(ref);
    this.#open.delete(key);
    this.#open.set(key, opening);
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= this.#limit) break;
      this.#open.delete(oldest);
    }
    try {
      const dataset = await opening;
      return ref.own?.length ? withOwnColumns(dataset, ref.own) : dataset;
    } catch (error) {
      if (this.#open.get(key) === opening) this.#open.delete(key);
      throw error;
    }
  }

  forget(ref: DatasetRef): void {
    this.#open.delete(keyOf(ref));
    this.#expression.forget(ref.id, ref.version);
  }

  forgetAll(id: string): void {
    for (const key of this.#open.keys()) if (key.startsWith(`${id}@`)) this.#open.delete(key);
    this.#expression.forget(id);
  }

  async #opening(ref: DatasetRef): Promise<Dataset> {
    const dataset = await openDataset(this.#objects, ref.id, {
      cache: this.#expression,
      genes: (stored) => new NamedGenes(stored),
    });
    if (dataset.manifest.version !== ref.version) throw new DatasetNotFound(ref.id);
    return dataset;
  }
}

function keyOf({ id, version }: DatasetRef): string {
  return `${id}@${version}`;
}

export class NotCategorical extends Error {
  override readonly name = 'NotCategorical';
  readonly column: string;

  constructor(column: string, kind: Column['kind']) {
    super(`The column ${quotedColumn(column)} is ${kind}: choose a categorical column.`);
    this.column = column;
  }
}

/** A column of obs named by a caller that the dataset does not have. */
export class ColumnNotFound extends ApiFailure {
  readonly column: string;
  readonly dataset: DatasetRef;

  constructor(column: string, { id, version }: DatasetRef, status: number) {
    super(status, 'column_not_found', `The dataset has no column ${quotedColumn(column)} of obs.`);
    this.column = column;
    this.dataset = { id, version };
  }
}

/** Throws ColumnNotFound with the given status. */
export function requireColumn(dataset: Dataset, name: string, status = 404): void {
  if (!columnNames(dataset).includes(name)) throw new ColumnNotFound(name, dataset.manifest, status);
}

/**
 * The row in var of a gene named in a field of a request. Throws ApiFailure 400 when the dataset has no gene of that
 * name.
 */
export function requireGene({ genes }: Dataset, gene: string, field: string): number {
  const row = genes.find(gene);
  if (row !== undefined) return row;
  const several = ambiguousGenes(genes, gene);
  throw new ApiFailure(
    400,
    'gene_not_found',
    `The dataset has no gene ${quotedHead(gene, 80)}. ${several.length > 0 ? `It may be ${listedNames(several)}: choose the one you mean.` : 'Check its spelling.'}`,
    { details: [{ field, problem: 'is not a gene of the dataset' }] },
  );
}

/** A categorical or boolean column as groups of cells. Throws UnknownColumn, NotCategorical. */
export async function categoricalColumn(
  dataset: Pick<Dataset, 'obs'>,
  name: string,
  signal?: AbortSignal,
): Promise<CategoricalColumn> {
  const column = await dataset.obs(name, signal);
  const categories = categoriesOf(column);
  if (!categories) throw new NotCategorical(name, column.kind);
  return categories;
}

/** The categories of a categorical or boolean column; undefined for other columns. */
export function categoriesOf(column: Column): CategoricalColumn | undefined {
  if (isCategorical(column)) return column;
  if (column.kind !== 'boolean') return undefined;
  const { values, missing } = column;
  return {
    kind: 'categorical',
    codes: Int8Array.from(values, (value, cell) => (missing?.[cell] ? -1 : value)),
    categories: ['False', 'True'],
    categoryType: 'boolean',
    ordered: false,
  };
}
