import type { Annotation, AnnotationRevision } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import { noSuchAnnotation } from './annotation-columns.ts';
import { type ChangedLabels, groupCounts } from './labels.ts';
import { packedCodes } from './packed-codes.ts';

type AnnotationGroup = Annotation['groups'][number];

export interface CurrentRevision extends AnnotationRevision {
  datasetId: string;
  version: string;
  groups: readonly AnnotationGroup[];
  codes: Buffer;
}

/** A state to store; `packed` holds its codes if they are those of the previous state. */
export type NextState = ChangedLabels & { version: string; packed?: Buffer };

/** Throws ApiFailure 404. */
export async function currentRevision(
  { pool }: Pick<Database, 'pool'>,
  userId: string,
  id: string,
): Promise<CurrentRevision> {
  const { rows } = await pool.query<CurrentRevision>(
    `select a.id, a.name, a.revision, a.dataset_id as "datasetId", r.version, r.groups, r.codes
     from cellfolio.annotations a
     join cellfolio.annotation_revisions r on r.annotation_id = a.id and r.revision = a.revision
     where not a.numbers and a.user_id = $1 and a.id = $2`,
    [userId, id],
  );
  return rows[0] ?? noSuchAnnotation();
}

export const insertRevision = `insert into cellfolio.annotation_revisions
  (annotation_id, revision, version, words, cells, groups, unlabelled, codes) values ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Values of `insertRevision` after the first two. */
export async function revisionRow({ labels, words, cells, version, packed }: NextState): Promise<unknown[]> {
  const { counts, unlabelled } = groupCounts(labels);
  const groups = labels.groups.map(({ name, colour }, code) => ({ name, colour, cells: counts[code]! }));
  const codes = packed ?? (await packedCodes(labels.codes));
  return [version, words.slice(0, 2000), cells, JSON.stringify(groups), unlabelled, codes];
}
