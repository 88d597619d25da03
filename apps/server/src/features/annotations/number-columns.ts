import type { NumberColumn } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import type { DatasetManifest } from '@cellfolio/store';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { UserDocuments } from '../../runtime/user-documents.ts';
import type { AnnotationColumns } from './annotation-columns.ts';
import { type AnnotationState, annotationsOf, currentStates, maxWords } from './annotation-states.ts';
import { packedNumbers } from './packed-codes.ts';
import { refuseColumn } from './refuse-column.ts';
import type { Owner } from '../../runtime/owners.ts';

/** Numbers of cells that users saved as columns, in the database: never changed, only deleted. */
export class NumberColumns {
  readonly #database: Database;
  readonly #documents: UserDocuments<AnnotationState>;
  readonly #datasets: OpenDatasets;
  readonly #columns: AnnotationColumns;

  constructor(deps: { database: Database; datasets: OpenDatasets; columns: AnnotationColumns }) {
    this.#database = deps.database;
    this.#documents = annotationsOf(deps.database);
    this.#datasets = deps.datasets;
    this.#columns = deps.columns;
  }

  /** Columns of all versions of the dataset, oldest first. */
  async list(owner: Owner, datasetId: string): Promise<NumberColumn[]> {
    return this.#read(owner, 'a.dataset_id = $2', datasetId);
  }

  /**
   * Stores a number for each cell, NaN when missing; `words` describes them. Throws ApiFailure 409 for a duplicate
   * name, and when the limit is reached.
   */
  async add(
    { owner, manifest, name }: { owner: Owner; manifest: DatasetManifest; name: string },
    { values, words }: { values: Float64Array; words: string },
  ): Promise<NumberColumn> {
    await refuseColumn(this.#datasets, manifest, name);
    const missing = values.reduce((count, value) => (Number.isFinite(value) ? count : count + 1), 0);
    const body = {
      numbers: true,
      version: manifest.version,
      words: words.slice(0, maxWords),
      cells: values.length - missing,
      groups: [],
      unlabelled: missing,
    };
    const bytes = await packedNumbers(values);
    const id = await this.#documents.create(owner, { dataset: manifest.id, name, body, bytes });
    this.#columns.forget(owner, manifest.id);
    const [added] = await this.#read(owner, 'a.id = $2', id);
    return added ?? this.#documents.notFound();
  }

  async #read(owner: Owner, where: string, value: string): Promise<NumberColumn[]> {
    const { rows } = await this.#database.pool.query<NumberColumn>(
      `select a.id, a.name, a.revision, r.body ->> 'version' as version, r.body ->> 'words' as words,
         (r.body -> 'cells')::integer as cells, (r.body -> 'unlabelled')::integer as missing
       from ${currentStates}
       where (r.body -> 'numbers')::boolean and a.owner_id = $1 and ${where} order by a.created_at, a.id`,
      [owner, value],
    );
    return rows;
  }
}
