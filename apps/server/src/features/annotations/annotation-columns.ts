import type { AnnotationRevision } from '@cellfolio/contract';
import { annotationsIn } from '@cellfolio/contract';
import type { CategoricalColumn, NumericColumn } from '@cellfolio/model';
import type { Database } from '@cellfolio/platform';
import { ByteCache } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { UserColumn } from '../../runtime/compute/own-columns.ts';
import type { DatasetRef } from '../../runtime/compute/task.ts';
import type { UserColumns } from '../selection/index.ts';
import { annotationsOf, currentStates } from './annotation-states.ts';
import { quoted } from './labels.ts';
import { type PackedLabels, unpackedCodes, unpackedNumbers } from './packed-codes.ts';
import type { Owner } from '../../runtime/owners.ts';

const cacheBytes = 64 * 1024 * 1024;
const maxCached = 10_000;

export class AnnotationColumns implements UserColumns {
  readonly #database: Database;
  readonly #documents: ReturnType<typeof annotationsOf>;
  readonly #columns = new ByteCache<string, CategoricalColumn | NumericColumn>(cacheBytes, (column) =>
    column.kind === 'numeric' ? column.values.byteLength : column.codes.byteLength,
  );
  /** By user and dataset; used only where no other process can write. */
  readonly #cached = new Map<string, readonly AnnotationRevision[]>();

  constructor(database: Database) {
    this.#database = database;
    this.#documents = annotationsOf(database);
  }

  async named(owner: Owner, dataset: DatasetRef, request: unknown): Promise<readonly UserColumn[]> {
    return this.#columnsOf(annotationsIn(await this.#currentOf(owner, dataset), request));
  }

  async isOfOtherVersion(owner: Owner, { id, version }: DatasetRef, name: string): Promise<boolean> {
    const { rows } = await this.#database.pool.query(
      `select from ${currentStates}
       where not (r.body -> 'numbers')::boolean and a.owner_id = $1 and a.dataset_id = $2 and a.name = $4
         and r.body ->> 'version' <> $3`,
      [owner, id, version, name],
    );
    return rows.length > 0;
  }

  async all(owner: Owner, dataset: DatasetRef): Promise<readonly UserColumn[]> {
    return this.#columnsOf(await this.#currentOf(owner, dataset));
  }

  async storedColumns(
    owner: Owner,
    { id: datasetId, version }: DatasetRef,
    columns: readonly AnnotationRevision[] = [],
  ): Promise<readonly UserColumn[]> {
    if (columns.length === 0) return [];
    const { rows } = await this.#database.pool.query<{ id: string; revision: number }>(
      `select a.id, r.revision from cellfolio.user_documents a
       join cellfolio.user_document_revisions r on r.document_id = a.id
       where a.kind = 'annotation' and a.owner_id = $1 and a.dataset_id = $2 and r.body ->> 'version' = $3
         and a.id = any($4)`,
      [owner, datasetId, version, columns.map(({ id }) => id)],
    );
    const available = new Set(rows.map(({ id, revision }) => `${id}/${revision}`));
    const missing = columns.find(({ id, revision }) => !available.has(`${id}/${revision}`));
    if (!missing) return this.#columnsOf(columns);
    throw new ApiFailure(
      404,
      'annotation_not_kept',
      `The labels of this figure, revision ${missing.revision} of ${quoted(missing.name)}, are no longer available. Redraw the figure.`,
    );
  }

  async #currentOf(owner: Owner, { id, version }: DatasetRef): Promise<readonly AnnotationRevision[]> {
    const key = cacheKey(owner, id);
    const cached = this.#cached.get(`${key}${version}`);
    if (cached) return cached;
    const { rows } = await this.#database.pool.query<AnnotationRevision>(
      `select a.id, a.revision, a.name from ${currentStates}
       where a.owner_id = $1 and a.dataset_id = $2 and r.body ->> 'version' = $3 order by a.created_at, a.id`,
      [owner, id, version],
    );
    if (this.#database.kind === 'embedded') {
      this.#cached.set(`${key}${version}`, rows);
      const oldest = this.#cached.keys().next();
      if (this.#cached.size > maxCached && !oldest.done) this.#cached.delete(oldest.value);
    }
    return rows;
  }

  /** Clears the cached annotations of a dataset after a change. */
  forget(owner: Owner, datasetId: string): void {
    const prefix = cacheKey(owner, datasetId);
    for (const key of this.#cached.keys()) if (key.startsWith(prefix)) this.#cached.delete(key);
  }

  async #columnsOf(annotations: readonly AnnotationRevision[]): Promise<UserColumn[]> {
    return Promise.all(
      annotations.map(async ({ id, revision, name }) => ({
        id,
        revision,
        name,
        column: await this.#column(id, revision),
      })),
    );
  }

  async #column(id: string, revision: number): Promise<CategoricalColumn | NumericColumn> {
    const key = `${id}/${revision}`;
    const cached = this.#columns.get(key);
    if (cached) return cached;
    const { rows } = await this.#database.pool.query<PackedLabels & { numbers: boolean }>(
      `select body -> 'groups' as groups, bytes as codes, (body -> 'numbers')::boolean as numbers
       from cellfolio.user_document_revisions where document_id = $1 and revision = $2`,
      [id, revision],
    );
    const { numbers, ...labels } = rows[0] ?? this.#documents.notFound();
    const column = numbers
      ? ({ kind: 'numeric', dtype: 'float64', values: await unpackedNumbers(labels.codes) } as const)
      : await columnOfLabels(labels);
    this.#columns.set(key, column);
    return column;
  }
}

async function columnOfLabels({ groups, codes }: PackedLabels): Promise<CategoricalColumn> {
  return {
    kind: 'categorical',
    codes: await unpackedCodes({ groups, codes }),
    categories: groups.map(({ name }) => name),
    categoryType: 'string',
    ordered: false,
    colours: groups.map(({ colour }) => colour),
    ...(groups.some(({ term }) => term) && { terms: groups.map(({ term }) => term?.id) }),
  };
}

function cacheKey(owner: Owner, datasetId: string): string {
  return `${owner}|${datasetId}|`;
}
