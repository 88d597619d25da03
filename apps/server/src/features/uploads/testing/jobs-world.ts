import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Job, OwnFile } from '@cellfolio/contract';
import { type BlobStore, FileBlobStore } from '@cellfolio/bytes';
import { blobKeyOf, createUser, type Database, setPlan, storeOwnFile } from '@cellfolio/platform';
import { FileObjectStore } from '@cellfolio/store';
import { Jobs, type JobsOptions } from '../jobs.ts';

const timeoutMs = 150_000;
const tinyWork = new URL('./tiny-work.ts', import.meta.url).href;
const silent = { error: () => {}, warn: () => {}, info: () => {} } as never;

/** For tests: files and jobs on a migrated database, without a server around them. Work does what its file says. */
export interface JobsWorld {
  readonly folder: string;
  readonly blobs: FileBlobStore;
  /** Ids of datasets that were told to have changed. */
  readonly changed: string[];
  /** Another process, as far as the database is concerned; started, and closed with the world. */
  start(options?: Partial<JobsOptions>): Jobs;
  addUser(tier?: 'Professional'): Promise<string>;
  addFile(userId: string, name: string, text: string): Promise<string>;
  /** Other bytes in the place of a file's, as an upload with `x-upsert` leaves them. */
  replaceFile(fileId: string, text: string): Promise<void>;
  /** What the files say, with the runs of all of them in one list. */
  saying(...lines: string[]): string;
  /** A path that files wait for, and how it comes to be there. */
  gate(): { path: string; open(): Promise<void> };
  /** `<kind> <file>` of each run that began, in order. */
  runs(): Promise<string[]>;
  /** Ids of the processes of those runs. */
  pids(): Promise<number[]>;
  job(jobs: Jobs, userId: string, fits: (job: Job) => boolean): Promise<Job>;
  file(jobs: Jobs, userId: string, fits: (file: OwnFile) => boolean): Promise<OwnFile>;
  until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T>;
  scratch(): Promise<string[]>;
  /** Closes it and takes everybody out of the database, for the next test. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function openJobsWorld(database: Database, given?: string): Promise<JobsWorld> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'cellfolio-jobs-')));
  const blobs = new FileBlobStore(join(folder, 'objects'));
  const changed: string[] = [];
  const opened: Jobs[] = [];
  const scratchRoot = join(folder, 'scratch');
  const runsFile = join(folder, 'runs');
  let count = 0;

  const until: JobsWorld['until'] = async (what, look) => {
    for (const begun = Date.now(); ; await pause(50)) {
      const found = await look();
      if (found !== undefined && found !== false) return found;
      if (Date.now() - begun < timeoutMs) continue;
      const seen = await database.pool.query('select * from cellfolio.jobs order by created_at').then(
        ({ rows }) => JSON.stringify(rows),
        () => 'the database is closed',
      );
      throw new Error(`Waited too long for ${what}: ${seen}`);
    }
  };
  const begun = async () => (await readFile(runsFile, 'utf8').catch(() => '')).split('\n').filter(Boolean);
  const storage = { userQuotaBytes: 10_000, sweepSeconds: 0 };
  const close = async () => {
    for (const jobs of opened) await jobs.close();
    if (given === undefined) await rm(folder, { recursive: true, force: true });
  };

  return {
    folder,
    blobs,
    changed,
    until,
    start(options = {}) {
      const objectRoot = join(folder, 'objects');
      const jobs = new Jobs({
        database,
        blobs: blobs as BlobStore,
        objects: new FileObjectStore(objectRoot),
        objectRoot,
        scratchRoot,
        heavyJobs: 1,
        leaseSeconds: 20,
        memoryBytes: 256 * 1024 ** 2,
        storage,
        log: silent,
        onDatasetChanged: async (datasetId) => void changed.push(datasetId),
        workModule: tinyWork,
        ...options,
      });
      opened.push(jobs);
      jobs.start();
      return jobs;
    },
    async addUser(tier) {
      const email = `person${(count += 1)}@${database.kind}.example.org`;
      const { id } = await createUser(database, {
        email,
        password: 'correct horse',
        confirmed: true,
        passwordCost: { memoryKib: 64, passes: 1 },
      });
      if (tier) await setPlan(database, email, tier);
      return id;
    },
    async addFile(userId, name, text) {
      const source = join(folder, `source-${(count += 1)}`);
      await writeFile(source, text);
      return storeOwnFile(
        { database, blobs, log: silent, now: Date.now, settings: storage },
        {
          userId,
          source,
          key: `${count}_${name}`,
          fileName: name,
          originalFilename: name,
          description: null,
          mimeType: 'text/plain',
        },
      );
    },
    async replaceFile(fileId, text) {
      const version = randomUUID();
      await blobs.put(blobKeyOf(version), Readable.from([Buffer.from(text)]), { maxBytes: 10_000 });
      await database.pool.query(
        `update storage.objects set version = $2, metadata = metadata || jsonb_build_object('size', $3::int)
         where name = (select file_path from public.user_files where id = $1)`,
        [fileId, version, text.length],
      );
    },
    saying: (...lines) => [`runs ${folder}`, ...lines, ''].join('\n'),
    gate() {
      const path = join(folder, `gate-${(count += 1)}`);
      return { path, open: () => writeFile(path, '') };
    },
    runs: async () => (await begun()).map((line) => line.split(' ').slice(0, 2).join(' ')),
    pids: async () => (await begun()).map((line) => Number(line.split(' ')[2])),
    job: (jobs, userId, fits) => until('a job', async () => (await jobs.own.list(userId)).jobs.find(fits)),
    file: (jobs, userId, fits) => until('a file', async () => (await jobs.own.list(userId)).files.find(fits)),
    scratch: async () => {
      await mkdir(scratchRoot, { recursive: true });
      return readdir(scratchRoot);
    },
    async clear() {
      await close();
      await database.pool.query('delete from auth.users');
      await database.pool.query('delete from cellfolio.custom_datasets');
    },
    close,
  };
}
