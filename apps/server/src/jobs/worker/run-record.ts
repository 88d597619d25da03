import type { Database } from '@cellfolio/platform';
import type { Claim, JobQueue } from '../queue/job-queue.ts';
import { type JobRow, jobColumns } from '../job-row.ts';
import { storableJson, storableText } from '../storable-json.ts';

/** A job runs once more after a process that worked on it died; no third time. */
export const mostAttempts = 2;
const longestLog = 200;
const longestLine = 500;

/** One run of a job: what it may write is decided by its token, which is taken from it when the job is. */
export interface Run {
  readonly claim: Claim;
  readonly job: JobRow;
  readonly token: string;
}

/** Takes the job up, counting the attempt; undefined where nothing is to be done any more. */
export async function beginRun(
  { database, queue }: { database: Database; queue: JobQueue },
  claim: Claim,
  token: string,
): Promise<Run | undefined> {
  // Both or neither: a database that goes in between must not cost an attempt.
  const job = await database.transaction(async (client) => {
    const { rows } = await client.query<JobRow>(
      `update cellfolio.jobs
       set state = 'running', run_token = $2, attempts = attempts + 1, progress = 0, stage = 'Starting',
         started_at = coalesce(started_at, now())
       where id = $1 and state in ('queued', 'running') returning ${jobColumns}`,
      [claim.id, token],
    );
    const [taken] = rows;
    if (!taken) return undefined;
    await client.query(
      `update cellfolio.custom_datasets set state = 'building', updated_at = now()
       where job_id = $1 and state = 'queued'`,
      [taken.id],
    );
    return taken;
  });
  if (!job) {
    await queue.close(claim);
    return undefined;
  }
  return { claim, job, token };
}

/** What a run tells while it goes on, written now and then. */
export class RunProgress {
  readonly #database: Database;
  readonly #run: Run;
  #stage: string | undefined;
  #fraction = 0;
  #lines: { at: string; text: string }[] = [];
  #changed = false;
  readonly #said = new Set<string>();

  constructor(database: Database, run: Run) {
    this.#database = database;
    this.#run = run;
  }

  progress(stage: string, fraction: number): void {
    if (stage !== this.#stage) this.log(stage);
    this.#stage = stage;
    this.#fraction = Number.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : this.#fraction;
    this.#changed = true;
  }

  log(text: string): void {
    const line = storableText(text).slice(0, longestLine);
    if (this.#said.size < longestLog) this.#said.add(line);
    this.#lines.push({ at: new Date().toISOString(), text: line });
    // A chatty work must not grow what everybody who looks at the page loads.
    if (this.#lines.length > longestLog) this.#lines.splice(0, this.#lines.length - longestLog);
    this.#changed = true;
  }

  hasLogged(text: string): boolean {
    return this.#said.has(storableText(text).slice(0, longestLine));
  }

  /** Writes what is new. False where the job is no longer this run's. */
  async write(): Promise<boolean> {
    const { job, token } = this.#run;
    if (!this.#changed) {
      const { rowCount } = await this.#database.pool.query(
        'select from cellfolio.jobs where id = $1 and run_token = $2',
        [job.id, token],
      );
      return rowCount === 1;
    }
    const lines = this.#lines;
    this.#lines = [];
    this.#changed = false;
    const { rowCount } = await this.#database.pool
      .query(
        `update cellfolio.jobs set stage = coalesce($3, stage), progress = $4, log = ${appendedLog('$5')}
         where id = $1 and run_token = $2`,
        [job.id, token, this.#stage ?? null, this.#fraction, storableJson(lines)],
      )
      .catch((error: unknown) => {
        this.#lines = [...lines, ...this.#lines];
        this.#changed = true;
        throw error;
      });
    return rowCount === 1;
  }
}

/** The log with lines at its end, and only the latest of all. */
export function appendedLog(lines: string): string {
  return `(
    select coalesce(jsonb_agg(line order by place), '[]') from (
      select line, place from jsonb_array_elements(log || ${lines}::jsonb) with ordinality as all_lines (line, place)
      order by place desc limit ${longestLog}
    ) latest
  )`;
}
