import type { LinkLabels as TakenLabels } from '@cellfolio/contract';
import { quotedHead } from '@cellfolio/model';
import type { Database } from '@cellfolio/platform';
import type { DatasetManifest } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { AnnotationColumns } from './annotation-columns.ts';
import { insertRevision } from './annotation-revisions.ts';
import { orRefused } from './refusals.ts';

type TakenLabel = TakenLabels['labels'][number];

interface LinkedLabel {
  id: string;
  name: string;
}

/** Copied columns of a link; those of labels are as in annotation_revisions. */
interface SharedLabel extends LinkedLabel {
  version: string;
  numbers: boolean;
  words: string;
  groups: string;
  unlabelled: number;
  codes: Buffer;
}

/** Gives users labels that came with a link, as annotations of their own. */
export class LinkLabels {
  readonly #database: Database;
  readonly #columns: AnnotationColumns;

  constructor(deps: { database: Database; columns: AnnotationColumns }) {
    this.#database = deps.database;
    this.#columns = deps.columns;
  }

  /**
   * Adds the labels of a link to the annotations of a user who may read the dataset, unless they are there already,
   * perhaps changed since. Throws ApiFailure 404 for an unknown link.
   */
  async take(
    { userId, manifest }: { userId: string; manifest: DatasetManifest },
    linkId: string,
  ): Promise<TakenLabels> {
    const { rows } = await this.#database.pool.query<{ labels: readonly LinkedLabel[] }>(
      'select labels from cellfolio.links where id = $1',
      [linkId],
    );
    if (!rows[0]) {
      throw new ApiFailure(404, 'link_not_found', 'There is no such link, or it was deleted.');
    }
    const labels: TakenLabel[] = [];
    for (const linked of rows[0].labels) {
      labels.push({ name: linked.name, ...(await this.#takeOne({ userId, manifest }, linkId, linked)) });
    }
    if (labels.some(({ added }) => added)) this.#columns.forget(userId, manifest.id);
    return { labels };
  }

  async #takeOne(
    { userId, manifest }: { userId: string; manifest: DatasetManifest },
    linkId: string,
    { id, name }: LinkedLabel,
  ): Promise<Omit<TakenLabel, 'name'>> {
    const { rows } = await this.#database.pool.query<SharedLabel>(
      `select l.annotation_id as id, l.name, l.version, a.numbers, l.words, l.groups::text, l.unlabelled, l.codes
       from cellfolio.link_labels l join cellfolio.annotations a on a.id = l.annotation_id
       where l.link_id = $1 and l.annotation_id = $2 and a.dataset_id = $3`,
      [linkId, id, manifest.id],
    );
    const shared = rows[0];
    const { rows: present } = await this.#database.pool.query<{ same: boolean }>(
      `select a.id = $4 or exists (
         select from cellfolio.annotation_revisions r join cellfolio.link_labels l
           on l.version = r.version and l.codes = r.codes and l.groups = r.groups
         where r.annotation_id = a.id and l.link_id = $5 and l.annotation_id = $4) as same
       from cellfolio.annotations a
       where a.user_id = $1 and a.dataset_id = $2 and (a.name = $3 or a.id = $4)`,
      [userId, manifest.id, name, id, linkId],
    );
    if (present.some(({ same }) => same)) return { added: false };
    const quoted = quotedHead(name, 100);
    if (!shared) {
      return refusal(
        `${quoted} is an annotation of the link’s author that is not shared. Ask for a link that shares its labels.`,
      );
    }
    if (shared.version !== manifest.version) {
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
      await this.#insert({ userId, manifest }, shared);
      return { added: true };
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      return refusal(error.message);
    }
  }

  async #insert(
    { userId, manifest }: { userId: string; manifest: DatasetManifest },
    { name, numbers, version, words, groups, unlabelled, codes }: SharedLabel,
  ): Promise<void> {
    const cells = manifest.cellCount - unlabelled;
    await orRefused(name, () =>
      this.#database.transaction(async (client) => {
        const { rows } = await client.query<{ id: string }>(
          'insert into cellfolio.annotations (user_id, dataset_id, name, numbers) values ($1, $2, $3, $4) returning id',
          [userId, manifest.id, name, numbers],
        );
        await client.query(insertRevision, [
          rows[0]!.id,
          1,
          version,
          words,
          cells,
          groups,
          unlabelled,
          codes,
        ]);
      }),
    );
  }
}

function refusal(problem: string): Omit<TakenLabel, 'name'> {
  return { added: false, problem };
}
