import { randomInt } from 'node:crypto';
import type { ExplorerLink, explorerLinkRequest, OpenedLink } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import type { z } from 'zod';
import { ApiFailure } from '../../runtime/api-failure.ts';

/** Without letters that are confused when read aloud. */
const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** 70 random bits, so that ids cannot be guessed. */
const idLength = 12;

type LinkedLabels = Omit<z.input<typeof explorerLinkRequest>, 'address'>;

/**
 * Short names of explorer addresses. Any signed-in user may follow one: it reveals names of a dataset, of genes and of
 * cells, and access is checked where the address is opened. The database limits their number per user.
 */
export class ExplorerLinks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The user's link to this address with these labels; reuses an existing one. Throws ApiFailure 404 for an annotation
   * that is not the user's.
   */
  async make(
    userId: string,
    address: string,
    { annotations: ids = [], share_labels: shared = false }: LinkedLabels = {},
  ): Promise<ExplorerLink> {
    return this.#database.transaction(async (client) => {
      // Locked, so that the copied state is the one that the link names.
      const { rows: labels } = await client.query<{ id: string; revision: number; name: string }>(
        `select id, revision, name from cellfolio.annotations
         where user_id = $1 and id = any($2::uuid[]) order by id for share`,
        [userId, ids],
      );
      if (labels.length < new Set(ids).size) {
        throw new ApiFailure(404, 'annotation_not_found', 'There is no such annotation, or it was deleted.');
      }
      const linked = labels.map(({ id, name, revision }) => ({ id, name, ...(shared && { revision }) }));
      const { rows } = await client.query<ExplorerLink>(
        `insert into cellfolio.links (id, user_id, address, labels) values ($1, $2, $3, $4)
         on conflict (user_id, md5(address || labels::text)) do update set used_at = now()
         returning id, address`,
        [newId(), userId, address, JSON.stringify(linked)],
      );
      const link = rows[0]!;
      if (shared) await client.query(copyLabels, [link.id, labels.map(({ id }) => id)]);
      return link;
    });
  }

  /** Throws ApiFailure 404 for a link that never existed or is deleted. */
  async open(id: string): Promise<OpenedLink> {
    // Followed often, written once a day.
    const { rows } = await this.#database.pool.query<Omit<OpenedLink, 'subsets'> & { maker: string }>(
      `with used as (
         update cellfolio.links set used_at = now() where id = $1 and used_at < now() - interval '1 day')
       select id, address, user_id as maker,
         (select coalesce(json_agg(one ->> 'name'), '[]') from jsonb_array_elements(labels) one) as labels
       from cellfolio.links where id = $1`,
      [id],
    );
    if (rows[0]) {
      const { maker, ...link } = rows[0];
      return { ...link, subsets: await this.#subsets(maker, link.address) };
    }
    throw new ApiFailure(404, 'link_not_found', 'There is no such link, or it was deleted.');
  }

  /** Subsets of the link's maker that its address names: cells too many for an address are named by their subset. */
  async #subsets(maker: string, address: string): Promise<OpenedLink['subsets']> {
    const named = [...new Set(address.match(uuid))].slice(0, 2 * maxSubsets);
    if (named.length === 0) return [];
    const { rows } = await this.#database.pool.query<OpenedLink['subsets'][number]>(
      `select id, subset_name, filter_config from public.subset_metadata
       where user_id = $1 and id = any($2::uuid[]) and filter_config is not null limit $3`,
      [maker, named, maxSubsets],
    );
    return rows;
  }
}

/** Words of numbers say what they are; those of labels are their maker's history. */
const copyLabels = `
  insert into cellfolio.link_labels (link_id, annotation_id, name, version, words, groups, unlabelled, codes)
  select $1, a.id, a.name, r.version, case when a.numbers then r.words else 'Came with a shared link' end,
    r.groups, r.unlabelled, r.codes
  from cellfolio.annotations a
  join cellfolio.annotation_revisions r on r.annotation_id = a.id and r.revision = a.revision
  where a.id = any($2::uuid[])
  on conflict do nothing`;

/** A subset and the one that a selection was saved as; an address has no others. */
const maxSubsets = 2;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function newId(): string {
  return Array.from({ length: idLength }, () => letters[randomInt(letters.length)]).join('');
}
