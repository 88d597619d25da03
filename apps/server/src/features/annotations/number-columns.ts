import type { NumberColumn } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import type { DatasetManifest } from '@cellfolio/store';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { type AnnotationColumns, noSuchAnnotation } from './annotation-columns.ts';
import { insertRevision } from './annotation-revisions.ts';
import { packedNumbers } from './packed-codes.ts';
import { orRefused, refuseColumn } from './refusals.ts';

/** Numbers of cells that users saved as columns, in the database: never changed, only deleted. */
export class NumberColumns {
  readonly #database: Database;
  readonly #datasets: OpenDatasets;
  readonly #columns: AnnotationColumns;

  constructor(deps: { database: Database; datasets: OpenDatasets; columns: AnnotationColumns }) {
    this.#database = deps.database;
    this.#datasets = deps.datasets;
    this.#columns = deps.columns;
  }

  /** Columns of all versions of the dataset, oldest first. */
  async list(userId: string, datasetId: string): Promise<NumberColumn[]> {
    return this.#read(userId, 'a.dataset_id = $2', datasetId);
  }

  /**
   * Stores a number for each cell, NaN when missing; `words` describes them. Throws ApiFailure 409 for a duplicate
   * name, and when the limit is reached.
   */
  async add(
    { userId, manifest, name }: { userId: string; manifest: DatasetManifest; name: string },
    { values, words }: { values: Float64Array; words: string },
  ): Promise<NumberColumn> {
    await refuseColumn(this.#datasets, manifest, name);
    const missing = values.reduce((count, value) => (Number.isFinite(value) ? count : count + 1), 0);
    const packed = await packedNumbers(values);
    const row = [manifest.version, words.slice(0, 2000), values.length - missing, '[]', missing, packed];
    const id = await orRefused(name, () =>
      this.#database.transaction(async (client) => {
        const { rows } = await client.query<{ id: string }>(
          'insert into cellfolio.annotations (user_id, dataset_id, name, numbers) values ($1, $2, $3, true) returning id',
          [userId, manifest.id, name],
        );
        await client.query(insertRevision, [rows[0]!.id, 1, ...row]);
        return rows[0]!.id;
      }),
    );
    this.#columns.forget(userId, manifest.id);
    const [added] = await this.#read(userId, 'a.id = $2', id);
    return added ?? noSuchAnnotation();
  }

  async #read(userId: string, where: string, value: string): Promise<NumberColumn[]> {
    const { rows } = await this.#database.pool.query<NumberColumn>(
      `select a.id, a.name, a.revision, r.version, r.words, r.cells, r.unlabelled as missing
       from cellfolio.annotations a
       join cellfolio.annotation_revisions r on r.annotation_id = a.id and r.revision = a.revision
       where a.numbers and a.user_id = $1 and ${where} order by a.created_at, a.id`,
      [userId, value],
    );
    return rows;
  }
}
