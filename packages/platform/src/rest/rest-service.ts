import type { PoolClient } from 'pg';
import type { Caller, Database } from '../database/database.ts';
import type { AnswerStore, BufferedAnswer } from './answer-store.ts';
import { copyRows, copySlices, isLong, RowsChanged } from './copy-rows.ts';
import type { AnswerRow } from './plan/answer-text.ts';
import { argumentNames, type CallArguments, planCall, routineFor } from './plan/plan-call.ts';
import { type Measured, planRead, type ReadPlan, type Slices } from './plan/plan-read.ts';
import { planDelete, planInsert, planUpdate } from './plan/plan-write.ts';
import type { Statement } from './plan/expressions.ts';
import { chooseMediaType, parsePreferences } from './query/headers.ts';
import { parseQuery } from './query/parse-query.ts';
import { parseArguments, parsePayload } from './query/payload.ts';
import type { RequestQuery } from './query/request-query.ts';
import { answerOf, type AnswerContext, checkRows, type RestAnswer, tooLarge } from './rest-answer.ts';
import { PacedWork } from './paced-work.ts';
import { RestError } from './rest-error.ts';
import {
  checkProfile,
  parsePath,
  parseRange,
  queryPairs,
  type RestMethod,
  type RestSettings,
} from './rest-request.ts';
import type { DatabaseSchema, SchemaCache } from './database-schema.ts';

interface RestRequest {
  method: RestMethod;
  path: string;
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

interface Plan {
  read?: ReadPlan;
  /** For anything but a GET or HEAD on a table; undefined if there is nothing to do. */
  statement?: Statement | undefined;
  readOnly: boolean;
  context: AnswerContext;
}

/** Error codes that indicate an outdated schema cache. */
const missing: ReadonlySet<string> = new Set([
  'PGRST200',
  'PGRST202',
  'PGRST204',
  'PGRST205',
  '42703',
  '42P01',
  '42883',
]);

/** Maximum attempts at a long read whose rows change meanwhile. */
const maxReads = 3;

/** Answers REST requests, each in one transaction under its caller's role. */
export class RestService {
  readonly #database: Database;
  readonly #cache: SchemaCache;
  readonly #settings: RestSettings;
  readonly #store: AnswerStore;
  readonly #copying = new PacedWork();

  constructor(database: Database, cache: SchemaCache, settings: RestSettings, store: AnswerStore) {
    this.#database = database;
    this.#cache = cache;
    this.#settings = settings;
    this.#store = store;
  }

  async answer(request: RestRequest, caller: Caller): Promise<RestAnswer> {
    const schema = await this.#cache.current();
    try {
      return await this.#run(planRequest(request, schema, this.#settings), request, caller);
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (typeof code !== 'string' || !missing.has(code)) throw error;
      // Nothing was written: an error rolls back the transaction.
      const newer = await this.#cache.newer(schema);
      if (!newer) throw error;
      return this.#run(planRequest(request, newer, this.#settings), request, caller);
    }
  }

  #run(plan: Plan, request: RestRequest, caller: Caller): Promise<RestAnswer> {
    return plan.read
      ? this.#read(plan.read, plan.context, request, caller)
      : this.#runOnce(plan, request, caller);
  }

  /** Copies the rows before sending anything: a slow reader must not block the database. */
  async #read(
    plan: ReadPlan,
    context: AnswerContext,
    request: RestRequest,
    caller: Caller,
  ): Promise<RestAnswer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#readOnce(plan, context, request, caller);
      } catch (error) {
        if (!(error instanceof RowsChanged)) throw error;
        if (tries < maxReads) continue;
        throw new RestError(503, '40001', 'The rows kept changing while they were read', {
          headers: { 'retry-after': '1' },
          hint: 'Ask for fewer rows at a time.',
        });
      }
    }
  }

  async #readOnce(
    plan: ReadPlan,
    context: AnswerContext,
    request: RestRequest,
    caller: Caller,
  ): Promise<RestAnswer> {
    const { answerBytes, builtBytes } = this.#settings;
    const { slices, frame } = plan;
    const access = { request, caller, readOnly: true };
    const into = (answer: BufferedAnswer) => ({ answer, maxBytes: answerBytes, copying: this.#copying });
    const begun = await this.#transact(access, async (client, hold) => {
      const { rows } = await client.query<Measured>(plan.measure.text, [...plan.measure.values]);
      const measured = rows[0]!;
      const { sizes } = measured;
      checkRows({ page: measured.page, oversized: false }, context, answerBytes);
      const answer = answerOf({ ...measured, body: null, inserted: null, oversized: false }, context);
      if (request.method === 'HEAD') return { answer };
      if (sizes.some((bytes) => bytes > builtBytes)) throw tooLarge('row', builtBytes);
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      if (bytes > answerBytes) throw tooLarge('answer', answerBytes);
      const held = hold(bytes);
      if (this.#database.kind === 'embedded' && isLong(sizes)) {
        const places = slices && (await placesOf(client, slices));
        if (places) return { answer: { ...answer, body: held }, later: { held, places, sizes } };
        if (bytes > builtBytes) throw tooLarge('answer', builtBytes);
      }
      await copyRows(client, plan, sizes, into(held));
      return { answer: { ...answer, body: held.takeShort() ?? held } };
    });
    const { answer, later } = begun;
    if (!slices || !later) return answer;
    const query = (statement: Statement) =>
      this.#transact(access, async (client) => {
        const { rows } = await client.query<{ row: string }>(statement.text, [...statement.values]);
        if (this.#database.pool.waitingCount > 0) this.#copying.noteWaiting();
        return rows;
      });
    try {
      await copySlices(query, { slices, frame, places: later.places }, later.sizes, into(later.held));
    } catch (error) {
      later.held.release();
      throw error;
    }
    return answer;
  }

  /** A write or call is one statement, which returns one row. */
  async #runOnce(
    { statement, readOnly, context }: Plan,
    request: RestRequest,
    caller: Caller,
  ): Promise<RestAnswer> {
    const { builtBytes } = this.#settings;
    const nothing: AnswerRow = {
      body: '[]',
      page: 0,
      total: context.preferences.count ? 0 : null,
      inserted: null,
      oversized: false,
    };
    if (!statement) {
      checkRows(nothing, context, builtBytes);
      return answerOf(nothing, context);
    }
    return this.#transact({ request, caller, readOnly }, async (client, hold) => {
      const { rows } = await client.query<AnswerRow>(statement.text, [...statement.values]);
      const row = rows[0] ?? nothing;
      // Inside the transaction, so that a write that is refused for its rows or its answer is undone.
      checkRows(row, context, builtBytes);
      const answer = answerOf(row, context);
      if (answer.body === '' || typeof answer.body !== 'string') return answer;
      const buffered = hold(answer.body.length);
      await buffered.write(answer.body);
      return { ...answer, body: buffered.takeShort() ?? buffered };
    });
  }

  /** One transaction as the caller. Releases the partial response of `work` on failure. */
  async #transact<T>(
    { request, caller, readOnly }: { request: RestRequest; caller: Caller; readOnly: boolean },
    work: (client: PoolClient, hold: (bytes: number) => BufferedAnswer) => Promise<T>,
  ): Promise<T> {
    let buffered: BufferedAnswer | undefined;
    const hold = (bytes: number): BufferedAnswer => (buffered = this.#store.begin(ownerOf(caller), bytes));
    const { statementTimeoutMs } = this.#settings;
    try {
      return await this.#database.as(caller, (client) => work(client, hold), {
        readOnly,
        statementTimeoutMs,
        settings: described(request),
      });
    } catch (error) {
      buffered?.release();
      throw error;
    }
  }
}

/** Undefined if the caller may read only some columns of the table. */
async function placesOf(
  client: PoolClient,
  { permission, places }: Slices,
): Promise<readonly string[] | undefined> {
  const may = await client.query<{ mayBe: boolean }>(permission.text, [...permission.values]);
  if (may.rows[0]?.mayBe !== true) return undefined;
  const result = await client.query<{ places: string[] }>(places.text, [...places.values]);
  return result.rows[0]!.places;
}

function described({ method, path, headers }: RestRequest): Record<string, string> {
  // Credentials stay out of the database's reach and of its logs.
  const visibleHeaders = Object.entries(headers).filter(
    ([name]) => name !== 'authorization' && name !== 'apikey' && name !== 'cookie',
  );
  return {
    'request.method': method,
    'request.path': path,
    'request.headers': JSON.stringify(Object.fromEntries(visibleHeaders)),
  };
}

/** Everything about a request that can be decided without the database. */
function planRequest(request: RestRequest, schema: DatabaseSchema, settings: RestSettings): Plan {
  const { method, headers } = request;
  const reads = method === 'GET' || method === 'HEAD';
  checkProfile(text(headers[reads ? 'accept-profile' : 'content-profile']), schema.name);
  const target = parsePath(request.path);
  const media = chooseMediaType(text(headers['accept']));
  const preferences = parsePreferences(headers['prefer']);
  const pairs = queryPairs(request.url);
  const { maxRows, builtBytes: maxBytes } = settings;
  const shared = { schema, media, maxRows };
  const context = { method, kind: target.kind, table: target.name, media, preferences, offset: 0 };
  const withTotal = preferences.count !== undefined;

  if (target.kind === 'function') {
    if (method === 'PATCH' || method === 'DELETE') throw wrongMethod(method);
    const names = argumentNames(schema, target.name);
    const callArguments = reads
      ? argumentTexts(pairs, names)
      : ({ kind: 'json', ...parseArguments(request.body) } as const);
    const keys = callArguments.kind === 'json' ? callArguments.keys : [...callArguments.texts.keys()];
    const routine = routineFor(schema, target.name, keys);
    const query = withRange(
      parseQuery(pairs, reads ? names : undefined),
      reads ? text(headers['range']) : undefined,
    );
    const single = routine.returns !== 'rows' ? !routine.returnsSet : false;
    return {
      statement: planCall({
        ...shared,
        maxBytes,
        withBody: method !== 'HEAD',
        routine,
        callArguments,
        query,
        withTotal,
      }),
      readOnly: reads || routine.readOnly,
      context: { ...context, single, offset: offsetOf(query) },
    };
  }

  const parsed = parseQuery(pairs);
  if (reads) {
    const query = withRange(parsed, text(headers['range']));
    return {
      read: planRead({ ...shared, table: target.name, query, withTotal }),
      readOnly: true,
      context: { ...context, offset: offsetOf(query) },
    };
  }
  const write = { schema, table: target.name, query: parsed, media, preferences, maxBytes };
  const payload = () => parsePayload(request.body, { sameKeys: parsed.columns === undefined });
  const statement =
    method === 'POST'
      ? planInsert(write, payload())
      : method === 'PATCH'
        ? planUpdate(write, payload())
        : planDelete(write);
  return { statement, readOnly: false, context };
}

/** Owner whose responses are counted together. */
function ownerOf({ role, claims }: Caller): string {
  return typeof claims?.['sub'] === 'string' ? claims['sub'] : role;
}

function argumentTexts(pairs: readonly [string, string][], names: ReadonlySet<string>): CallArguments {
  return { kind: 'texts', texts: new Map(pairs.filter(([name]) => names.has(name))) };
}

function offsetOf(query: RequestQuery): number {
  return query.scopes.get('')?.offset ?? 0;
}

/** The Range header is an alternative to limit and offset; the parameters take precedence. */
function withRange(query: RequestQuery, header: string | undefined): RequestQuery {
  const range = parseRange(header);
  if (!range) return query;
  const scope = query.scopes.get('') ?? { conditions: [], order: [], limit: undefined, offset: 0 };
  if (scope.limit !== undefined || scope.offset > 0) return query;
  return { ...query, scopes: new Map([...query.scopes, ['', { ...scope, ...range }]]) };
}

export function wrongMethod(method: string): RestError {
  return new RestError(405, 'PGRST117', `Unsupported HTTP method: ${method}`);
}

function text(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}
