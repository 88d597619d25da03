import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Job, UserFileRecord } from '@cellfolio/contract';
import { type BlobStore, FileBlobStore } from '@cellfolio/bytes';
import { blobKeyOf, createUser, type Database } from '@cellfolio/platform';
import { type Owner, ownerOfUser } from '../../../runtime/owners.ts';
import { setPlan } from '../../billing/index.ts';
import { storeOwnFile } from '../store-own-file.ts';
import { FileObjectStore } from '@cellfolio/store';
import { Jobs, type JobsOptions } from '../jobs.ts';
import { pauseAfter } from './own-data-client.ts';

const timeoutMs = 150_000;
const tinyWork = new URL('./tiny-work.ts', import.meta.url).href;
const silent = { error: () => {}, warn: () => {}, info: () => {} } as never;
const fileLimits = { quotaBytes: 10_000, objects: 2000 };

/** Test fixture: files and jobs on a migrated database, without a server. Jobs do what their file says. */
export class JobsWorld {
  readonly folder: string;
  readonly blobs: FileBlobStore;
  readonly changed: string[] = [];
  readonly #database: Database;
  readonly #opened: Jobs[] = [];
  readonly #isTemporary: boolean;
  #count = 0;
  #runEnds = Promise.withResolvers<void>();

  /** Without `folder` it uses a temporary one, which is removed on close. */
  constructor(database: Database, folder?: string) {
    this.#database = database;
    this.#isTemporary = folder === undefined;
    this.folder = folder ?? mkdtempSync(join(tmpdir(), 'cellfolio-jobs-'));
    this.blobs = new FileBlobStore(join(this.folder, 'objects'));
  }

  /** Starts another process, as seen by the database; closed with the world. */
  start(options: Partial<JobsOptions> = {}): Jobs {
    const objectRoot = join(this.folder, 'objects');
    const jobs = new Jobs({
      database: this.#database,
      blobs: this.blobs as BlobStore,
      objects: new FileObjectStore(objectRoot),
      objectRoot,
      scratchRoot: join(this.folder, 'scratch'),
      reservations: join(this.folder, 'reserved'),
      heavyJobs: 1,
      memoryBytes: 256 * 1024 ** 2,
      fileLimits,
      log: silent,
      onDatasetChanged: async (datasetId) => void this.changed.push(datasetId),
      onRunEnded: () => {
        this.#runEnds.resolve();
        this.#runEnds = Promise.withResolvers();
      },
      workModule: tinyWork,
      ...options,
    });
    this.#opened.push(jobs);
    jobs.start();
    return jobs;
  }

  async addUser(tier?: 'Professional'): Promise<Owner> {
    const email = `person${(this.#count += 1)}@${this.#database.kind}.example.org`;
    const { id } = await createUser(this.#database, {
      email,
      password: 'correct horse',
      confirmed: true,
      passwordCost: { memoryKib: 64, passes: 1 },
    });
    if (tier) await setPlan(this.#database, email, tier);
    return ownerOfUser(id);
  }

  async addFile(owner: Owner, name: string, text: string): Promise<string> {
    const source = join(this.folder, `source-${(this.#count += 1)}`);
    await writeFile(source, text);
    const id = await storeOwnFile(
      { database: this.#database, blobs: this.blobs, log: silent, now: Date.now, limits: fileLimits },
      {
        owner,
        source,
        key: `${this.#count}_${name}`,
        fileName: name,
        originalFilename: name,
        description: null,
        mimeType: 'text/plain',
      },
    );
    // They look once a second by themselves.
    for (const jobs of this.#opened) jobs.wake();
    return id;
  }

  /** Replaces a file's bytes, as an upload with `x-upsert` does. */
  async replaceFile(fileId: string, text: string): Promise<void> {
    const version = randomUUID();
    await this.blobs.put(blobKeyOf(version), Readable.from([Buffer.from(text)]), { maxBytes: 10_000 });
    await this.#database.pool.query(
      `update storage.objects set version = $2, metadata = metadata || jsonb_build_object('size', $3::int)
       where name = (select file_path from public.user_files where id = $1)`,
      [fileId, version, text.length],
    );
  }

  saying(...lines: string[]): string {
    return [`runs ${this.folder}`, ...lines, ''].join('\n');
  }

  /** A path that files wait for; `open` creates it. */
  gate(): { path: string; open(): Promise<void> } {
    const path = join(this.folder, `gate-${(this.#count += 1)}`);
    return { path, open: () => writeFile(path, '') };
  }

  /** `<kind> <file>` of each run that began, in order. */
  async runs(): Promise<string[]> {
    return (await this.#begun()).map((line) => line.split(' ').slice(0, 2).join(' '));
  }

  async pids(): Promise<number[]> {
    return (await this.#begun()).map((line) => Number(line.split(' ')[2]));
  }

  async #begun(): Promise<string[]> {
    const text = await readFile(join(this.folder, 'runs'), 'utf8').catch(() => '');
    return text.split('\n').filter(Boolean);
  }

  job(jobs: Jobs, owner: Owner, fits: (job: Job) => boolean): Promise<Job> {
    return this.until('a job', async () => (await jobs.own.list(owner)).jobs.find(fits));
  }

  file(jobs: Jobs, owner: Owner, fits: (file: UserFileRecord) => boolean): Promise<UserFileRecord> {
    return this.until('a file', async () => (await jobs.own.list(owner)).files.find(fits));
  }

  async until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
    const begun = Date.now();
    for (;;) {
      const outcome = await look();
      if (outcome !== undefined && outcome !== false) return outcome;
      const waited = Date.now() - begun;
      if (waited >= timeoutMs) throw new Error(`Waited too long for ${what}: ${await this.#seenJobs()}`);
      await Promise.race([pauseAfter(waited), this.#runEnds.promise]);
    }
  }

  #seenJobs(): Promise<string> {
    return this.#database.pool.query('select * from cellfolio.jobs order by created_at').then(
      ({ rows }) => JSON.stringify(rows),
      () => 'the database is closed',
    );
  }

  async scratch(): Promise<string[]> {
    const folder = join(this.folder, 'scratch');
    await mkdir(folder, { recursive: true });
    return readdir(folder);
  }

  async clear(): Promise<void> {
    await this.close();
    await this.#database.pool.query('delete from auth.users');
    await this.#database.pool.query('delete from cellfolio.custom_datasets');
  }

  async close(): Promise<void> {
    for (const jobs of this.#opened) await jobs.close();
    if (this.#isTemporary) await rm(this.folder, { recursive: true, force: true });
  }
}
