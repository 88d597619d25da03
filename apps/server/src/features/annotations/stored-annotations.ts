import type { Annotation, AnnotationRevision } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { DatasetRef } from '../../runtime/compute/task.ts';
import { type AnnotationColumns, noSuchAnnotation } from './annotation-columns.ts';
import { type ChangedLabels, groupCounts, quoted } from './labels.ts';
import { packedCodes } from './packed-codes.ts';

type AnnotationGroup = Annotation['groups'][number];

/** One annotation at its current revision, with the codes that are kept. */
export interface Current extends AnnotationRevision {
  readonly datasetId: string;
  readonly version: string;
  readonly groups: readonly AnnotationGroup[];
  readonly codes: Buffer;
}

/** A state to be kept; `packed` are its codes where they are those of the state before. */
type NextState = ChangedLabels & { readonly version: string; readonly packed?: Buffer };

/** The annotations of the database: each change is a revision, the latest twenty are kept. */
export class StoredAnnotations {
  readonly #database: Database;
  readonly #columns: AnnotationColumns;

  /** `columns` forget what they know of a dataset whose annotations change. */
  constructor(database: Database, columns: AnnotationColumns) {
    this.#database = database;
    this.#columns = columns;
  }

  /** Of all versions of the dataset, the oldest first. */
  async list(userId: string, datasetId: string): Promise<Annotation[]> {
    return this.#read(userId, 'a.dataset_id = $2', datasetId);
  }

  /** Throws ApiFailure 404. */
  async get(userId: string, id: string): Promise<Annotation> {
    const [found] = await this.#read(userId, 'a.id = $2', id);
    return found ?? noSuchAnnotation();
  }

  async #read(userId: string, where: string, value: string): Promise<Annotation[]> {
    const { rows } = await this.#database.pool.query<Annotation>(
      `select a.id, a.name, a.revision, r.version, r.groups, r.unlabelled, (
         select json_agg(json_build_object('revision', h.revision, 'at', h.at, 'words', h.words, 'cells', h.cells)
           order by h.revision desc)
         from cellfolio.annotation_revisions h where h.annotation_id = a.id and h.version = r.version) as history
       from cellfolio.annotations a
       join cellfolio.annotation_revisions r on r.annotation_id = a.id and r.revision = a.revision
       where a.user_id = $1 and ${where} order by a.created_at, a.id`,
      [userId, value],
    );
    return rows;
  }

  /** Throws ApiFailure 404. */
  async current(userId: string, id: string): Promise<Current> {
    const { rows } = await this.#database.pool.query<Current>(
      `select a.id, a.name, a.revision, a.dataset_id as "datasetId", r.version, r.groups, r.codes
       from cellfolio.annotations a
       join cellfolio.annotation_revisions r on r.annotation_id = a.id and r.revision = a.revision
       where a.user_id = $1 and a.id = $2`,
      [userId, id],
    );
    return rows[0] ?? noSuchAnnotation();
  }

  /** The dataset that an annotation is of. Throws ApiFailure 404. */
  async datasetOf(userId: string, id: string): Promise<string> {
    const { rows } = await this.#database.pool.query<{ dataset_id: string }>(
      'select dataset_id from cellfolio.annotations where user_id = $1 and id = $2',
      [userId, id],
    );
    return rows[0]?.dataset_id ?? noSuchAnnotation();
  }

  /** A new one. Throws ApiFailure 409 for a name that is taken. */
  async insert(
    { userId, datasetId, name }: { userId: string; datasetId: string; name: string },
    state: NextState,
  ): Promise<Annotation> {
    const row = await rowOf(state);
    const id = await orRefused(name, () =>
      this.#database.transaction(async (client) => {
        const { rows } = await client.query<{ id: string }>(
          'insert into cellfolio.annotations (user_id, dataset_id, name) values ($1, $2, $3) returning id',
          [userId, datasetId, name],
        );
        await client.query(insertRevision, [rows[0]!.id, 1, ...row]);
        return rows[0]!.id;
      }),
    );
    this.#columns.forget(userId, datasetId);
    return this.get(userId, id);
  }

  /** A new revision; those that were undone are gone. Throws ApiFailure 409 where another one came meanwhile. */
  async append(userId: string, current: Current, state: NextState): Promise<void> {
    const row = await rowOf(state);
    await orRefused(current.name, () =>
      this.#database.transaction(async (client) => {
        const { rows } = await client.query<{ revision: number }>(
          `update cellfolio.annotations set revision = last_revision + 1, last_revision = last_revision + 1, updated_at = now()
           where id = $1 and user_id = $2 and revision = $3 returning revision`,
          [current.id, userId, current.revision],
        );
        if (!rows[0]) throw changedMeanwhile();
        await client.query(
          'delete from cellfolio.annotation_revisions where annotation_id = $1 and revision > $2',
          [current.id, current.revision],
        );
        await client.query(insertRevision, [current.id, rows[0].revision, ...row]);
      }),
    );
    this.#columns.forget(userId, current.datasetId);
  }

  /** Goes to another revision that is kept. Throws ApiFailure 404, 409. */
  async move(
    { userId, id, revision }: { userId: string; id: string; revision: number },
    to: number,
  ): Promise<Annotation> {
    const current = await this.current(userId, id);
    refuseOther(current, { revision, version: current.version });
    const { rowCount } = await this.#database.pool.query(
      `update cellfolio.annotations a set revision = $4, updated_at = now()
       where id = $1 and user_id = $2 and revision = $3 and exists (
         select from cellfolio.annotation_revisions r
         where r.annotation_id = a.id and r.revision = $4 and r.version = $5)`,
      [id, userId, revision, to, current.version],
    );
    if (!rowCount) {
      throw new ApiFailure(
        404,
        'revision_not_found',
        `Revision ${to} of ${quoted(current.name)} is not kept any more.`,
      );
    }
    this.#columns.forget(userId, current.datasetId);
    return this.get(userId, id);
  }

  /** Throws ApiFailure 404, 409 for a name that is taken. */
  async rename(userId: string, id: string, datasetId: string, name: string): Promise<Annotation> {
    const update =
      'update cellfolio.annotations set name = $3, updated_at = now() where id = $1 and user_id = $2';
    const { rowCount } = await orRefused(name, () => this.#database.pool.query(update, [id, userId, name]));
    if (!rowCount) noSuchAnnotation();
    this.#columns.forget(userId, datasetId);
    return this.get(userId, id);
  }

  /** Returns the dataset that it was of. Throws ApiFailure 404. */
  async remove(userId: string, id: string): Promise<string> {
    const { rows } = await this.#database.pool.query<{ dataset_id: string }>(
      'delete from cellfolio.annotations where id = $1 and user_id = $2 returning dataset_id',
      [id, userId],
    );
    if (!rows[0]) return noSuchAnnotation();
    this.#columns.forget(userId, rows[0].dataset_id);
    await this.forgetBarcodes(rows[0].dataset_id);
    return rows[0].dataset_id;
  }

  /** The barcodes of a version of a dataset; undefined where they are not kept. */
  async barcodes({ id, version }: DatasetRef): Promise<Buffer | undefined> {
    const { rows } = await this.#database.pool.query<{ barcodes: Buffer }>(
      'select barcodes from cellfolio.annotated_versions where dataset_id = $1 and version = $2',
      [id, version],
    );
    return rows[0]?.barcodes;
  }

  async hasBarcodes({ id, version }: DatasetRef): Promise<boolean> {
    const kept = 'select from cellfolio.annotated_versions where dataset_id = $1 and version = $2';
    return Boolean((await this.#database.pool.query(kept, [id, version])).rowCount);
  }

  async keepBarcodes({ id, version }: DatasetRef, barcodes: Uint8Array): Promise<void> {
    await this.#database.pool.query(
      'insert into cellfolio.annotated_versions (dataset_id, version, barcodes) values ($1, $2, $3) on conflict do nothing',
      [id, version, Buffer.from(barcodes)],
    );
  }

  /** Those of versions that no annotation is of any more. */
  async forgetBarcodes(datasetId: string): Promise<void> {
    await this.#database.pool.query(
      `delete from cellfolio.annotated_versions v where v.dataset_id = $1 and not exists (
         select from cellfolio.annotation_revisions r join cellfolio.annotations a on a.id = r.annotation_id
         where a.dataset_id = v.dataset_id and r.version = v.version)`,
      [datasetId],
    );
  }
}

const insertRevision = `insert into cellfolio.annotation_revisions
  (annotation_id, revision, version, words, cells, groups, unlabelled, codes) values ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Values of `insertRevision` behind the first two. */
async function rowOf({ labels, words, cells, version, packed }: NextState): Promise<unknown[]> {
  const { counts, unlabelled } = groupCounts(labels);
  const groups = labels.groups.map(({ name, colour }, code) => ({ name, colour, cells: counts[code]! }));
  const codes = packed ?? (await packedCodes(labels.codes));
  return [version, words.slice(0, 2000), cells, JSON.stringify(groups), unlabelled, codes];
}

/** Throws ApiFailure 409 where the annotation is at another revision or of another version of the dataset. */
export function refuseOther(
  current: Current,
  { revision, version }: { revision: number; version: string },
): void {
  if (current.revision !== revision) throw changedMeanwhile();
  if (current.version === version) return;
  throw new ApiFailure(
    409,
    'annotation_of_other_version',
    `${quoted(current.name)} is of another version of the dataset. Carry its labels over first.`,
  );
}

function changedMeanwhile(): ApiFailure {
  return new ApiFailure(
    409,
    'annotation_changed',
    'The labels were changed elsewhere meanwhile. Look at them as they are now, then try again.',
  );
}

/** Refusals of the database as answers. */
async function orRefused<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message, hint } = error as { code?: string; message: string; hint?: string };
    if (code === '23505') {
      const problem = `You have an annotation ${quoted(name)} of this dataset already. Choose another name.`;
      throw new ApiFailure(409, 'annotation_exists', problem, { cause: error });
    }
    if (code !== 'PT409') throw error;
    throw new ApiFailure(409, 'too_many_annotations', [message, hint].filter(Boolean).join(' '), {
      cause: error,
    });
  }
}
