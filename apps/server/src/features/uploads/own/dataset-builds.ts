import type { DatasetNotReady, JobProblem } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';

interface BuildRow {
  readonly state: 'queued' | 'building' | 'ready' | 'failed' | null;
  readonly job_id: string | null;
  readonly problem: JobProblem | null;
  /** Why inspection could not read the file. */
  readonly unreadable: JobProblem | null;
  /** The work on the file that is under way. */
  readonly working: string | null;
  /** It was made of bytes that have been replaced since. */
  readonly outdated: boolean | null;
}

/** How far the making of datasets is, as the jobs have written it down. */
export class DatasetBuilds {
  readonly #database: Pick<Database, 'pool'>;

  constructor(database: Pick<Database, 'pool'>) {
    this.#database = database;
  }

  /** Of the dataset that a file has none of yet; undefined where nothing was begun. */
  async stateOf(fileId: string): Promise<DatasetNotReady | undefined> {
    const { rows } = await this.#database.pool.query<BuildRow>(
      `select cellfolio.dataset_state(d) as state, d.job_id, d.problem, d.outdated, r.problem as unreadable, (
         select j.id from cellfolio.jobs j
         where j.user_id = f.user_id and f.id = any(j.file_ids) and j.state in ('queued', 'running')
         order by j.created_at desc limit 1
       ) as working
       from public.user_files f
       left join cellfolio.custom_datasets d on d.file_id = f.id
       left join cellfolio.file_reports r on r.file_id = f.id
       where f.id = $1`,
      [fileId],
    );
    return rows[0] && readState(rows[0]);
  }

  /** Whether what was made of a file is of bytes that have been replaced since. */
  async isOutdated(fileId: string): Promise<boolean> {
    const { rowCount } = await this.#database.pool.query(
      'select from cellfolio.custom_datasets where file_id = $1 and outdated',
      [fileId],
    );
    return rowCount === 1;
  }
}

function readState(row: BuildRow): DatasetNotReady | undefined {
  const { state, job_id, problem, unreadable, working, outdated } = row;
  if (outdated) return { state: 'queued', job_id: working, problem: null };
  if (state === 'ready') return { state: 'failed', job_id, problem: lost };
  if (state !== null) return { state, job_id, problem };
  if (working !== null) return { state: 'queued', job_id: working, problem: null };
  return unreadable ? { state: 'failed', job_id: null, problem: unreadable } : undefined;
}

const lost: JobProblem = {
  code: 'dataset_missing',
  message:
    'The dataset that was made of this file is not there any more. Build it again on the page Upload Data.',
};
