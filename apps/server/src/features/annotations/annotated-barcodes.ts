import type { Database } from '@cellfolio/platform';
import type { DatasetManifest } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { BarcodesTask } from './tasks.ts';

/** Barcodes of annotated dataset versions, used to carry labels over to the next version. */
export class AnnotatedBarcodes {
  readonly #database: Database;
  readonly #compute: Compute;

  constructor({ database, compute }: { database: Database; compute: Compute }) {
    this.#database = database;
    this.#compute = compute;
  }

  /** Stored for use with the next version of the dataset, when this one is gone. */
  async keep({ id, version }: DatasetManifest, call: CallContext): Promise<void> {
    const { pool } = this.#database;
    const key = [id, version];
    const query = 'select from cellfolio.annotated_versions where dataset_id = $1 and version = $2';
    if ((await pool.query(query, key)).rowCount) return;
    const barcodes = await this.#compute.run<BarcodesTask>(
      { kind: 'barcodes', dataset: { id, version } },
      call,
    );
    await pool.query(
      'insert into cellfolio.annotated_versions (dataset_id, version, barcodes) values ($1, $2, $3) on conflict do nothing',
      [...key, Buffer.from(barcodes)],
    );
  }

  /** Throws ApiFailure 404. */
  async of(datasetId: string, version: string): Promise<Buffer> {
    const { rows } = await this.#database.pool.query<{ barcodes: Buffer }>(
      'select barcodes from cellfolio.annotated_versions where dataset_id = $1 and version = $2',
      [datasetId, version],
    );
    if (rows[0]) return rows[0].barcodes;
    throw new ApiFailure(404, 'barcodes_not_found', 'The barcodes of the other version are not kept.');
  }

  async forget(datasetId: string): Promise<void> {
    await this.#database.pool.query(
      `delete from cellfolio.annotated_versions v where v.dataset_id = $1 and not exists (
         select from cellfolio.user_document_revisions r join cellfolio.user_documents a on a.id = r.document_id
         where a.kind = 'annotation' and a.dataset_id = v.dataset_id and r.body ->> 'version' = v.version)`,
      [datasetId],
    );
  }
}
