import type { LinkLabels as TakenLabels } from '@cellfolio/contract';
import { quotedHead } from '@cellfolio/model';
import type { Database } from '@cellfolio/platform';
import type { DatasetManifest } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { UserDocuments } from '../../runtime/user-documents.ts';
import { type LinkedLabel, openLink } from '../links/index.ts';
import type { AnnotationColumns } from './annotation-columns.ts';
import { type AnnotationState, annotationsOf } from './annotation-states.ts';
import type { Owner } from '../../runtime/owners.ts';

type TakenLabel = TakenLabels['labels'][number];

interface SharedLabel {
  name: string;
  body: AnnotationState;
  bytes: Buffer;
}

/** Gives users labels that came with a link, as annotations of their own. */
export class LinkLabels {
  readonly #database: Database;
  readonly #documents: UserDocuments<AnnotationState>;
  readonly #columns: AnnotationColumns;

  constructor(deps: { database: Database; columns: AnnotationColumns }) {
    this.#database = deps.database;
    this.#documents = annotationsOf(deps.database);
    this.#columns = deps.columns;
  }

  /**
   * Adds the labels of a link to the annotations of a user who may read the dataset, unless they are there already,
   * perhaps changed since. Throws ApiFailure 404 for an unknown link.
   */
  async take(
    { owner, manifest }: { owner: Owner; manifest: DatasetManifest },
    linkId: string,
  ): Promise<TakenLabels> {
    const { labels: linkedLabels } = await openLink(this.#database, linkId);
    const labels: TakenLabel[] = [];
    for (const linked of linkedLabels) {
      labels.push({ name: linked.name, ...(await this.#takeOne({ owner, manifest }, linkId, linked)) });
    }
    if (labels.some(({ added }) => added)) this.#columns.forget(owner, manifest.id);
    return { labels };
  }

  async #takeOne(
    { owner, manifest }: { owner: Owner; manifest: DatasetManifest },
    linkId: string,
    { id, name }: LinkedLabel,
  ): Promise<Omit<TakenLabel, 'name'>> {
    const { rows } = await this.#database.pool.query<SharedLabel>(
      `select l.name, l.body, l.bytes from cellfolio.shared_labels l
       join cellfolio.user_documents a on a.id = l.annotation_id
       where l.link_id = $1 and l.annotation_id = $2 and a.dataset_id = $3`,
      [linkId, id, manifest.id],
    );
    const shared = rows[0];
    const { rows: present } = await this.#database.pool.query<{ same: boolean }>(
      `select a.id = $4 or exists (
         select from cellfolio.user_document_revisions r join cellfolio.shared_labels l
           on l.bytes = r.bytes and l.body -> 'version' = r.body -> 'version'
             and l.body -> 'groups' = r.body -> 'groups'
         where r.document_id = a.id and l.link_id = $5 and l.annotation_id = $4) as same
       from cellfolio.user_documents a
       where a.kind = 'annotation' and a.owner_id = $1 and a.dataset_id = $2 and (a.name = $3 or a.id = $4)`,
      [owner, manifest.id, name, id, linkId],
    );
    if (present.some(({ same }) => same)) return { added: false };
    const quoted = quotedHead(name, 100);
    if (!shared) {
      return refusal(
        `${quoted} is an annotation of the link’s author that is not shared. Ask for a link that shares its labels.`,
      );
    }
    if (shared.body.version !== manifest.version) {
      return refusal(
        `The labels ${quoted} belong to another version of the dataset. Ask for a link to the current one.`,
      );
    }
    if (present.length > 0) {
      return refusal(
        `You have an annotation ${quoted} with other labels. Rename yours, then open the link again.`,
      );
    }
    try {
      await this.#insert({ owner, manifest }, shared);
      return { added: true };
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      return refusal(error.message);
    }
  }

  async #insert(
    { owner, manifest }: { owner: Owner; manifest: DatasetManifest },
    { name, body, bytes }: SharedLabel,
  ): Promise<void> {
    const cells = manifest.cellCount - body.unlabelled;
    const state = { body: { ...body, cells }, bytes };
    await this.#documents.create(owner, { dataset: manifest.id, name, ...state });
  }
}

function refusal(problem: string): Omit<TakenLabel, 'name'> {
  return { added: false, problem };
}
