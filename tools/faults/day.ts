import { execFile } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openDatabase, setPlan } from '@cellfolio/platform';
import { seeded } from '../../conformance/malformed-requests.ts';
import { type Cluster, startCluster } from '../../conformance/cluster.ts';
import { scratchFolder } from '../../conformance/databases.ts';
import { auditLeftovers, auditWrites, type AuditDeps, settle, strayProcesses } from './audit.ts';
import { type FaultyObjects, startFaultyObjects } from './faulty-objects.ts';
import { clockFile, inject, mountFolder, revive, streamOf, unmountFolder } from './faults.ts';
import { ask, type Content, questions, catalogued, User } from './user.ts';
import { Findings, newLedger } from './ledger.ts';
import { PatientClient } from './patient-client.ts';
const run = promisify(execFile);
const project = fileURLToPath(new URL('../..', import.meta.url));
const clock = pathToFileURL(fileURLToPath(new URL('./shifted-clock.ts', import.meta.url))).href;

export interface DayOptions {
  readonly seed: number;
  readonly faults: number;
  readonly users: number;
  /** Milliseconds between two faults, on average. */
  readonly pace: number;
  /** Milliseconds after which no more faults begin, however many have come. */
  readonly time: number;
  /** An `.h5ad` with cell types, clusters and a UMAP. */
  readonly file: string;
  readonly log: (line: string) => void;
}

export interface DayReport {
  readonly findings: readonly string[];
  readonly counts: readonly (readonly [string, number])[];
  readonly faults: readonly (readonly [string, number])[];
}

/** A day on which users do what users do while faults come, and what is left of it when it is over. */
export async function day(options: DayOptions): Promise<DayReport> {
  const { seed, faults, log } = options;
  const findings = new Findings(log);
  const random = seeded(seed);
  const streams = { objects: streamOf(random()), faults: streamOf(random()), users: streamOf(random()) };
  const { cluster, objects, fillable, errors } = await startFaultyCluster(streams.objects);
  if (!fillable) log('SKIPPED: disks are not filled, which needs the right to mount file systems.');
  const folder = dirname(cluster.objectsFolder);
  const database = await openDatabase({ url: cluster.databaseUrl, dataDir: folder });
  const deps: AuditDeps = { cluster, objects, database, findings, log };
  const members = [...cluster.apis, ...cluster.workers];
  try {
    await addToCatalogue(cluster, options.file);
    const state = { over: false };
    const expected = new Map<string, string>();
    const people = await signUpUsers(deps, options, streams.users, expected, state);
    log('a calm morning');
    await calm(people[0]!, expected, deps);
    log(`the day begins: ${faults} faults, seed ${seed}`);
    const lives = people.map(({ user }) => user.live());
    const done = await inject(
      { cluster, objects, findings, random: streams.faults, database, fillable, log },
      options,
    );
    log('the faults are over');
    objects.clear();
    await Promise.all(members.map((member) => revive(member, findings)));
    await pause(3000);
    state.over = true;
    await Promise.all(lives);
    log('the users went home');
    await settle(deps);
    // What processes that died have left is cleared up when others begin.
    for (const member of members) {
      await member.stop();
      await revive(member, findings);
    }
    await settle(deps);
    // The first round of clearing up begins with the process.
    await pause(5000);
    for (const person of people) await auditWrites(person, findings);
    await checkFigures(people[0]!.client, expected, findings);
    await auditLeftovers(deps, people);
    const pids = new Set(members.flatMap(({ pid }) => (pid === undefined ? [] : [pid])));
    for (const stray of await strayProcesses(folder, pids)) findings.add('orphan', 'a process', stray);
    for (const [line, times] of errors) log(`  standard error ×${times}: ${line}`);
    log(`requests to the object store: ${JSON.stringify(objects.counts)}`);
    return { findings: findings.lines(), counts: findings.counts, faults: [...done].sort() };
  } finally {
    await database.close().catch(() => undefined);
    await Promise.all(members.map((member) => member.kill()));
    for (const { dataDir } of members) await unmountFolder(dataDir);
    objects.close();
    await cluster.close();
  }
}

/** A cluster whose object store fails on demand, and whose processes have a small disk and a clock of their own. */
async function startFaultyCluster(random: () => number) {
  let objects: FaultyObjects | undefined;
  let fillable = true;
  /** The last line of what a process wrote to its standard error, and how often. */
  const errors = new Map<string, number>();
  const cluster = await startCluster({
    beforeObjects: async (endpoint) => {
      objects = await startFaultyObjects(endpoint, random);
      return objects.endpoint;
    },
    settings: async (_name, dataDir) => {
      await mkdir(dataDir, { recursive: true });
      fillable &&= await mountFolder(dataDir, 192);
      const temporary = join(dataDir, 'tmp');
      await mkdir(temporary);
      return {
        TMPDIR: temporary,
        // Hundreds of starts of the same program.
        NODE_COMPILE_CACHE: join(dirname(dataDir), 'compiled'),
        NODE_OPTIONS: `--import=${clock}`,
        FAULTS_CLOCK: clockFile(dataDir),
        OBJECT_CACHE_MB: '64',
        JOB_MEMORY_MB: '768',
        TRUST_PROXY: 'true',
        LOG_LEVEL: 'error',
      };
    },
    onError: (_name, text) => {
      const line = text.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
      errors.set(line, (errors.get(line) ?? 0) + 1);
    },
  });
  return { cluster, objects: objects!, fillable, errors };
}

async function signUpUsers(
  { cluster, database, findings }: AuditDeps,
  { users, file }: DayOptions,
  random: () => number,
  expected: ReadonlyMap<string, string>,
  state: { readonly over: boolean },
) {
  const keys = (await (await fetch(`${cluster.url}/config.json`)).json()) as {
    publishableKey: string;
    apiKey: string;
  };
  const pbmc = await readFile(file);
  const people = Array.from({ length: users }, (_, at) => {
    const email = `user${at}@example.org`;
    const password = `correct horse ${at}`;
    const address = `10.0.0.${at + 1}`;
    const client = new PatientClient({ url: cluster.url, findings, email, password, address, keys });
    const ledger = newLedger(email);
    const own = streamOf(random());
    const isOver = () => state.over;
    return {
      client,
      ledger,
      user: new User({ client, ledger, findings, random: own, pbmc, expected, isOver }),
    };
  });
  for (const { client, ledger } of people) {
    await client.signUp();
    await setPlan(database, ledger.email, 'Professional');
  }
  return people;
}

async function addToCatalogue({ environment }: Cluster, file: string): Promise<void> {
  const scratch = await scratchFolder();
  const environmentOfCommand = { ...environment, DATA_DIR: scratch };
  const names = ['--name', 'Blood', '--disease', 'None', '--subdisease', 'None', '--id', catalogued];
  await run(process.execPath, ['apps/server/src/ops/main.ts', 'dataset', 'add', file, ...names], {
    cwd: project,
    env: environmentOfCommand,
  });
  await rm(scratch, { recursive: true });
}

/** One user does everything once while all is well: what the figures of the day are held against. */
async function calm(
  { client, user }: { readonly client: PatientClient; readonly user: User },
  expected: Map<string, string>,
  deps: AuditDeps,
): Promise<void> {
  const remember = async (datasetId: string, content: Content): Promise<void> => {
    for (const question of questions[content]) {
      const key = `${content} ${question.name}`;
      const digest = await ask(client, 'calm', datasetId, question);
      const before = expected.get(key);
      if (before === undefined) expected.set(key, digest);
      else if (before !== digest) throw new Error(`${key} differs on a calm day.`);
    }
  };
  await remember(catalogued, 'catalogue');
  await remember(catalogued, 'catalogue');
  const fileId = await user.files.uploadPbmc();
  const jobId = await user.files.uploadTrio();
  if (fileId === undefined || jobId === undefined) throw new Error('The uploads of the morning failed.');
  await settle(deps);
  await remember(`custom:${fileId}`, 'pbmc');
  const { job } = await client.json<{ job: { result_file_id: string | null } }>(`/api/jobs/${jobId}`);
  await remember(`custom:${job.result_file_id}`, 'trio');
}

/** The public dataset, once more after all. */
async function checkFigures(
  client: PatientClient,
  expected: ReadonlyMap<string, string>,
  findings: Findings,
): Promise<void> {
  for (const question of questions.catalogue) {
    const digest = await ask(client, 'evening', catalogued, question);
    if (digest !== expected.get(`catalogue ${question.name}`)) {
      findings.add('wrong', `catalogue: ${question.name}, in the evening`, digest);
    }
  }
}
