import { type ChildProcess, fork } from 'node:child_process';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createUser, openDatabase } from '@cellfolio/platform';
import {
  grantProfessional,
  passwordCost,
  postgresPrograms,
  startPrivatePostgres,
} from '@cellfolio/platform/testing';
import { expect, test } from 'vitest';
import { allDatabases, embeddedDataFolder, scratchFolder } from './databases.ts';
import type { Leftovers } from './killed-server.ts';

/** Rounds per database; each ends at a random time during the writes. Only the server is killed, not PostgreSQL. */
const roundsOn = { embedded: 4, PostgreSQL: 2 };

test.concurrent.each(allDatabases.map(({ name }) => ({ name, rounds: roundsOn[name] })))(
  'a server on the $name database that is killed $rounds times while it writes has lost nothing that it acknowledged',
  async ({ name, rounds }) => {
    const report = await killRounds(name, rounds);
    expect(report.lost).toEqual([]);
    expect(report.files).toBeGreaterThanOrEqual(3 * rounds);
    expect(report.rows).toBeGreaterThanOrEqual(3 * rounds);
    expect(report.refreshes).toBeGreaterThan(0);
    const { objects, files } = report.leftovers;
    expect(report.leftovers).toEqual({ orphans: 0, uploads: 0, dead: 0, files, objects: files });
    expect(objects).toBeGreaterThanOrEqual(report.files);
  },
  480_000,
);

const bucket = 'user-files';
const child = fileURLToPath(new URL('./killed-server.ts', import.meta.url));
const account = { email: 'kill@example.org', password: 'correct horse' };
const fileBytes = 20_000;
const largeBytes = 3_000_000;
const sample = 10;

interface KillReport {
  rounds: number;
  files: number;
  rows: number;
  refreshes: number;
  resumed: number;
  /** Acknowledged, but missing after a restart. */
  lost: readonly string[];
  leftovers: Leftovers;
}

/**
 * Repeatedly kills a server at random times while files, rows, refresh tokens and a resumable upload are written;
 * restarts it and checks that everything acknowledged is there.
 */
async function killRounds(kind: 'embedded' | 'PostgreSQL', rounds: number): Promise<KillReport> {
  const programs = postgresPrograms();
  if (kind === 'PostgreSQL' && !programs) throw new Error('PostgreSQL is not installed here.');
  const postgres = kind === 'PostgreSQL' ? await startPrivatePostgres(programs!) : undefined;
  const parent = await scratchFolder();
  const folder = postgres ? join(parent, 'data') : await embeddedDataFolder();
  const run = new KillRun(folder, postgres?.url);
  try {
    await run.begin();
    for (let round = 0; round < rounds; round += 1) await run.round(round);
    return await run.end(rounds);
  } finally {
    await run.stop();
    await postgres?.stop();
    for (const path of [parent, ...(postgres ? [] : [dirname(folder)])]) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

class KillRun {
  readonly #folder: string;
  readonly #database: string | undefined;
  readonly #files = new Map<string, string>();
  readonly #rows = new Set<string>();
  readonly #lost: string[] = [];
  readonly #large = randomBytes(largeBytes);
  #process: ChildProcess | undefined;
  #url = '';
  #key = '';
  #user = '';
  #accessToken = '';
  #refreshToken = '';
  #refreshes = 0;
  #upload: { name: string; path: string; accepted: number } | undefined;
  #resumed = 0;

  constructor(folder: string, database: string | undefined) {
    this.#folder = folder;
    this.#database = database;
  }

  async begin(): Promise<void> {
    const options = { dataDir: this.#folder, ...(this.#database !== undefined && { url: this.#database }) };
    const database = await openDatabase(options);
    const { id } = await createUser(database, { ...account, confirmed: true, passwordCost });
    this.#user = id;
    await grantProfessional(database, account.email);
    await database.close();
    await this.#start();
    this.#take(await this.#auth('token?grant_type=password', account));
  }

  async round(round: number): Promise<void> {
    const [files, rows] = [this.#files.size, this.#rows.size];
    const killed = new AbortController();
    const lanes = [
      this.#storeFiles(`${round}-0`, killed.signal),
      this.#storeFiles(`${round}-1`, killed.signal),
      this.#insertRows(round, killed.signal),
      this.#keepRefreshing(killed.signal),
      this.#keepResuming(round, killed.signal),
    ];
    // Each ends with an error of the connection.
    const work = Promise.all(lanes.map((lane) => lane.catch(() => {})));
    // At a random time after some of each were acknowledged.
    while (this.#files.size < files + 3 || this.#rows.size < rows + 3) await wait(3);
    await wait(randomInt(0, 150));
    this.#process!.kill('SIGKILL');
    await once(this.#process!, 'exit');
    killed.abort();
    await work;
    await this.#start();
    await this.#checkRefreshToken(round);
    await this.#checkFiles(newestAndSample([...this.#files.keys()], this.#files.size - files));
    await this.#checkRows(newestAndSample([...this.#rows], this.#rows.size - rows));
  }

  async end(rounds: number): Promise<KillReport> {
    await this.#checkFiles([...this.#files.keys()]);
    const names = [...this.#rows];
    for (let at = 0; at < names.length; at += 200) await this.#checkRows(names.slice(at, at + 200));
    await this.#finishUpload(new AbortController().signal);
    this.#process!.send('count');
    const [leftovers] = (await once(this.#process!, 'message')) as [Leftovers];
    return {
      rounds,
      files: this.#files.size,
      rows: this.#rows.size,
      refreshes: this.#refreshes,
      resumed: this.#resumed,
      lost: this.#lost,
      leftovers,
    };
  }

  async stop(): Promise<void> {
    const running = this.#process;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  }

  async #start(): Promise<void> {
    const started = fork(child, [this.#folder, ...(this.#database === undefined ? [] : [this.#database])], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#process = started;
    const [message] = (await Promise.race([
      once(started, 'message'),
      once(started, 'exit').then(([code]) => Promise.reject(new Error(`The server ended with ${code}.`))),
    ])) as [{ url: string; key: string }];
    this.#url = message.url;
    this.#key = message.key;
    // Tokens contain the address of the server, which changes with each start.
    this.#take(await this.#auth('token?grant_type=password', account), false);
  }

  #take(answer: SignedIn, refreshable = true): void {
    this.#accessToken = answer.access_token;
    if (refreshable) this.#refreshToken = answer.refresh_token;
  }

  async #auth(path: string, body: object): Promise<SignedIn> {
    const answer = await fetch(`${this.#url}/auth/v1/${path}`, {
      method: 'POST',
      headers: { apikey: this.#key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as SignedIn;
  }

  get #headers(): Record<string, string> {
    return { apikey: this.#key, authorization: `Bearer ${this.#accessToken}` };
  }

  async #storeFiles(lane: string, killed: AbortSignal): Promise<void> {
    for (let count = 0; !killed.aborted; count += 1) {
      const name = `${this.#user}/${lane}-${count}.tsv`;
      const bytes = randomBytes(fileBytes);
      const answer = await fetch(this.#object(name), { method: 'POST', headers: this.#headers, body: bytes });
      await answer.arrayBuffer();
      if (answer.status === 200) this.#files.set(name, sha256(bytes));
    }
  }

  async #insertRows(round: number, killed: AbortSignal): Promise<void> {
    for (let count = 0; !killed.aborted; count += 1) {
      const subset_name = `${round} ${count}`;
      const answer = await fetch(`${this.#url}/rest/v1/subset_metadata`, {
        method: 'POST',
        headers: { ...this.#headers, 'content-type': 'application/json' },
        body: JSON.stringify({ user_id: this.#user, subset_name }),
      });
      await answer.arrayBuffer();
      if (answer.status === 201) this.#rows.add(subset_name);
    }
  }

  async #keepRefreshing(killed: AbortSignal): Promise<void> {
    while (!killed.aborted) {
      const answer = await this.#auth('token?grant_type=refresh_token', {
        refresh_token: this.#refreshToken,
      });
      this.#refreshToken = answer.refresh_token;
      this.#refreshes += 1;
    }
  }

  async #keepResuming(round: number, killed: AbortSignal): Promise<void> {
    while (!killed.aborted) {
      if (!this.#upload) {
        const name = `${this.#user}/large-${round}.h5ad`;
        const metadata = `bucketName ${btoa(bucket)},objectName ${btoa(name)}`;
        const created = await fetch(`${this.#url}/storage/v1/upload/resumable`, {
          method: 'POST',
          headers: {
            ...this.#tus,
            'upload-length': String(largeBytes),
            'upload-metadata': metadata,
            'x-upsert': 'true',
          },
        });
        const path = new URL(created.headers.get('location')!).pathname;
        this.#upload = { name, path, accepted: 0 };
      }
      // In small chunks, so that most rounds end during the upload.
      await this.#resume(20_000, killed);
    }
  }

  async #resume(chunkBytes: number, killed: AbortSignal): Promise<void> {
    const upload = this.#upload!;
    const address = this.#url + upload.path;
    while (!killed.aborted) {
      const state = await fetch(address, { method: 'HEAD', headers: this.#tus });
      // Locked until the lease of the killed server expires.
      if (state.status === 423) {
        await wait(100);
        continue;
      }
      const offset = state.status === 200 ? Number(state.headers.get('upload-offset')) : -1;
      if (offset < upload.accepted) {
        // The last chunk completed it, but its response was lost.
        if (state.status !== 200 && (await this.#isFile(upload.name))) return this.#uploaded(upload.name);
        this.#lost.push(`${upload.name}: ${offset} bytes are left of ${upload.accepted} (${state.status})`);
        upload.accepted = offset;
        return;
      }
      if (offset === largeBytes) return this.#uploaded(upload.name);
      const answer = await fetch(address, {
        method: 'PATCH',
        headers: {
          ...this.#tus,
          'upload-offset': String(offset),
          'content-type': 'application/offset+octet-stream',
        },
        body: this.#large.subarray(offset, offset + chunkBytes),
      });
      await answer.arrayBuffer();
      if (answer.status !== 204) continue;
      upload.accepted = Number(answer.headers.get('upload-offset'));
      if (upload.accepted === largeBytes) return this.#uploaded(upload.name);
    }
  }

  async #finishUpload(never: AbortSignal): Promise<void> {
    if (!this.#upload) return;
    const { name } = this.#upload;
    await this.#resume(largeBytes, never);
    await this.#checkFiles([name]);
  }

  #uploaded(name: string): void {
    this.#files.set(name, sha256(this.#large));
    this.#resumed += 1;
    this.#upload = undefined;
  }

  async #isFile(name: string): Promise<boolean> {
    const answer = await fetch(this.#object(name), { method: 'HEAD', headers: this.#headers });
    return answer.status === 200;
  }

  async #checkRefreshToken(round: number): Promise<void> {
    try {
      const answer = await this.#auth('token?grant_type=refresh_token', {
        refresh_token: this.#refreshToken,
      });
      this.#refreshToken = answer.refresh_token;
    } catch (error) {
      this.#lost.push(`the refresh token after round ${round}: ${String(error)}`);
      this.#take(await this.#auth('token?grant_type=password', account));
    }
  }

  async #checkFiles(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const answer = await fetch(this.#object(name), { headers: this.#headers });
      const digest = sha256(new Uint8Array(await answer.arrayBuffer()));
      if (answer.status !== 200) this.#lost.push(`${name}: ${answer.status}`);
      else if (digest !== this.#files.get(name)) this.#lost.push(`${name}: wrong content`);
    }
  }

  async #checkRows(names: readonly string[]): Promise<void> {
    const list = names.map((name) => `"${name}"`).join(',');
    const query = new URLSearchParams({ select: 'subset_name', subset_name: `in.(${list})` });
    const answer = await fetch(`${this.#url}/rest/v1/subset_metadata?${query.toString()}`, {
      headers: this.#headers,
    });
    const storedNames = new Set(
      ((await answer.json()) as { subset_name: string }[]).map((row) => row.subset_name),
    );
    for (const name of names) if (!storedNames.has(name)) this.#lost.push(`row ${name}`);
  }

  get #tus(): Record<string, string> {
    return { ...this.#headers, 'tus-resumable': '1.0.0' };
  }

  #object(name: string): string {
    return `${this.#url}/storage/v1/object/${bucket}/${name}`;
  }
}

interface SignedIn {
  access_token: string;
  refresh_token: string;
  user: { id: string };
}

function newestAndSample(names: readonly string[], newest: number): string[] {
  const before = names.length - newest;
  const some = before === 0 ? [] : Array.from({ length: sample }, () => names[randomInt(before)]!);
  return [...some, ...names.slice(before)];
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
