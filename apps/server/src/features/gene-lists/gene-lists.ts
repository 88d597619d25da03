import type { GeneList, geneListChange, newGeneList } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import type { z } from 'zod';
import { ApiFailure } from '../../runtime/api-failure.ts';

/** Named gene lists of users. The database limits their number per user. */
export class GeneLists {
  readonly #pool: Database['pool'];

  constructor({ pool }: Pick<Database, 'pool'>) {
    this.#pool = pool;
  }

  /** Ordered by name, ignoring case. */
  async list(userId: string): Promise<GeneList[]> {
    const { rows } = await this.#pool.query<GeneList>(
      'select id, name, genes, revision from cellfolio.gene_lists where user_id = $1 order by lower(name), name',
      [userId],
    );
    return rows;
  }

  /** Throws ApiFailure 409 for a duplicate name, and for too many lists. */
  async create(userId: string, { name, genes }: z.output<typeof newGeneList>): Promise<GeneList> {
    return orRefused(name, async () => {
      const { rows } = await this.#pool.query<GeneList>(
        `insert into cellfolio.gene_lists (user_id, name, genes) values ($1, $2, $3)
         returning id, name, genes, revision`,
        [userId, name, genes],
      );
      return rows[0]!;
    });
  }

  /** Throws ApiFailure 404, 409 for a duplicate name, and when the list is at another revision. */
  async change(
    userId: string,
    id: string,
    { revision, name, genes }: z.output<typeof geneListChange>,
  ): Promise<GeneList> {
    const { rows } = await orRefused(name ?? '', () =>
      this.#pool.query<GeneList>(
        `update cellfolio.gene_lists set name = coalesce($4, name), genes = coalesce($5, genes),
           revision = revision + 1, updated_at = now()
         where id = $1 and user_id = $2 and revision = $3 returning id, name, genes, revision`,
        [id, userId, revision, name ?? null, genes ?? null],
      ),
    );
    if (rows[0]) return rows[0];
    const { rowCount } = await this.#pool.query(
      'select from cellfolio.gene_lists where id = $1 and user_id = $2',
      [id, userId],
    );
    if (!rowCount) return noSuchList();
    throw new ApiFailure(
      409,
      'gene_list_changed',
      'The list has been changed elsewhere. Check the current one, then try again.',
    );
  }

  /** Throws ApiFailure 404. */
  async remove(userId: string, id: string): Promise<void> {
    const { rowCount } = await this.#pool.query(
      'delete from cellfolio.gene_lists where id = $1 and user_id = $2',
      [id, userId],
    );
    if (!rowCount) noSuchList();
  }
}

function noSuchList(): never {
  throw new ApiFailure(404, 'gene_list_not_found', 'There is no such gene list, or it was deleted.');
}

async function orRefused<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message, hint } = error as { code?: string; message: string; hint?: string };
    if (code === '23505') {
      const problem = `You already have a gene list “${name}”. Choose another name.`;
      throw new ApiFailure(409, 'gene_list_exists', problem, { cause: error });
    }
    if (code !== 'PT409') throw error;
    throw new ApiFailure(409, 'too_many_gene_lists', [message, hint].filter(Boolean).join(' '), {
      cause: error,
    });
  }
}
