import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openBlobStore } from '@cellfolio/bytes';
import { blobKeyOf, type Database, orphanedBlobs, sweepStorage } from '@cellfolio/platform';
import type { Cluster } from '../../conformance/cluster.ts';
import { digestOf, type Findings, type Kept, type Ledger } from './ledger.ts';
import type { FaultyObjects } from './faulty-objects.ts';
import type { PatientClient } from './patient-client.ts';

export interface Person {
  readonly ledger: Ledger;
  readonly client: PatientClient;
}

export interface AuditDeps {
  readonly cluster: Cluster;
  readonly objects: FaultyObjects;
  readonly database: Database;
  readonly findings: Findings;
  readonly log: (line: string) => void;
}

const settleMs = 300_000;
const quiet = { info: () => {}, warn: () => {}, error: () => {} } as never;

/** Waits until all that follows from what was asked for is done. */
export async function settle({ database, findings, log }: AuditDeps): Promise<void> {
  const open = `select count(*)::int as jobs from cellfolio.jobs where state in ('queued', 'running')`;
  let last: unknown;
  for (const end = Date.now() + settleMs; Date.now() < end; await pause(1000)) {
    const { rows } = await database.pool.query<{ jobs: number }>(open);
    last = rows[0];
    if (rows[0]!.jobs === 0) return;
  }
  const { rows } = await database.pool.query(
    `select kind, state, stage, attempts, priority, run_token, lease_until from cellfolio.jobs where state in ('queued', 'running')`,
  );
  findings.add('stuck', 'jobs did not come to an end', JSON.stringify({ last, rows }));
  log('not everything came to an end');
}

/** Every write that was acknowledged is there, with its content; whatever was deleted is gone. */
export async function auditWrites(person: Person, findings: Findings): Promise<void> {
  const { client, ledger } = person;
  await client.signIn();
  const rowsOf = async <T>(table: string, columns: string): Promise<T[]> =>
    client.json<T[]>(`/rest/v1/${table}?select=${columns}&limit=1000`);

  const subsets = new Map(
    (await rowsOf<{ id: string; percentile: number }>('subset_metadata', 'id,percentile')).map((row) => [
      row.id,
      row.percentile,
    ]),
  );
  compare(findings, 'subset', ledger.subsets, subsets);

  const images = new Map<string, string>();
  for (const { image_id, image_data } of await rowsOf<{ image_id: string; image_data: string }>(
    'generated_images',
    'image_id,image_data',
  )) {
    images.set(image_id, digestOf(image_data));
  }
  compare(findings, 'image', ledger.images, images);

  const files = new Map(
    (await rowsOf<{ id: string; file_path: string }>('user_files', 'id,file_path')).map((row) => [
      row.id,
      row,
    ]),
  );
  for (const { id, state, doubtful, contents } of ledger.files.values()) {
    const row = files.get(id);
    if (state === 'there' && !row) findings.add('lost', 'the row of a file', id);
    if (state === 'gone' && row && !doubtful) findings.add('lost', 'a deleted file is back', id);
    if (!row) continue;
    const object = await client.call(`/storage/v1/object/user-files/${row.file_path}`);
    const { digest } = contents[0]!;
    if (object.status !== 200) {
      if (state === 'there') findings.add('lost', `the bytes of a file: ${object.status}`, row.file_path);
    } else if (digest !== '' && digestOf(object.bytes) !== digest) {
      findings.add('lost', 'a file has other bytes', `${row.file_path}: ${object.bytes.length} bytes`);
    }
  }
  for (const id of files.keys()) {
    if (!ledger.files.has(id) && !(await isOfConversion(client, id))) {
      findings.add('orphan', 'a file that its owner knows nothing of', id);
    }
  }
  for (const { key, revoked } of ledger.keys.values()) {
    const { status } = await client.call('/api/own-files', {
      anonymous: true,
      headers: { 'x-api-key': key },
    });
    if (!revoked && status !== 200) findings.add('lost', `a personal key is refused: ${status}`);
    if (revoked && status === 200) findings.add('lost', 'a revoked personal key opens');
  }
  await auditJobs(person, findings);
}

async function isOfConversion(client: PatientClient, fileId: string): Promise<boolean> {
  const { jobs } = await client.json<{ jobs: { result_file_id: string | null }[] }>('/api/own-files');
  return jobs.some((job) => job.result_file_id === fileId);
}

function compare<T>(
  findings: Findings,
  what: string,
  expected: ReadonlyMap<string, Kept<T>>,
  found: ReadonlyMap<string, T>,
): void {
  for (const { id, state, contents, doubtful } of expected.values()) {
    const content = found.get(id);
    if (content === undefined) {
      if (state === 'there') findings.add('lost', `a ${what}`, id);
    } else if (state === 'gone') {
      if (!doubtful) findings.add('lost', `a deleted ${what} is back`, id);
    } else if (!contents.includes(content)) {
      findings.add('lost', `a ${what} has another content`, `${id}: ${content} of ${contents.join(', ')}`);
    }
  }
  for (const id of found.keys())
    if (!expected.has(id)) findings.add('orphan', `a ${what} that nobody made`, id);
}

interface AuditedJob {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly attempts: number;
  readonly problem: { readonly code: string; readonly message: string } | null;
  readonly result_file_id: string | null;
}

/** Jobs ended, and once; each dataset that is ready opens, and each file was looked at. */
async function auditJobs({ client, ledger }: Person, findings: Findings): Promise<void> {
  for (const [id, { kind, cancelled }] of ledger.jobs) {
    const answer = await client.call(`/api/jobs/${id}`);
    // Jobs go with their files.
    if (answer.status === 404) continue;
    const { job } = JSON.parse(answer.bytes.toString('utf8')) as { job: AuditedJob };
    findings.count(`jobs: ${kind} ${job.state}${job.problem ? ` (${job.problem.code})` : ''}`);
    if (
      job.state === 'cancelled' &&
      !cancelled &&
      !['superseded', 'file_deleted'].includes(job.problem?.code ?? '')
    ) {
      findings.add('lost', `a ${kind} was cancelled by nobody`, JSON.stringify(job.problem));
    }
    if (job.state === 'failed' && !job.problem?.message)
      findings.add('unclean', `a ${kind} failed without a reason`);
  }
  const { files } = await client.json<{
    files: {
      file_id: string;
      report: object | null;
      problem: { code: string } | null;
      dataset: { state: string; problem: { code: string } | null } | null;
    }[];
  }>('/api/own-files');
  for (const { file_id, report, problem, dataset } of files) {
    if (!report && !problem) findings.add('stuck', 'a file was never looked at', file_id);
    if (problem) findings.count(`files that could not be read (${problem.code})`);
    if (!dataset) continue;
    findings.count(`datasets ${dataset.state}${dataset.problem ? ` (${dataset.problem.code})` : ''}`);
    if (dataset.state === 'queued' || dataset.state === 'building') {
      findings.add('stuck', `a dataset stays ${dataset.state} though no job is under way`, file_id);
    }
    if (dataset.state !== 'ready') continue;
    const opened = await client.call(`/api/dataset_analysis/custom:${file_id}`, {
      headers: { 'x-session-id': 'audit' },
    });
    if (opened.status !== 200) {
      findings.add(
        'lost',
        `a dataset that is ready does not open: ${opened.status}`,
        opened.bytes.toString('utf8').slice(0, 200),
      );
    }
  }
}

/** Nothing is in the database, the object store or the folders of the processes that belongs to nothing. */
export async function auditLeftovers(deps: AuditDeps, people: readonly Person[]): Promise<void> {
  const { cluster, objects, database, findings } = deps;
  const blobs = await openBlobStore(
    `s3://S3RVER:S3RVER@127.0.0.1/cells/cluster?endpoint=${encodeURIComponent(objects.endpoint)}`,
  );
  try {
    // What was given up is cleared away when its time is over: that is now.
    const day = 25 * 3600_000;
    await sweepStorage({ database, blobs, log: quiet, now: () => Date.now() + day });
    for await (const key of orphanedBlobs({ database, blobs })) {
      findings.add('orphan', 'bytes in the object store that no row names', key);
    }
    const { rows } = await database.pool.query<{ name: string; version: string }>(
      `select name, version from storage.objects where bucket_id = 'user-files'`,
    );
    for (const { name, version } of rows) {
      if (!(await blobs.head(blobKeyOf(version)))) findings.add('lost', 'an object without its bytes', name);
    }
    await auditTables(deps, people);
    const keys: string[] = [];
    for await (const key of blobs.list('')) keys.push(key);
    await auditDatasets(deps, keys);
  } finally {
    await blobs.close();
  }
  for (const path of await filesBelow(cluster.objectsFolder)) {
    if (path.includes('.tail')) findings.add('orphan', 'bytes put aside for an upload', path);
  }
  for (const [, key] of objects.openUploads) {
    findings.add('orphan', 'an upload in parts was neither completed nor given up', key);
  }
  for (const member of [...cluster.apis, ...cluster.workers]) {
    for (const path of await filesBelow(member.dataDir)) {
      // The cache of the object store, and what the process keeps of itself.
      if (!/^cache\/objects\/(?!.*(?:tmp|part|~))/.test(path)) {
        findings.add(
          'orphan',
          `a file in the folder of a process: ${path.replaceAll(/[0-9a-f-]{8,}/g, '…')}`,
          `${member.name}: ${path}`,
        );
      }
    }
  }
}

async function auditTables({ database, findings }: AuditDeps, people: readonly Person[]): Promise<void> {
  const counted = async (what: string, sql: string): Promise<void> => {
    const { rows } = await database.pool.query<{ count: number }>(sql);
    if (rows[0]!.count > 0) findings.add('orphan', what, String(rows[0]!.count));
  };
  await counted('uploads whose time is over', 'select count(*)::int from storage.uploads');
  await counted('notes of bytes that could not be deleted', 'select count(*)::int from storage.dead_blobs');
  await counted(
    'datasets of deleted files',
    `select count(*)::int from cellfolio.custom_datasets d
     where not exists (select from public.user_files f where f.id = d.file_id)`,
  );
  const { rows: alone } = await database.pool.query<{ name: string }>(
    `select name from storage.objects o where bucket_id = 'user-files'
       and not exists (select from public.user_files f where f.file_path = o.name)`,
  );
  for (const { name } of alone) {
    // Between the two calls that bring or remove a file its user may have come to nothing.
    if (!people.some(({ ledger }) => ledger.doubtfulObjects.has(name))) {
      findings.add('orphan', 'an object without a row of its file', name);
    }
  }
  await counted(
    'locks that nobody lets go of',
    `select count(*)::int from pg_locks where locktype = 'advisory' and granted`,
  );
  await counted(
    'transactions that nobody ends',
    `select count(*)::int from pg_stat_activity where state like 'idle in transaction%' and state_change < now() - interval '5 seconds'`,
  );
}

async function auditDatasets({ database, findings }: AuditDeps, keys: readonly string[]): Promise<void> {
  const { rows } = await database.pool.query<{ id: string }>('select id from public.user_files');
  const files = new Set(rows.map(({ id }) => id));
  for (const key of keys) {
    if (key.startsWith('incoming/')) findings.add('orphan', 'a note of a dataset that is being written', key);
    const custom = /^custom-dataset(?:s|-files)\/([0-9a-f-]{36})\//.exec(key)?.[1];
    if (custom !== undefined && !files.has(custom))
      findings.add('orphan', 'a dataset whose file is gone', key);
  }
  // Of each dataset the folder that its manifest names, and no other.
  const folders = new Map<string, Set<string>>();
  for (const key of keys) {
    const [, id, folder] = /^(?:custom-)?dataset-files\/([^/]+)\/([^/]+)\//.exec(key) ?? [];
    if (id !== undefined && folder !== undefined) folders.set(id, (folders.get(id) ?? new Set()).add(folder));
  }
  for (const [id, found] of folders) {
    const named = keys.some(
      (key) => key === `datasets/${id}/manifest.json` || key === `custom-datasets/${id}/manifest.json`,
    );
    if (!named) findings.add('orphan', 'the objects of a dataset without a manifest', id);
    else if (found.size > 1)
      findings.add('orphan', 'objects of an earlier writing of a dataset', `${id}: ${[...found].join(', ')}`);
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** Processes that belong to the run, by its folder in their environment, other than those given. */
export async function strayProcesses(folder: string, known: ReadonlySet<number>): Promise<string[]> {
  const stray: string[] = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || known.has(pid) || pid === process.pid) continue;
    const environment = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '');
    if (!environment.includes(`TMPDIR=${folder}`)) continue;
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    stray.push(
      `${pid} ${command.replaceAll('\0', ' ').slice(0, 200)} in ${await readlink(`/proc/${name}/cwd`).catch(() => '')}`,
    );
  }
  return stray;
}
