import type { ToolCallList } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import type { Member } from '../../runtime/http/access.ts';
import { limits } from '../../runtime/limits/limits.ts';

const callsOfPage = 10;
const maxNameLength = 200;

/** A call of a tool that has ended: `status` is that of `/api`, or `canceledCall`. */
export interface EndedCall {
  readonly tool: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Request id of its longest call of `/api`, for the log of the server. */
  readonly requestId: string;
}

/** Calls of tools by users: what was called, with which credential and for how long. Arguments are not stored. */
export class ToolCalls {
  readonly #database: Pick<Database, 'pool'>;

  constructor(database: Pick<Database, 'pool'>) {
    this.#database = database;
  }

  async add(
    { userId, name = '', scopes, toolsOnly }: Member,
    filename: string,
    { tool, status, milliseconds }: Omit<EndedCall, 'requestId'>,
  ): Promise<void> {
    const credential = toolsOnly ? 'app' : scopes ? 'key' : 'session';
    // Longer names are none of datasets.
    const dataset = filename.length <= maxNameLength ? filename : '';
    await this.#database.pool.query(
      `insert into cellfolio.tool_calls (user_id, tool, dataset_id, credential, credential_name, status, milliseconds)
       select id, $2, $3, $4, $5, $6, $7 from auth.users where id = $1`,
      [userId, tool, dataset, credential, name, status, milliseconds],
    );
  }

  /** A page of the calls of a user, newest first. */
  async list(userId: string, before: string | undefined): Promise<ToolCallList> {
    const { rows } = await this.#database.pool.query<
      Omit<ToolCallList['calls'][number], 'at' | 'dataset'> & { at: Date; dataset: string }
    >(
      `select c.id::text, c.at, c.tool, coalesce(f.file_name, c.dataset_id) as dataset, c.credential,
         c.credential_name, c.status, c.milliseconds
       from cellfolio.tool_calls c
       left join public.user_files f on f.user_id = c.user_id and c.dataset_id = 'custom:' || f.id
       where c.user_id = $1 and ($2::bigint is null or c.id < $2)
       order by c.id desc limit ${callsOfPage + 1}`,
      [userId, before ?? null],
    );
    const page = rows.slice(0, callsOfPage);
    return {
      calls: page.map(({ at, dataset, id, tool, credential, credential_name, status, milliseconds }) => ({
        id,
        at: at.toISOString(),
        tool,
        dataset: dataset === '' ? null : dataset,
        credential,
        credential_name,
        status,
        milliseconds,
      })),
      next_before: rows.length > callsOfPage ? page.at(-1)!.id : null,
      kept_days: limits.toolCallDays.value,
    };
  }
}
