import type { Database } from '@cellfolio/platform';
import { type Db, PgBoss } from 'pg-boss';
import type { Client } from '../client.ts';
import type { JobKind } from '../job-row.ts';
import { usualHeartbeatSeconds } from './heartbeat.ts';

/** Looking at a file never waits behind builds: it takes seconds, and minutes where all counts of a large file are read. */
export const queueNames = ['inspect', 'heavy'] as const;
export type QueueName = (typeof queueNames)[number];

const schema = 'cellfolio_queue';
const nobody = '00000000-0000-4000-8000-000000000000';
const hour = 3600;
const day = 24 * hour;

/** A job that this process has taken up, and which time of taking it up that is. */
export interface Claim {
  readonly queue: QueueName;
  readonly id: string;
  readonly retryCount: number;
}

export interface QueuedJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly user_id: string;
  /** Jobs of the same user that wait already. */
  readonly waiting_before: number;
}

export function queueOf(kind: JobKind): QueueName {
  return kind === 'inspect' ? 'inspect' : 'heavy';
}

/**
 * Who runs which job: pg-boss in the one database. Its tables are made when the first job comes, so that a server
 * without uploads has none of them.
 */
export class JobQueue {
  /** A worker that was silent for so long counts as dead; it gives a sign of life every quarter of it. */
  readonly heartbeatSeconds: number;
  readonly #database: Database;
  readonly #log: (error: unknown) => void;
  #boss: PgBoss | undefined;

  constructor(
    database: Database,
    log: (error: unknown) => void,
    heartbeatSeconds: number = usualHeartbeatSeconds,
  ) {
    this.#database = database;
    this.#log = log;
    this.heartbeatSeconds = heartbeatSeconds;
  }

  get isOpen(): boolean {
    return this.#boss !== undefined;
  }

  /** Whether there ever was a job in this database. */
  async exists(): Promise<boolean> {
    const { rows } = await this.#database.pool.query<{ there: boolean }>(
      `select to_regclass('${schema}.version') is not null as there`,
    );
    return rows[0]?.there ?? false;
  }

  /** Must not be called inside a transaction. */
  async open(): Promise<void> {
    if (this.#boss) return;
    const embedded = this.#database.kind === 'embedded';
    const { heartbeatSeconds } = this;
    const look = Math.ceil(heartbeatSeconds / 4);
    const boss = new PgBoss({
      schema,
      db: statementsOf(this.#database.pool),
      backend: embedded ? 'pglite' : 'postgres',
      schedule: false,
      // In the embedded database this process is the only one whose death could be found out.
      ...(embedded ? {} : { superviseIntervalSeconds: look, monitorIntervalSeconds: look }),
    });
    boss.on('error', (error) => this.#log(error));
    await boss.start();
    for (const name of queueNames) {
      await boss.createQueue(name, {
        // Of one user one heavy job at a time, whichever process takes it up.
        policy: name === 'heavy' ? 'singleton' : 'standard',
        // How often a job is tried is counted where its owner sees it.
        retryLimit: 1000,
        retryDelay: 0,
        heartbeatSeconds,
        expireInSeconds: 12 * hour,
        retentionSeconds: 30 * day,
        deleteAfterSeconds: hour,
      });
      // A queue that is there keeps what it was made with.
      await boss.updateQueue(name, { heartbeatSeconds });
      // It looks its queues up once, by a connection of its own, which inside a transaction there is none for.
      await boss.touch(name, nobody);
    }
    this.#boss = boss;
  }

  /** In the transaction that says so beside it. A job that was handed over before, and is over, begins anew. */
  async send(client: Client, { id, kind, user_id, waiting_before }: QueuedJob): Promise<void> {
    const db = statementsOf(client);
    const name = queueOf(kind);
    // Whoever brings a hundred files is served in between those who bring one.
    const priority = -waiting_before;
    const options = { id, priority, singletonKey: user_id, group: { id: user_id }, db };
    if ((await this.#opened.send(name, {}, options)) !== null) return;
    await this.#opened.deleteJob(name, id, { db });
    await this.#opened.send(name, {}, options);
  }

  /** Takes the next job up; undefined where none waits whose owner has none running in this queue. */
  async fetch(queue: QueueName): Promise<Claim | undefined> {
    const db = withoutLists(this.#database.pool);
    const [job] = await this.#opened.fetch(queue, { batchSize: 1, groupConcurrency: 1, db });
    return job && { queue, id: job.id, retryCount: job.retryCount };
  }

  async signOfLife(claim: Claim): Promise<void> {
    await this.#opened.touch(claim.queue, claim);
  }

  /** Nothing more is to be done; with a client, only if its transaction is committed. */
  async close(claim: Claim, client?: Client): Promise<void> {
    await this.#opened.complete(claim.queue, claim, {}, client && { db: statementsOf(client) });
  }

  /** Somebody is to take it up again, at once. */
  async handBack(claim: Claim, client?: Client): Promise<void> {
    await this.#opened.fail(claim.queue, claim, {}, client && { db: statementsOf(client) });
  }

  /** Whatever was taken up by a process that is known to be dead. */
  async handBackAll(jobs: readonly Pick<QueuedJob, 'id' | 'kind'>[]): Promise<void> {
    for (const { id, kind } of jobs) await this.#opened.fail(queueOf(kind), id, {});
  }

  /** Jobs that are said to be handed over and that no queue has: after a database was restored. */
  async lost(): Promise<string[]> {
    const { rows } = await this.#database.pool.query<{ id: string }>(
      `select job.id from cellfolio.jobs job
       where job.state in ('queued', 'running') and job.queued_at < now() - interval '1 minute'
         and not exists (
           select from ${schema}.job waiting
           where waiting.id = job.id and waiting.state in ('created', 'retry', 'active'))`,
    );
    return rows.map(({ id }) => id);
  }

  async stop(): Promise<void> {
    await this.#boss?.stop({ close: false, graceful: false });
    this.#boss = undefined;
  }

  get #opened(): PgBoss {
    if (!this.#boss) throw new Error('The queue of jobs is not open.');
    return this.#boss;
  }
}

function statementsOf(database: Pick<Client, 'query'>): Db {
  return { executeSql: (text, values) => database.query(text, values) };
}

/**
 * For taking jobs up. pg-boss passes over the owners who had one running when it last counted, up to two minutes ago,
 * though those may have ended, or died with their process, since. The lists of them are the only lists that it asks with;
 * without them the database itself says who has one running now, and its index lets nobody have two.
 */
function withoutLists(database: Pick<Client, 'query'>): Db {
  return {
    executeSql: (text, values) =>
      database.query(
        text,
        values?.map((value) => (Array.isArray(value) ? [] : value)),
      ),
  };
}
