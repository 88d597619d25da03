import { randomBytes } from 'node:crypto';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createUser, openDatabase, setPlan } from '@cellfolio/platform';
import { postgresPrograms, startPrivatePostgres } from '@cellfolio/platform/testing';
import { embeddedDataFolder } from './databases.ts';
import { passwordCost } from './platform-server.ts';
import { scratchFolder } from './scratch-folder.ts';

const child = fileURLToPath(new URL('./killed-server.ts', import.meta.url));
const password = 'correct horse';

export interface CrowdReport {
  readonly users: number;
  readonly seconds: number;
  readonly requests: number;
  /** Answers other than the expected ones, with what was asked. */
  readonly failures: readonly string[];
  /** Rows, files or accounts of somebody else that a user was shown. */
  readonly foreign: readonly string[];
  /** Milliseconds of the middle request and of the slowest in twenty and in a hundred. */
  readonly milliseconds: { readonly half: number; readonly most: number; readonly nearlyAll: number };
}

/** So many signed-in users write and read rows, files and sessions at once for so long, each told only of its own. */
export async function crowd(
  kind: 'embedded' | 'PostgreSQL',
  users: number,
  seconds: number,
): Promise<CrowdReport> {
  const programs = postgresPrograms();
  if (kind === 'PostgreSQL' && !programs) throw new Error('PostgreSQL is not installed here.');
  const postgres = kind === 'PostgreSQL' ? await startPrivatePostgres(programs!) : undefined;
  const parent = await scratchFolder();
  const folder = postgres ? join(parent, 'data') : await embeddedDataFolder();
  let server: ChildProcess | undefined;
  try {
    const database = await openDatabase({ dataDir: folder, ...(postgres && { url: postgres.url }) });
    const people: { readonly id: string; readonly email: string }[] = [];
    for (let place = 0; place < users; place += 1) {
      const email = `crowd${place}@example.org`;
      const { id } = await createUser(database, { email, password, confirmed: true, passwordCost });
      await setPlan(database, email, 'Professional');
      people.push({ id, email });
    }
    await database.close();
    server = fork(child, [folder, ...(postgres ? [postgres.url] : [])], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [{ url, key }] = (await once(server, 'message')) as [{ url: string; key: string }];
    const tally = new Tally();
    const end = performance.now() + seconds * 1000;
    await Promise.all(
      people.map((person, place) => new Member({ url, key, person, place }, tally).live(end)),
    );
    return tally.report(users, seconds);
  } finally {
    server?.kill('SIGKILL');
    await postgres?.stop();
    for (const path of [parent, ...(postgres ? [] : [dirname(folder)])]) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

class Tally {
  readonly #failures: string[] = [];
  readonly #foreign: string[] = [];
  readonly #times: number[] = [];

  took(milliseconds: number): void {
    this.#times.push(milliseconds);
  }

  failed(what: string): void {
    this.#failures.push(what);
  }

  sawForeign(what: string): void {
    this.#foreign.push(what);
  }

  report(users: number, seconds: number): CrowdReport {
    const sorted = Float64Array.from(this.#times).toSorted();
    const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
    return {
      users,
      seconds,
      requests: sorted.length,
      failures: this.#failures,
      foreign: this.#foreign,
      milliseconds: { half: at(0.5), most: at(0.95), nearlyAll: at(0.99) },
    };
  }
}

interface Person {
  readonly id: string;
  readonly email: string;
}

interface Membership {
  readonly url: string;
  readonly key: string;
  readonly person: Person;
  /** Among all of them. */
  readonly place: number;
}

class Member {
  readonly #url: string;
  readonly #key: string;
  readonly #person: Person;
  readonly #place: number;
  readonly #tally: Tally;
  #token = '';
  #refreshToken = '';
  /** Names of the rows that are there. */
  readonly #rows = new Set<string>();

  constructor({ url, key, person, place }: Membership, tally: Tally) {
    this.#url = url;
    this.#key = key;
    this.#person = person;
    this.#place = place;
    this.#tally = tally;
  }

  async live(end: number): Promise<void> {
    const { id, email } = this.#person;
    await this.#session('password', { email, password });
    for (let round = 0; performance.now() < end; round += 1) {
      const name = `${id} ${round}`;
      const row = { user_id: id, subset_name: name };
      const inserted = await this.#ask(201, 'POST', '/rest/v1/subset_metadata', row);
      if (inserted !== undefined) this.#rows.add(name);
      await this.#seeOwnRows();
      await this.#ask(204, 'PATCH', '/rest/v1/subset_metadata?percentile=is.null', { percentile: round });
      if (this.#rows.size > 5) {
        const [oldest = ''] = this.#rows;
        const query = new URLSearchParams({ subset_name: `eq.${oldest}` }).toString();
        const gone = await this.#ask(204, 'DELETE', `/rest/v1/subset_metadata?${query}`);
        if (gone !== undefined) this.#rows.delete(oldest);
      }
      await this.#seeOneself();
      // Not all in one instant.
      if ((round + this.#place) % 4 === 0) await this.#keepFile(round);
      if (round % 3 === 0) await this.#session('refresh_token', { refresh_token: this.#refreshToken });
    }
  }

  async #seeOwnRows(): Promise<void> {
    const text = await this.#ask(200, 'GET', '/rest/v1/subset_metadata?select=user_id,subset_name');
    if (text === undefined) return;
    const rows = JSON.parse(text) as { user_id: string; subset_name: string }[];
    const { id } = this.#person;
    for (const row of rows)
      if (row.user_id !== id) this.#tally.sawForeign(`${id} saw a row of ${row.user_id}`);
    const seen = new Set(rows.map(({ subset_name }) => subset_name));
    if (seen.size !== this.#rows.size || [...this.#rows].some((name) => !seen.has(name))) {
      this.#tally.failed(`${id} has ${this.#rows.size} rows and was shown ${seen.size}`);
    }
  }

  async #seeOneself(): Promise<void> {
    const text = await this.#ask(200, 'GET', '/auth/v1/user');
    const { id } = this.#person;
    if (text !== undefined && (JSON.parse(text) as Person).id !== id) {
      this.#tally.sawForeign(`${id} was taken for another`);
    }
  }

  async #keepFile(round: number): Promise<void> {
    const { id } = this.#person;
    const path = `/storage/v1/object/user-files/${id}/${round}.tsv`;
    const bytes = randomBytes(5000).toString('hex');
    await this.#ask(200, 'POST', path, bytes, 'text/plain');
    const back = await this.#ask(200, 'GET', path);
    if (back !== undefined && back !== bytes) this.#tally.sawForeign(`${id} was given other bytes`);
    const listed = await this.#ask(200, 'POST', '/storage/v1/object/list/user-files', { prefix: '' });
    const folders = (JSON.parse(listed ?? '[]') as { name: string }[]).map(({ name }) => name);
    for (const name of folders) if (name !== id) this.#tally.sawForeign(`${id} saw the folder ${name}`);
    await this.#ask(200, 'DELETE', '/storage/v1/object/user-files', { prefixes: [`${id}/${round}.tsv`] });
  }

  async #session(grant: string, body: object): Promise<void> {
    const text = await this.#ask(200, 'POST', `/auth/v1/token?grant_type=${grant}`, body);
    if (text === undefined) return;
    const answer = JSON.parse(text) as { access_token: string; refresh_token: string };
    this.#token = answer.access_token;
    this.#refreshToken = answer.refresh_token;
  }

  /** The text of the answer, where it is the one expected. */
  async #ask(
    status: number,
    method: string,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<string | undefined> {
    const begun = performance.now();
    try {
      const answer = await fetch(this.#url + path, {
        method,
        headers: {
          apikey: this.#key,
          ...(this.#token !== '' && { authorization: `Bearer ${this.#token}` }),
          ...(body !== undefined && { 'content-type': type }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      this.#tally.took(performance.now() - begun);
      if (answer.status === status) return text;
      this.#tally.failed(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}`);
    } catch (error) {
      this.#tally.failed(`${method} ${path}: ${String(error)} ${String((error as Error).cause ?? '')}`);
    }
    return undefined;
  }
}
