import autocannon from 'autocannon';
import { SeededBits } from '../data/seeded-bits.ts';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createUser, migrate, openDatabase } from '@cellfolio/platform';
import { setPlan } from '@cellfolio/server';
import { type BenchContext, type ImportedDataset, sizeOf } from '../bench-context.ts';
import { genesToDraw } from '../data/generated-file.ts';
import { paths } from '../paths.ts';
import { ExplorerClient, type StartedProcess, startServer } from './running-server.ts';

interface LoadOptions {
  address: string;
  users: readonly LoadUser[];
  seconds: number;
  /** Calls per second of all users together; a user waits for the response before the next call. */
  callsPerSecond: number;
  seed: number;
  onSecond?: (second: number) => void;
}

export interface LoadReport {
  /** Milliseconds of each successful call, by kind. */
  answered: Readonly<Record<CallKind, readonly number[]>>;
  statuses: ReadonlyMap<number, number>;
  broken: number;
}

/** Runs the plans of many users at once; each client of autocannon is one user. */
export async function load(options: LoadOptions): Promise<LoadReport> {
  const { address, users, seconds, callsPerSecond, seed } = options;
  const answered: Record<CallKind, number[]> = { 'gene plot': [], filter: [], markers: [], search: [] };
  const statuses = new Map<number, number>();
  const plans = new Map<autocannon.Client, { plan: readonly PlannedCall[]; next: number }>();
  let clientCount = 0;
  const running = autocannon({
    url: address,
    connections: users.length,
    duration: seconds,
    overallRate: callsPerSecond,
    timeout: 60,
    setupClient: (client) => {
      const user = users[clientCount % users.length]!;
      const plan = planOf(user, seed + clientCount);
      clientCount += 1;
      plans.set(client, { plan, next: 0 });
      client.setRequests(plan.map((call) => requestOf(call, user)));
    },
  });
  running.on('response', (client, status, _bytes, milliseconds) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const mine = plans.get(client);
    if (!mine) return;
    const { kind } = mine.plan[mine.next % mine.plan.length]!;
    mine.next += 1;
    if (status === 200) answered[kind].push(milliseconds);
  });
  let second = 0;
  running.on('tick', () => options.onSecond?.((second += 1)));
  const { errors, timeouts } = await running;
  return { answered, statuses, broken: errors + timeouts };
}

function requestOf(call: PlannedCall, user: LoadUser): autocannon.Request {
  const { method, path, body } = callOf(call, user);
  return body === undefined
    ? { method, path, headers: { ...user.headers } }
    : {
        method,
        path,
        headers: { ...user.headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
}

export interface LoadUser {
  headers: Readonly<Record<string, string>>;
  dataset: string;
  genes: readonly string[];
}

type PlannedCall =
  | { kind: 'gene plot'; gene: string }
  /** Cells that express a gene, or all of them. */
  | { kind: 'filter'; gene: string | undefined }
  | { kind: 'markers' }
  /** Opens the dataset with all cells. */
  | { kind: 'search' };

type CallKind = PlannedCall['kind'];

const callsInPlan = 200;
const popularGenes = 20;

/** 70 % of the calls draw a gene (80 % of these a popular one), 20 % filter cells, 5 % each test markers and search. */
function planOf({ genes }: Pick<LoadUser, 'genes'>, seed: number): PlannedCall[] {
  const bits = new SeededBits(seed);
  const draw = new Uint32Array(1);
  const below = (limit: number): number => {
    bits.drawInto(draw);
    return draw[0]! % limit;
  };
  return Array.from({ length: callsInPlan }, (): PlannedCall => {
    const choice = below(20);
    if (choice < 14) {
      return { kind: 'gene plot', gene: genes[below(5) < 4 ? below(popularGenes) : below(genes.length)]! };
    }
    if (choice < 18) {
      const gene = genes[below(popularGenes)]!;
      // Half of the filters reset to all cells, so that most plots are of all cells.
      return { kind: 'filter', gene: choice < 16 ? gene : undefined };
    }
    return choice === 18 ? { kind: 'markers' } : { kind: 'search' };
  });
}

function callOf(
  call: PlannedCall,
  { dataset }: Pick<LoadUser, 'dataset'>,
): { method: 'GET' | 'POST'; path: string; body?: object } {
  const post = (path: string, body: object) => ({ method: 'POST', path: `/api/${path}`, body }) as const;
  switch (call.kind) {
    case 'gene plot':
      return post('plot-umap-with-genes', { genes: [call.gene], violin_plot: false });
    case 'filter':
      return post(
        'filter-active-dataset',
        call.gene === undefined
          ? { subset_group_name: 'Default' }
          : {
              subset_group_name: `Positive ${call.gene}`,
              gene_filter: true,
              gene: { name: call.gene, presence: 'positive' },
            },
      );
    case 'markers':
      return post('perform-marker-analysis', {
        groupby: 'cell_type',
        n_genes: 10,
        pvals_adj: 0.05,
        logfoldchanges: 0.25,
      });
    case 'search':
      return { method: 'GET', path: `/api/dataset_analysis/${encodeURIComponent(dataset)}` };
  }
}

type Plan = Parameters<typeof setPlan>[2];

const shares = [1, 0.75, 0.5];
export const accountPassword = 'correct horse battery';

interface LoadedServer extends StartedProcess {
  users: readonly LoadUser[];
  emails: readonly string[];
  datasets: readonly ImportedDataset[];
  remove(): Promise<void>;
}

export async function startLoadedServer(
  { options, imported }: Pick<BenchContext, 'options' | 'imported'>,
  { name, users: userCount, plan }: { name: string; users: number; plan?: Plan },
): Promise<LoadedServer> {
  const datasets = await importDatasets({ options, imported });
  const dataDir = join(datasets[0]!.dataDir, name);
  await rm(dataDir, { recursive: true, force: true });
  await copyDatasets(datasets, join(dataDir, 'objects'));
  const emails = await makeUsers({ dataDir }, userCount, plan);
  const server = await startServer(dataDir);
  const remove = async (): Promise<void> => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const users = await openedDatasets(server.address, emails, datasets);
    return { ...server, users, emails, datasets, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

export async function importDatasets({
  options,
  imported,
}: Pick<BenchContext, 'options' | 'imported'>): Promise<ImportedDataset[]> {
  const size = sizeOf(options, { cells: 20_000, genes: 10_000 });
  const sets = [];
  for (const share of shares) sets.push(await imported({ ...size, cells: Math.round(size.cells * share) }));
  return sets;
}

/** Copies instead of linking, since the catalogue does not list links. */
export async function copyDatasets(datasets: readonly ImportedDataset[], objects: string): Promise<void> {
  await mkdir(join(objects, 'datasets'), { recursive: true });
  for (const { root, id } of datasets) {
    await cp(join(root, 'datasets', id), join(objects, 'datasets', id), { recursive: true });
  }
}

/** Creates accounts directly in the database, since sign-ups are limited to thirty per address in five minutes. */
export async function makeUsers(
  place: { dataDir: string; url?: string },
  count: number,
  plan: Plan = 'Standard',
): Promise<string[]> {
  const database = await openDatabase(place);
  try {
    await migrate(database, paths.migrations);
    const emails = Array.from({ length: count }, (_, i) => `user-${i}@example.org`);
    for (const email of emails) {
      await createUser(database, { email, password: accountPassword, confirmed: true });
      await setPlan(database, email, plan);
    }
    return emails;
  } finally {
    await database.close();
  }
}

async function openedDatasets(
  address: string,
  emails: readonly string[],
  datasets: readonly ImportedDataset[],
): Promise<LoadUser[]> {
  const users: LoadUser[] = [];
  for (const [i, email] of emails.entries()) {
    const { id, model } = datasets[i % datasets.length]!;
    const client = await signIn(address, email, `user-${i}`);
    await client.openDataset(id);
    users.push({ headers: client.headers, dataset: id, genes: genesToDraw(model, 2000) });
  }
  return users;
}

export const signIn = (address: string, email: string, tab: string): Promise<ExplorerClient> =>
  ExplorerClient.signIn(address, { email, password: accountPassword, tab });
