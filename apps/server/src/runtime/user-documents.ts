import type { Database } from '@cellfolio/platform';
import type { PoolClient } from 'pg';
import { ApiFailure } from './api-failure.ts';
import { limits } from './limits/limits.ts';
import type { Owner } from './owners.ts';

/** Something that users keep under a name: all kinds are in the same two tables. */
export interface DocumentKind {
  kind: string;
  /** Codes of refusals are made of it, as `gene_list_exists`. */
  code: string;
  one: string;
  /** Refuses a duplicate name; default: as a change of an older state. */
  exists?(name: string): string;
  /** Refuses a change of an older state. */
  changed?: string;
  /** Default: `200 gene lists`. */
  many?(count: number | 'all'): string;
  /** Advice for a user with too many; default: delete some. */
  advice?: string;
  /** States kept of each: older ones are deleted. */
  revisions: number;
  limits: {
    documents: number;
    ofDataset?: number;
    /** Total of all states of all documents. */
    bytes?: number;
    /**
     * Deletes, beyond a limit, the documents unused for longest, or states before the current ones; without it, or if that
     * is not enough, a change is refused.
     */
    deletes?: 'unused' | 'older-states';
  };
}

const megabyte = 1e6;

export const documentKinds = {
  geneList: {
    kind: 'gene-list',
    code: 'gene_list',
    one: 'gene list',
    exists: (name) => `You already have a gene list ${name}. Choose another name.`,
    changed: 'The list has been changed elsewhere. Check the current one, then try again.',
    revisions: 1,
    limits: { documents: limits.geneLists.value },
  },
  /** Labels and numbers of cells. */
  annotation: {
    kind: 'annotation',
    code: 'annotation',
    one: 'annotation',
    exists: (name) => `You already have a column ${name} of this dataset. Choose another name.`,
    changed: 'The labels have been changed elsewhere. Check the current ones, then try again.',
    revisions: limits.annotationStates.value,
    limits: {
      documents: limits.annotations.value,
      ofDataset: limits.annotationsOfDataset.value,
      bytes: limits.annotationBytes.value,
    },
  },
  /** Orders, colours and names of categories; the name is that of their column. Figures name states by number. */
  display: {
    kind: 'display',
    code: 'display',
    one: 'order of categories',
    changed: 'Order, colors or names have been changed elsewhere. Check the current ones, then try again.',
    many: (count) => `the orders and colors of ${count} columns`,
    advice: 'Reset columns to the dataset’s own, then try again.',
    revisions: limits.displayStates.value,
    limits: {
      documents: limits.displays.value,
      ofDataset: limits.displaysOfDataset.value,
      bytes: limits.displayBytes.value,
      deletes: 'older-states',
    },
  },
  /** Input of analyses of a dataset; the name is a checksum of their question. */
  analysis: {
    kind: 'analysis',
    code: 'kept_analysis',
    one: 'analysis',
    revisions: 1,
    limits: {
      documents: limits.analyses.value,
      ofDataset: limits.analysesOfDataset.value,
      deletes: 'unused',
    },
  },
  /** Short links; the name is a checksum of what they lead to. */
  link: {
    kind: 'link',
    code: 'link',
    one: 'link',
    revisions: 1,
    limits: { documents: limits.links.value, deletes: 'unused' },
  },
  /** Questions to the assistant with their plan and answer. */
  question: {
    kind: 'question',
    code: 'question',
    one: 'question',
    revisions: 1,
    limits: {
      documents: limits.questions.value,
      ofDataset: limits.questionsOfDataset.value,
      deletes: 'unused',
    },
  },
  /** Models that own data may be sent to; the name is that of provider, model and host. */
  modelConsent: {
    kind: 'model-consent',
    code: 'model_consent',
    one: 'consent',
    revisions: 1,
    limits: { documents: limits.modelConsents.value, deletes: 'unused' },
  },
} as const satisfies Record<string, DocumentKind>;

export interface UserDocument<Body extends object> {
  id: string;
  /** Empty for none. */
  dataset: string;
  name: string;
  revision: number;
  /** Null where the user went back to what the dataset has. */
  body: Body | null;
}

export interface DocumentState<Body extends object> {
  body: Body | null;
  /** Values of cells, packed. */
  bytes?: Buffer;
}

export interface NewDocument<Body extends object> extends DocumentState<Body> {
  /** Default: random. */
  id?: string;
  dataset?: string;
  name: string;
}

const select = `
  select d.id, d.dataset_id as dataset, d.name, d.revision, r.body from cellfolio.user_documents d
  join cellfolio.user_document_revisions r on r.document_id = d.id and r.revision = d.revision`;

function stateRow<Body extends object>({ body, bytes }: DocumentState<Body>): unknown[] {
  return [body && JSON.stringify(body), bytes ?? null];
}
const insertState = `insert into cellfolio.user_document_revisions (document_id, revision, body, bytes)
  values ($1, $2, $3, $4)`;

/** The documents of one kind. */
export class UserDocuments<Body extends object> {
  readonly #database: Pick<Database, 'pool' | 'transaction'>;
  readonly #kind: DocumentKind;

  constructor(database: Pick<Database, 'pool' | 'transaction'>, kind: DocumentKind) {
    this.#database = database;
    this.#kind = kind;
  }

  /** By name, whatever its case. */
  async list(owner: Owner, dataset = ''): Promise<UserDocument<Body>[]> {
    const { rows } = await this.#database.pool.query<UserDocument<Body>>(
      `${select} where d.owner_id = $1 and d.kind = $2 and d.dataset_id = $3 order by lower(d.name), d.name`,
      [owner, this.#kind.kind, dataset],
    );
    return rows;
  }

  /** Throws ApiFailure 404. */
  async get(owner: Owner, id: string): Promise<UserDocument<Body>> {
    return this.#read(this.#database.pool, owner, id);
  }

  async #read(client: Pick<PoolClient, 'query'>, owner: Owner, id: string): Promise<UserDocument<Body>> {
    const { rows } = await client.query<UserDocument<Body>>(
      `${select} where d.owner_id = $1 and d.kind = $2 and d.id = $3`,
      [owner, this.#kind.kind, id],
    );
    return rows[0] ?? this.notFound();
  }

  async named(owner: Owner, dataset: string, name: string): Promise<UserDocument<Body> | undefined> {
    return this.#named(this.#database.pool, owner, dataset, name);
  }

  async #named(
    client: Pick<PoolClient, 'query'>,
    owner: Owner,
    dataset: string,
    name: string,
  ): Promise<UserDocument<Body> | undefined> {
    const { rows } = await client.query<UserDocument<Body>>(
      `${select} where d.owner_id = $1 and d.kind = $2 and d.dataset_id = $3 and d.name = $4`,
      [owner, this.#kind.kind, dataset, name],
    );
    return rows[0];
  }

  /** Returns the id. Throws ApiFailure 409 for a duplicate name, and for too many. */
  async create(owner: Owner, document: NewDocument<Body>): Promise<string> {
    return this.#database.transaction((client) => this.createIn(client, owner, document));
  }

  async createIn(client: PoolClient, owner: Owner, document: NewDocument<Body>): Promise<string> {
    const { id: newId, dataset = '', name } = document;
    await this.#lock(client, owner);
    const { rows } = await client.query<{ id: string }>(
      `insert into cellfolio.user_documents (id, owner_id, kind, dataset_id, name)
       values (coalesce($1, gen_random_uuid()::text), $2, $3, $4, $5) on conflict do nothing returning id`,
      [newId ?? null, owner, this.#kind.kind, dataset, name],
    );
    if (!rows[0]) throw this.exists(name);
    const { id } = rows[0];
    await client.query(insertState, [id, 1, ...stateRow(document)]);
    await this.#limit(client, owner, dataset);
    return id;
  }

  /** Creates a document in place of the one of its name, whose content `body` takes up. */
  async replace(
    owner: Owner,
    { body, ...document }: Omit<NewDocument<Body>, 'body'> & { body: (before: Body | null) => Body },
  ): Promise<string> {
    return this.#database.transaction(async (client) => {
      await this.#lock(client, owner);
      const before = await this.#named(client, owner, document.dataset ?? '', document.name);
      if (before) await client.query('delete from cellfolio.user_documents where id = $1', [before.id]);
      return this.createIn(client, owner, { ...document, body: body(before?.body ?? null) });
    });
  }

  /** Marks the document of that name as used, or creates it. Returns its id. */
  async use(client: PoolClient, owner: Owner, document: NewDocument<Body>): Promise<string> {
    // A second concurrent call finds the document of the first.
    await this.#lock(client, owner);
    const { rows } = await client.query<{ id: string }>(
      `update cellfolio.user_documents set used_at = now()
       where owner_id = $1 and kind = $2 and dataset_id = $3 and name = $4 returning id`,
      [owner, this.#kind.kind, document.dataset ?? '', document.name],
    );
    return rows[0]?.id ?? this.createIn(client, owner, document);
  }

  /**
   * Adds a state after `revision`, the current one, and deletes those that were undone. Throws ApiFailure 404, 409 when
   * the document is at another revision, for a duplicate name, and for too many bytes.
   */
  async change(
    owner: Owner,
    id: string,
    { revision, name, ...state }: DocumentState<Body> & { revision: number; name?: string | undefined },
  ): Promise<void> {
    await this.#naming(name, async (client) => {
      await this.#lock(client, owner);
      const { rows } = await client.query<{ next: number; dataset: string }>(
        `update cellfolio.user_documents set revision = last_revision + 1, last_revision = last_revision + 1,
           name = coalesce($5, name), updated_at = now(), used_at = now()
         where id = $1 and owner_id = $2 and kind = $3 and revision = $4
         returning revision as next, dataset_id as dataset`,
        [id, owner, this.#kind.kind, revision, name ?? null],
      );
      if (!rows[0]) {
        await this.#read(client, owner, id);
        throw this.changedMeanwhile();
      }
      const { next, dataset } = rows[0];
      await client.query(
        `delete from cellfolio.user_document_revisions where document_id = $1 and (revision > $2 or revision <= (
           select revision from cellfolio.user_document_revisions where document_id = $1 and revision <= $2
           order by revision desc offset $3 limit 1))`,
        [id, revision, this.#kind.revisions - 1],
      );
      await client.query(insertState, [id, next, ...stateRow(state)]);
      await this.#limit(client, owner, dataset);
    });
  }

  /** Makes another stored state the current one; false where it is not stored. Throws ApiFailure 404, 409. */
  async move(owner: Owner, id: string, { revision, to }: { revision: number; to: number }): Promise<boolean> {
    const { rowCount } = await this.#database.pool.query(
      `update cellfolio.user_documents d set revision = $5, updated_at = now()
       where id = $1 and owner_id = $2 and kind = $3 and revision = $4
         and exists (select from cellfolio.user_document_revisions r where r.document_id = d.id and r.revision = $5)`,
      [id, owner, this.#kind.kind, revision, to],
    );
    if (rowCount) return true;
    const current = await this.get(owner, id);
    if (current.revision !== revision) throw this.changedMeanwhile();
    return false;
  }

  /** Throws ApiFailure 404, 409 for a duplicate name. */
  async rename(owner: Owner, id: string, name: string): Promise<void> {
    await this.#naming(name, async (client) => {
      const { rowCount } = await client.query(
        `update cellfolio.user_documents set name = $4, updated_at = now()
         where id = $1 and owner_id = $2 and kind = $3`,
        [id, owner, this.#kind.kind, name],
      );
      if (!rowCount) this.notFound();
    });
  }

  /** Returns the id of its dataset. Throws ApiFailure 404. */
  async remove(owner: Owner, id: string): Promise<string> {
    const { rows } = await this.#database.pool.query<{ dataset: string }>(
      `delete from cellfolio.user_documents where id = $1 and owner_id = $2 and kind = $3
       returning dataset_id as dataset`,
      [id, owner, this.#kind.kind],
    );
    return rows[0]?.dataset ?? this.notFound();
  }

  notFound(): never {
    const { code, one } = this.#kind;
    throw new ApiFailure(404, `${code}_not_found`, `There is no such ${one}, or it was deleted.`);
  }

  exists(name: string, cause?: unknown): ApiFailure {
    const { code, exists } = this.#kind;
    if (exists === undefined) return this.changedMeanwhile();
    return new ApiFailure(409, `${code}_exists`, exists(`“${name}”`), { cause });
  }

  changedMeanwhile(): ApiFailure {
    const { code, one, changed } = this.#kind;
    const otherwise = `The ${one} has been changed elsewhere. Check the current one, then try again.`;
    return new ApiFailure(409, `${code}_changed`, changed ?? otherwise);
  }

  /** Concurrent calls of an owner count what the others have added. */
  async #lock(client: PoolClient, owner: Owner): Promise<void> {
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `cellfolio.user_documents:${this.#kind.kind}:${owner}`,
    ]);
  }

  async #naming(name: string | undefined, work: (client: PoolClient) => Promise<void>): Promise<void> {
    try {
      await this.#database.transaction(work);
    } catch (error) {
      if ((error as { code?: string }).code !== '23505') throw error;
      throw this.exists(name ?? '', error);
    }
  }

  async #limit(client: PoolClient, owner: Owner, dataset: string): Promise<void> {
    const { one, many = (count: number | 'all') => `${count} ${one}s`, limits } = this.#kind;
    const { documents, ofDataset = Infinity, bytes = Infinity } = limits;
    let use = await this.#useOf(client, owner, dataset);
    if (limits.deletes === 'unused' && (use.documents > documents || use.ofDataset > ofDataset)) {
      await client.query(
        `delete from cellfolio.user_documents where id in (
           select id from (
             select id, row_number() over (order by used_at desc, created_at desc) as place,
               row_number() over (partition by dataset_id order by used_at desc, created_at desc) as of_dataset
             from cellfolio.user_documents where owner_id = $1 and kind = $2) placed
           where place > $3 or of_dataset > $4)`,
        [owner, this.#kind.kind, documents, limits.ofDataset ?? documents],
      );
      use = await this.#useOf(client, owner, dataset);
    }
    if (limits.deletes === 'older-states' && use.bytes > bytes) {
      await client.query(
        `delete from cellfolio.user_document_revisions r using cellfolio.user_documents d
         where d.id = r.document_id and d.owner_id = $1 and d.kind = $2 and r.revision < d.revision`,
        [owner, this.#kind.kind],
      );
      use = await this.#useOf(client, owner, dataset);
    }
    if (use.ofDataset > ofDataset)
      throw this.#tooMany(`You can keep at most ${many(ofDataset)} of one dataset.`);
    if (use.documents > documents) throw this.#tooMany(`You can keep at most ${many(documents)}.`);
    if (use.bytes > bytes)
      throw this.#tooMany(`You can keep at most ${bytes / megabyte} MB of ${many('all')}.`);
  }

  #tooMany(problem: string): ApiFailure {
    const { code, one, advice = `Delete ${one}s that are no longer needed, then try again.` } = this.#kind;
    return new ApiFailure(409, `too_many_${code}s`, `${problem} ${advice}`);
  }

  /** Documents that went back to what a dataset has do not count. */
  async #useOf(client: PoolClient, owner: Owner, dataset: string) {
    const { rows } = await client.query<{ documents: number; ofDataset: number; bytes: number }>(
      `select count(*) filter (where r.revision = d.revision and r.body is not null)::integer as documents,
         count(*) filter (where r.revision = d.revision and r.body is not null and d.dataset_id = $3)::integer
           as "ofDataset",
         coalesce(sum(r.size), 0)::float8 as bytes
       from cellfolio.user_documents d join cellfolio.user_document_revisions r on r.document_id = d.id
       where d.owner_id = $1 and d.kind = $2`,
      [owner, this.#kind.kind, dataset],
    );
    return rows[0]!;
  }
}
