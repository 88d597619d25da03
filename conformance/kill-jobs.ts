// Kills a server again and again while it works on jobs of every kind and sends a file, and looks at what is left:
// node conformance/kill-jobs.ts [ROUNDS].
import { createHash, randomInt } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createUser, openDatabase } from '@cellfolio/platform';
import { grantProfessional, passwordCost } from '@cellfolio/platform/testing';
import { type Member, startMember, trioOf } from './cluster.ts';
import { embeddedDataFolder } from './databases.ts';

interface Keys {
  publishableKey: string;
  apiKey: string;
}
interface UserFile {
  file_id: string;
  report: { kind: string; rows?: number } | null;
  dataset: { state: string; version: string | null; problem: { message: string } | null } | null;
}
interface Job {
  id: string;
  kind: string;
  state: string;
  attempts: number;
  problem: { code: string; message: string } | null;
  result_file_id: string | null;
}
interface Own {
  files: UserFile[];
  jobs: Job[];
}

const password = 'correct horse';
const settleMs = 900_000;
/** Bytes that a round may leave: checksums, logs and job records. */
const tolerance = 256 * 1024;

const warmRounds = 2;

const [small, large] = [trioOf(200, 300), trioOf(400, 900)];
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

class Owner {
  readonly #server: Member;
  readonly #keys: Keys;
  readonly #token: string;
  readonly #id: string;
  #uploads = 0;

  private constructor(server: Member, keys: Keys, session: SignedIn) {
    this.#server = server;
    this.#keys = keys;
    this.#token = session.access_token;
    this.#id = session.user.id;
  }

  static async signIn(server: Member, email: string): Promise<Owner> {
    const keys = (await (await fetch(`${server.url}/config.json`)).json()) as Keys;
    const answer = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: keys.publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    if (!answer.ok) throw new Error(`${email} cannot sign in: ${await answer.text()}`);
    return new Owner(server, keys, (await answer.json()) as SignedIn);
  }

  async call(method: string, path: string, body?: string | object, headers: Record<string, string> = {}) {
    const isFile = typeof body === 'string' || body instanceof Uint8Array;
    return fetch(this.#server.url + path, {
      method,
      headers: {
        apikey: this.#keys.publishableKey,
        'x-api-key': this.#keys.apiKey,
        'x-session-id': 'tab',
        authorization: `Bearer ${this.#token}`,
        'content-type': isFile ? 'application/octet-stream' : 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body: isFile ? Buffer.from(body) : JSON.stringify(body) }),
    });
  }

  async json<T>(method: string, path: string, body?: string | object, headers = {}): Promise<T> {
    const answer = await this.call(method, path, body, headers);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  own(): Promise<Own> {
    return this.json('GET', '/api/own-files');
  }

  async upload(name: string, text: string): Promise<string> {
    const path = `${this.#id}/${(this.#uploads += 1)}_${name}`;
    await this.json('POST', `/storage/v1/object/user-files/${path}`, text);
    const row = { user_id: this.#id, file_name: name, original_filename: name, file_path: path };
    const createdRows = await this.json<{ id: string }[]>('POST', '/rest/v1/user_files', row, {
      prefer: 'return=representation',
    });
    return createdRows[0]!.id;
  }

  async uploadTrio(trio: Readonly<Record<string, string>>): Promise<string[]> {
    const ids = [];
    for (const [name, text] of Object.entries(trio)) ids.push(await this.upload(name, text));
    return ids;
  }

  async bytesOf(fileId: string): Promise<Uint8Array> {
    const path = await this.#pathOf(fileId);
    const answer = await this.call('GET', `/storage/v1/object/user-files/${path}`);
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  }

  async replace(fileId: string, bytes: Uint8Array): Promise<void> {
    const path = await this.#pathOf(fileId);
    await this.json('POST', `/storage/v1/object/user-files/${path}`, bytes, { 'x-upsert': 'true' });
  }

  async remove(fileId: string): Promise<void> {
    const path = await this.#pathOf(fileId);
    await this.json('DELETE', '/storage/v1/object/user-files', { prefixes: [path] });
    await this.json('DELETE', `/rest/v1/user_files?id=eq.${fileId}`);
  }

  async #pathOf(fileId: string): Promise<string> {
    const rows = await this.json<{ file_path: string }[]>(
      'GET',
      `/rest/v1/user_files?id=eq.${fileId}&select=file_path`,
    );
    if (!rows[0]) throw new Error(`The row of the file ${fileId} is lost.`);
    return rows[0].file_path;
  }

  async settled(): Promise<Own> {
    for (const end = Date.now() + settleMs; ; await pause(300)) {
      const own = await this.own();
      const busy =
        own.jobs.some(({ state }) => state === 'queued' || state === 'running') ||
        own.files.some(({ dataset }) => dataset?.state === 'queued' || dataset?.state === 'building');
      if (!busy) return own;
      if (Date.now() > end) {
        const open = own.jobs.filter(({ state }) => state === 'queued' || state === 'running');
        throw new Error(`still processing: ${JSON.stringify(open)}`);
      }
    }
  }

  async done(path: string, body: object): Promise<string> {
    const { job } = await this.json<{ job: Job }>('POST', path, body);
    const { jobs } = await this.settled();
    const ended = jobs.find(({ id }) => id === job.id);
    if (ended?.state !== 'done') throw new Error(`${path}: ${JSON.stringify(ended)}`);
    return ended.result_file_id ?? '';
  }

  async exported(): Promise<Response> {
    return this.call('POST', '/api/export-dataset', { cells: {} });
  }

  open(fileId: string): Promise<unknown> {
    return this.json('GET', `/api/dataset_analysis/${encodeURIComponent(`custom:${fileId}`)}`);
  }
}

interface SignedIn {
  access_token: string;
  user: { id: string };
}

interface KilledWork {
  prepare(owner: Owner): Promise<void>;
  begin(owner: Owner): Promise<void>;
  /** Checks the state after all jobs have ended; throws if something was lost. */
  check(owner: Owner, own: Own): Promise<void>;
}

async function countsFile(owner: Owner, trio = small): Promise<string> {
  const ids = await owner.uploadTrio(trio);
  await owner.settled();
  const fileId = await owner.done('/api/convert', { file_ids: ids });
  for (const id of ids) await owner.remove(id);
  return fileId;
}

function makesFile(prepare: (owner: Owner) => Promise<{ path: string; body: object }>): KilledWork {
  let order: { path: string; body: object };
  let digestById: ReadonlyMap<string, string>;
  return {
    async prepare(owner) {
      order = await prepare(owner);
      const { files } = await owner.settled();
      const digests = files.map(
        async ({ file_id }) => [file_id, sha256(await owner.bytesOf(file_id))] as const,
      );
      digestById = new Map(await Promise.all(digests));
    },
    async begin(owner) {
      await owner.json('POST', order.path, order.body);
    },
    async check(owner, { files }) {
      for (const [id, digest] of digestById) {
        if (sha256(await owner.bytesOf(id)) !== digest) throw new Error(`the file ${id} has other bytes`);
      }
      const newFiles = files.filter(({ file_id }) => !digestById.has(file_id));
      if (newFiles.length > 1) throw new Error(`${newFiles.length} files were made of one order`);
      for (const { file_id } of newFiles) {
        await owner.bytesOf(file_id);
        await owner.remove(file_id);
      }
    },
  };
}

const builtFile = async (owner: Owner): Promise<string> => {
  const id = await countsFile(owner, large);
  await owner.done(`/api/files/${id}/build`, {});
  return id;
};

function killedWork(): Readonly<Record<string, KilledWork>> {
  let built = '';
  let sent = { id: '', digest: '' };
  const replaced = { id: '', versions: [] as Uint8Array[], round: 0 };
  return {
    build: {
      async prepare(owner) {
        built = await builtFile(owner);
      },
      begin: (owner) => owner.json('POST', `/api/files/${built}/build`, {}),
      async check(owner, { files }) {
        const dataset = files.find(({ file_id }) => file_id === built)?.dataset;
        // The one that was there stays where its successor could not be built.
        if (!dataset?.version) throw new Error(`no dataset is left: ${JSON.stringify(dataset)}`);
        await owner.open(built);
      },
    },
    convert: makesFile(async (owner) => ({
      path: '/api/convert',
      body: { file_ids: await owner.uploadTrio(large) },
    })),
    combine: makesFile(async (owner) => {
      const ids = [await countsFile(owner), await countsFile(owner)];
      const samples = ids.map((file_id, at) => ({ file_id, sample: `S${at}` }));
      return { path: '/api/combine', body: { file_name: 'both', samples } };
    }),
    subset: makesFile(async (owner) => {
      await owner.open(await builtFile(owner));
      return { path: '/api/subclusterings', body: { name: 'Part', cells: {} } };
    }),
    export: {
      async prepare(owner) {
        const id = await builtFile(owner);
        await owner.open(id);
        const answer = await owner.exported();
        sent = { id, digest: sha256(new Uint8Array(await answer.arrayBuffer())) };
      },
      async begin(owner) {
        const send = async (): Promise<void> => {
          // Until the server is killed.
          for (;;) await (await owner.exported()).arrayBuffer();
        };
        void send().catch(() => {});
      },
      async check(owner) {
        const answer = await owner.exported();
        const digest = sha256(new Uint8Array(await answer.arrayBuffer()));
        if (digest !== sent.digest) throw new Error('the exported file is another one');
      },
    },
    replace: {
      async prepare(owner) {
        const [one, other] = [await countsFile(owner), await countsFile(owner, large)];
        replaced.versions = [await owner.bytesOf(one), await owner.bytesOf(other)];
        await owner.remove(other);
        replaced.id = one;
        await owner.done(`/api/files/${one}/build`, {});
      },
      async begin(owner) {
        replaced.round += 1;
        await owner.replace(replaced.id, replaced.versions[replaced.round % 2]!);
      },
      async check(owner) {
        const there = sha256(await owner.bytesOf(replaced.id));
        // The answer to the upload came before the kill.
        if (there !== sha256(replaced.versions[replaced.round % 2]!))
          throw new Error('the new bytes are lost');
        await owner.done(`/api/files/${replaced.id}/build`, {});
        await owner.open(replaced.id);
      },
    },
  };
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((one) => one.isFile())
    .map((one) =>
      stat(join(one.parentPath, one.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Bytes of objects and scratch folders after deletions have been carried out: the minimum within a time limit. */
async function settledBytes(dataDir: string, limit: number): Promise<number> {
  let bytes = Infinity;
  for (const end = Date.now() + 60_000; Date.now() < end && bytes > limit; await pause(500)) {
    // A folder that goes while it is read: what is left is counted next time.
    const folders = ['objects', 'scratch'].map((name) =>
      bytesBelow(join(dataDir, name)).catch(() => Infinity),
    );
    bytes = (await Promise.all(folders)).reduce((sum, one) => sum + one, 0);
  }
  return bytes;
}

async function main(rounds: number): Promise<void> {
  const dataDir = await embeddedDataFolder();
  const works = Object.entries(killedWork());
  const database = await openDatabase({ dataDir });
  for (const [kind] of works) {
    const email = `${kind}@example.org`;
    await createUser(database, { email, password, confirmed: true, passwordCost });
    await grantProfessional(database, email);
  }
  await database.close();
  const server = await startMember(
    { name: 'killed', role: 'all', dataDir },
    {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      HOST: '127.0.0.1',
      DEMO: 'false',
      LOG_LEVEL: 'fatal',
      COMPUTE_THREADS: '1',
      JOB_WORKERS: String(works.length),
      JOB_MEMORY_MB: '1024',
      DATA_DIR: dataDir,
    },
  );
  await server.start();
  try {
    const owners = await Promise.all(
      works.map(async ([kind, work]) => ({
        kind,
        work,
        owner: await Owner.signIn(server, `${kind}@example.org`),
      })),
    );
    await Promise.all(owners.map(({ work, owner }) => work.prepare(owner)));
    const lost: string[] = [];
    const ends = new Map<string, number>();
    // The first two rounds show what stays for good: the version before of a dataset, and the larger file.
    let room = 0;
    for (let round = 1; round <= rounds + warmRounds; round += 1) {
      await Promise.all(owners.map(({ work, owner }) => work.begin(owner)));
      const after = randomInt(0, 12_000);
      await pause(after);
      await server.kill();
      await server.start();
      await Promise.all(
        owners.map(async ({ kind, work, owner }) => {
          try {
            const own = await owner.settled();
            for (const { kind: of, state, problem } of own.jobs.slice(0, 1)) {
              const how = `${kind}: ${of} ${state}${problem ? ` (${problem.code})` : ''}`;
              ends.set(how, (ends.get(how) ?? 0) + 1);
            }
            await work.check(owner, own);
          } catch (error) {
            lost.push(`round ${round}, ${kind}: ${String(error)}`);
            console.log(lost.at(-1));
          }
        }),
      );
      await Promise.all(owners.map(({ owner }) => owner.settled()));
      const bytes = await settledBytes(dataDir, room + tolerance);
      if (round <= warmRounds) room = Math.max(room, bytes);
      else if (bytes > room + tolerance)
        lost.push(`round ${round}: ${bytes - room} bytes are not given back`);
      console.log(`round ${round}: killed after ${after} ms; ${bytes} bytes are left; ${lost.length} faults`);
    }
    console.log(
      [...ends]
        .map(([how, count]) => `${count} × ${how}`)
        .toSorted()
        .join('\n'),
    );
    console.log(lost.length === 0 ? `${rounds} + ${warmRounds} rounds: nothing was lost.` : lost.join('\n'));
    process.exitCode = lost.length === 0 ? 0 : 1;
  } finally {
    await server.kill();
    await rm(join(dataDir, '..'), { recursive: true, force: true });
  }
}

await main(Number(process.argv[2] ?? 20));
