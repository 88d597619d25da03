import { type CategoricalColumn, type Column, isCategorical } from '@cellfolio/model';
import {
  type CacheUse,
  type Dataset,
  DatasetNotFound,
  GeneCache,
  type ObjectStore,
  openDataset,
} from '@cellfolio/store';
import type { DatasetRef } from './task.ts';

/** The datasets a process or thread holds open: the most recently used few, each at one version. */
export class OpenDatasets {
  readonly #open = new Map<string, Promise<Dataset>>();
  readonly #objects: ObjectStore;
  readonly #limit: number;
  readonly #expression: GeneCache;

  /** @param cacheBytes budget of decoded expression of all datasets together */
  constructor(objects: ObjectStore, limits: { datasets: number; cacheBytes: number }) {
    this.#objects = objects;
    this.#limit = limits.datasets;
    this.#expression = new GeneCache(limits.cacheBytes);
  }

  /** Of the expression that is kept. */
  get cacheUse(): CacheUse {
    return this.#expression.use;
  }

  /** Opens a dataset or hands out the open one. Throws DatasetNotFound where the version is gone. */
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
      return await opening;
    } catch (error) {
      if (this.#open.get(key) === opening) this.#open.delete(key);
      throw error;
    }
  }

  /** Closes a dataset whose files turned out to be others than when it was opened. */
  forget(ref: DatasetRef): void {
    this.#open.delete(keyOf(ref));
    this.#expression.forget(ref.id, ref.version);
  }

  /** Closes a dataset at every version. */
  forgetAll(id: string): void {
    for (const key of this.#open.keys()) if (key.startsWith(`${id}@`)) this.#open.delete(key);
    this.#expression.forget(id);
  }

  async #opening(ref: DatasetRef): Promise<Dataset> {
    const dataset = await openDataset(this.#objects, ref.id, { cache: this.#expression });
    if (dataset.manifest.version !== ref.version) throw new DatasetNotFound(ref.id);
    return dataset;
  }
}

function keyOf({ id, version }: DatasetRef): string {
  return `${id}@${version}`;
}

/** What a column of obs would need to be. */
export class NotCategorical extends Error {
  override readonly name = 'NotCategorical';
  readonly column: string;

  constructor(column: string, kind: Column['kind']) {
    super(`The column ${JSON.stringify(column)} is ${kind}: choose a categorical column.`);
    this.column = column;
  }
}

/** A column as groups of cells: categorical ones, and true and false. Throws UnknownColumn, NotCategorical. */
export async function categoricalColumn(
  dataset: Dataset,
  name: string,
  signal?: AbortSignal,
): Promise<CategoricalColumn> {
  const column = await dataset.obs(name, signal);
  if (isCategorical(column)) return column;
  if (column.kind !== 'boolean') throw new NotCategorical(name, column.kind);
  const { values, missing } = column;
  return {
    kind: 'categorical',
    codes: Int8Array.from(values, (value, cell) => (missing?.[cell] ? -1 : value)),
    categories: ['False', 'True'],
    categoryType: 'boolean',
    ordered: false,
  };
}
