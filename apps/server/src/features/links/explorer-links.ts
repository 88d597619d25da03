import { randomInt } from 'node:crypto';
import type { ExplorerLink, OpenedLink } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import { ApiFailure } from '../../runtime/api-failure.ts';

/** Without letters that are confused when read aloud. */
const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** 70 random bits, so that ids cannot be guessed. */
const idLength = 12;

/**
 * Short names of explorer addresses. Any signed-in user may follow one: it reveals names of a dataset, of genes and of
 * cells, and access is checked where the address is opened. The database limits their number per user.
 */
export class ExplorerLinks {
  readonly #pool: Database['pool'];

  constructor({ pool }: Pick<Database, 'pool'>) {
    this.#pool = pool;
  }

  /** The user's link to this address; reuses an existing one. */
  async make(userId: string, address: string): Promise<ExplorerLink> {
    const { rows } = await this.#pool.query<ExplorerLink>(
      `insert into cellfolio.links (id, user_id, address) values ($1, $2, $3)
       on conflict (user_id, md5(address)) do update set used_at = now()
       returning id, address`,
      [newId(), userId, address],
    );
    return rows[0]!;
  }

  /** Throws ApiFailure 404 for a link that never existed or is deleted. */
  async open(id: string): Promise<OpenedLink> {
    // Followed often, written once a day.
    const { rows } = await this.#pool.query<ExplorerLink & { maker: string }>(
      `with used as (
         update cellfolio.links set used_at = now() where id = $1 and used_at < now() - interval '1 day')
       select id, address, user_id as maker from cellfolio.links where id = $1`,
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
    const { rows } = await this.#pool.query<OpenedLink['subsets'][number]>(
      `select id, subset_name, filter_config from public.subset_metadata
       where user_id = $1 and id = any($2::uuid[]) and filter_config is not null limit $3`,
      [maker, named, maxSubsets],
    );
    return rows;
  }
}

/** A subset and the one that a selection was saved as; an address has no others. */
const maxSubsets = 2;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function newId(): string {
  return Array.from({ length: idLength }, () => letters[randomInt(letters.length)]).join('');
}
