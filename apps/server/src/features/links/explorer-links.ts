import { randomInt } from 'node:crypto';
import type { ExplorerLink, explorerLinkRequest, OpenedLink } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import type { z } from 'zod';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { documentKinds, UserDocuments } from '../../runtime/user-documents.ts';
import type { Owner } from '../../runtime/owners.ts';
import { limits } from '../../runtime/limits/limits.ts';

/** Without letters that are confused when read aloud. */
const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** 70 random bits, so that ids cannot be guessed. */
const idLength = 12;

/** An annotation that a link's view uses, with its revision where the link has a copy of its labels. */
export interface LinkedLabel {
  id: string;
  name: string;
  revision?: number;
}

interface LinkBody {
  address: string;
  labels: readonly LinkedLabel[];
}

/** Labels that a user shares with links take as many bytes as their annotations may. */
const maxSharedBytes = limits.sharedLabelBytes.value;

/** The view that a link of any user leads to. Throws ApiFailure 404 for a link that never existed or is deleted. */
export async function openLink(
  { pool }: Pick<Database, 'pool'>,
  id: string,
): Promise<LinkBody & { maker: string }> {
  // Followed often, written once a day.
  const { rows } = await pool.query<LinkBody & { maker: string }>(
    `with used as (
       update cellfolio.user_documents set used_at = now()
       where kind = 'link' and id = $1 and used_at < now() - interval '1 day')
     select d.owner_id as maker, r.body ->> 'address' as address, r.body -> 'labels' as labels
     from cellfolio.user_documents d join cellfolio.user_document_revisions r on r.document_id = d.id
     where d.kind = 'link' and d.id = $1`,
    [id],
  );
  if (rows[0]) return rows[0];
  throw new ApiFailure(404, 'link_not_found', 'The link does not exist or was deleted.');
}

/**
 * Short names of explorer addresses. Any signed-in user may follow one: it reveals names of a dataset, of genes and of
 * cells, and access is checked where the address is opened.
 */
export class ExplorerLinks {
  readonly #database: Database;
  readonly #documents: UserDocuments<LinkBody>;
  readonly #maxSharedBytes: number;

  constructor(database: Database, limits: { sharedBytes?: number } = {}) {
    this.#database = database;
    this.#documents = new UserDocuments(database, documentKinds.link);
    this.#maxSharedBytes = limits.sharedBytes ?? maxSharedBytes;
  }

  /**
   * The user's link to this address with these labels; reuses an existing one. Throws ApiFailure 404 for an annotation
   * that is not the user's.
   */
  async make(
    owner: Owner,
    address: string,
    {
      annotations: ids = [],
      share_labels: shared = false,
    }: Omit<z.input<typeof explorerLinkRequest>, 'address'> = {},
  ): Promise<ExplorerLink> {
    return this.#database.transaction(async (client) => {
      // Locked, so that the copied state is the one that the link names.
      const { rows: annotations } = await client.query<Required<LinkedLabel>>(
        `select id, revision, name from cellfolio.user_documents
         where kind = 'annotation' and owner_id = $1 and id = any($2) order by id for share`,
        [owner, ids],
      );
      if (annotations.length < new Set(ids).size) {
        throw new ApiFailure(404, 'annotation_not_found', 'The annotation does not exist or was deleted.');
      }
      const labels = annotations.map(({ id, name, revision }) => ({ id, name, ...(shared && { revision }) }));
      const body = { address, labels };
      const { rows } = await client.query<{ name: string }>('select md5($1 || $2::jsonb::text) as name', [
        address,
        JSON.stringify(labels),
      ]);
      const { name } = rows[0]!;
      const id = await this.#documents.use(client, owner, { id: newId(), name, body });
      if (shared) {
        await client.query(copyLabels, [id, annotations.map((one) => one.id)]);
        await client.query(limitSharedLabels, [owner, this.#maxSharedBytes]);
      }
      return { id, address };
    });
  }

  /** Throws ApiFailure 404 for a link that never existed or is deleted. */
  async open(id: string): Promise<OpenedLink> {
    const { maker, address, labels } = await openLink(this.#database, id);
    return {
      id,
      address,
      labels: labels.map(({ name }) => name),
      subsets: await this.#subsets(maker, address),
    };
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
  insert into cellfolio.shared_labels (link_id, annotation_id, name, body, bytes)
  select $1, a.id, a.name, case when (r.body -> 'numbers')::boolean then r.body
    else jsonb_set(r.body, '{words}', '"Came with a shared link"') end, r.bytes
  from cellfolio.user_documents a
  join cellfolio.user_document_revisions r on r.document_id = a.id and r.revision = a.revision
  where a.id = any($2)
  on conflict do nothing`;

/** New ones take the place of those of the links that were unused for longest. */
const limitSharedLabels = `
  delete from cellfolio.shared_labels l using (
    select s.link_id, s.annotation_id, sum(s.size)
      over (order by k.used_at desc, k.created_at desc, k.id, s.annotation_id) as bytes
    from cellfolio.shared_labels s join cellfolio.user_documents k on k.id = s.link_id where k.owner_id = $1) sized
  where l.link_id = sized.link_id and l.annotation_id = sized.annotation_id and sized.bytes > $2`;

/** A subset and the one that a selection was saved as; an address has no others. */
const maxSubsets = 2;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function newId(): string {
  return Array.from({ length: idLength }, () => letters[randomInt(letters.length)]).join('');
}
