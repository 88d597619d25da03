import type { Database } from '@cellfolio/platform';

interface StoredDocument {
  kind: string;
  dataset?: string;
  name: string;
  body: object | null;
  bytes?: Buffer;
}

/** Writes a document in its first state, without the checks of its kind. Returns its id. */
export async function storeDocument(
  { pool }: Pick<Database, 'pool'>,
  owner: string,
  { kind, dataset = '', name, body, bytes }: StoredDocument,
): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into cellfolio.user_documents (owner_id, kind, dataset_id, name) values ($1, $2, $3, $4) returning id`,
    [owner, kind, dataset, name],
  );
  await pool.query(
    `insert into cellfolio.user_document_revisions (document_id, revision, body, bytes) values ($1, 1, $2, $3)`,
    [rows[0]!.id, body && JSON.stringify(body), bytes ?? null],
  );
  return rows[0]!.id;
}

/** A state of labels of one cell. */
export const storedLabels = {
  kind: 'annotation',
  body: { numbers: false, version: 'v1', words: 'w', cells: 1, groups: [], unlabelled: 0 },
};
