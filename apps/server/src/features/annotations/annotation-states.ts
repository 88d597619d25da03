import type { Annotation } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import {
  documentKinds,
  type DocumentState,
  type UserDocument,
  UserDocuments,
} from '../../runtime/user-documents.ts';
import { type ChangedLabels, groupCounts } from './labels.ts';
import { packedCodes } from './packed-codes.ts';
import type { Owner } from '../../runtime/owners.ts';

/** A state of labels, or of numbers; the values of its cells are the bytes of the document. */
export interface AnnotationState {
  numbers: boolean;
  /** The dataset's version. */
  version: string;
  /** Describes the change, or the numbers. */
  words: string;
  /** Cells whose label changed, or that have a number. */
  cells: number;
  /** In their order; empty for numbers. */
  groups: Annotation['groups'];
  /** Cells without a label or a number. */
  unlabelled: number;
}

export type AnnotationDocument = Omit<UserDocument<AnnotationState>, 'body'> & { body: AnnotationState };

export function annotationsOf(
  database: Pick<Database, 'pool' | 'transaction'>,
): UserDocuments<AnnotationState> {
  return new UserDocuments(database, documentKinds.annotation);
}

/** `a`: annotations, `r`: the state of each. */
export const currentStates = `cellfolio.user_documents a join cellfolio.user_document_revisions r
  on a.kind = 'annotation' and r.document_id = a.id and r.revision = a.revision`;

/** Labels with the codes of their cells. Throws ApiFailure 404. */
export async function currentLabels(
  { pool }: Pick<Database, 'pool'>,
  documents: UserDocuments<AnnotationState>,
  owner: Owner,
  id: string,
): Promise<AnnotationDocument & { codes: Buffer }> {
  const { rows } = await pool.query<AnnotationDocument & { codes: Buffer }>(
    `select a.id, a.dataset_id as dataset, a.name, a.revision, r.body, r.bytes as codes from ${currentStates}
     where not (r.body -> 'numbers')::boolean and a.owner_id = $1 and a.id = $2`,
    [owner, id],
  );
  return rows[0] ?? documents.notFound();
}

/** `packed` holds the codes if they are those of the previous state. */
export async function stateOf({
  labels,
  words,
  cells,
  version,
  packed,
}: ChangedLabels & { version: string; packed?: Buffer }): Promise<
  DocumentState<AnnotationState> & { body: AnnotationState }
> {
  const { counts, unlabelled } = groupCounts(labels);
  const groups = labels.groups.map(({ name, colour, term }, code) => ({
    name,
    colour,
    cells: counts[code]!,
    ...(term && { term }),
  }));
  const body = { numbers: false, version, words: words.slice(0, maxWords), cells, groups, unlabelled };
  return { body, bytes: packed ?? (await packedCodes(labels.codes)) };
}

export const maxWords = 2000;
