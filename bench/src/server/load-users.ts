import autocannon from 'autocannon';
import { SeededBits } from '../data/seeded-bits.ts';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createUser, migrate, openDatabase } from '@cellfolio/platform';
import { setPlan } from '@cellfolio/server';
import { type BenchContext, type ImportedDataset, sizeOf } from '../bench-context.ts';
import { genesToDraw } from '../data/generated-file.ts';
import { paths } from '../paths.ts';
import { ExplorerClient, type StartedProcess, startServing } from './running-server.ts';

interface LoadOptions {
  readonly address: string;
  readonly users: readonly LoadUser[];
  readonly seconds: number;
  /** Calls a second of all users together, none of whom calls again before the answer. */
  readonly callsPerSecond: number;
  readonly seed: number;
  /** Hears what second it is, once a second. */
  readonly onSecond?: (second: number) => void;
}

interface LoadReport {
  /** Milliseconds of each call that was answered with success, by kind. */
  readonly answered: Readonly<Record<CallKind, readonly number[]>>;
  readonly statuses: ReadonlyMap<number, number>;
  /** Connections that broke or timed out. */
  readonly broken: number;
}

/** What many users do at once, by their plans. Sent by autocannon, whose clients each are one user. */
export async function load(options: LoadOptions): Promise<LoadReport> {
  const { address, users, seconds, callsPerSecond, seed } = options;
  const answered: Record<CallKind, number[]> = { 'gene plot': [], filter: [], markers: [], search: [] };
  const statuses = new Map<number, number>();
  const plans = new Map<autocannon.Client, { plan: readonly Asked[]; next: number }>();
  let made = 0;
  const running = autocannon({
    url: address,
    connections: users.length,
    duration: seconds,
    overallRate: callsPerSecond,
    timeout: 60,
    setupClient: (client) => {
      const user = users[made % users.length]!;
      const plan = planOf(user, seed + made);
      made += 1;
      plans.set(client, { plan, next: 0 });
      client.setRequests(plan.map((asked) => requestOf(asked, user)));
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

function requestOf(asked: Asked, user: LoadUser): autocannon.Request {
  const { method, path, body } = callOf(asked, user);
  return body === undefined
    ? { method, path, headers: { ...user.headers } }
    : {
        method,
        path,
        headers: { ...user.headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
}

/** A user of the load: a session with a dataset open, and the genes of that dataset. */
export interface LoadUser {
  readonly headers: Readonly<Record<string, string>>;
  readonly dataset: string;
  readonly genes: readonly string[];
}

/** What a call of a user asks for. */
type Asked =
  | { readonly kind: 'gene plot'; readonly gene: string }
  /** Cells that express a gene, or all of them. */
  | { readonly kind: 'filter'; readonly gene: string | undefined }
  | { readonly kind: 'markers' }
  /** Opens the dataset, and so all of its cells. */
  | { readonly kind: 'search' };

type CallKind = Asked['kind'];

/** Calls after which a user begins again. */
const callsInPlan = 200;
/** Of the genes of a dataset these few are asked for again and again. */
const popularGenes = 20;

/** Of ten calls seven draw a gene (of which four fifths one of the popular few), two choose cells, and one in twenty each tests markers or looks a dataset up. */
function planOf({ genes }: Pick<LoadUser, 'genes'>, seed: number): Asked[] {
  const bits = new SeededBits(seed);
  const drawn = new Uint32Array(1);
  const below = (limit: number): number => {
    bits.drawInto(drawn);
    return drawn[0]! % limit;
  };
  return Array.from({ length: callsInPlan }, (): Asked => {
    const choice = below(20);
    if (choice < 14) {
      return { kind: 'gene plot', gene: genes[below(5) < 4 ? below(popularGenes) : below(genes.length)]! };
    }
    if (choice < 18) {
      const gene = genes[below(popularGenes)]!;
      // Half of the time everything again, so that plots of all cells stay the rule.
      return { kind: 'filter', gene: choice < 16 ? gene : undefined };
    }
    return choice === 18 ? { kind: 'markers' } : { kind: 'search' };
  });
}

/** Method, path and body of what is asked. */
function callOf(
  asked: Asked,
  { dataset }: Pick<LoadUser, 'dataset'>,
): { method: 'GET' | 'POST'; path: string; body?: object } {
  const post = (path: string, body: object) => ({ method: 'POST', path: `/api/${path}`, body }) as const;
  switch (asked.kind) {
    case 'gene plot':
      return post('plot-umap-with-genes', { genes: [asked.gene], violin_plot: false });
    case 'filter':
      return post(
        'filter-active-dataset',
        asked.gene === undefined
          ? { subset_group_name: 'Default' }
          : {
              subset_group_name: `Positive ${asked.gene}`,
              gene_filter: true,
              gene: { name: asked.gene, presence: 'positive' },
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

/** Cells of the datasets, as shares of the size of the case. */
const parts = [1, 0.75, 0.5];
export const accountPassword = 'correct horse battery';

/** A server with three datasets and users who have one of them open each. */
interface LoadedServer extends StartedProcess {
  readonly users: readonly LoadUser[];
  readonly emails: readonly string[];
  readonly datasets: readonly ImportedDataset[];
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** The folder of that name with its data is made anew. */
export async function startLoadedServer(
  { options, imported }: Pick<BenchContext, 'options' | 'imported'>,
  { name, users: userCount }: { name: string; users: number },
): Promise<LoadedServer> {
  const datasets = await importedParts({ options, imported });
  const dataDir = join(datasets[0]!.dataDir, name);
  await rm(dataDir, { recursive: true, force: true });
  await copyDatasets(datasets, join(dataDir, 'objects'));
  const emails = await makeUsers({ dataDir }, userCount);
  const server = await startServing([process.execPath, paths.serverStart], {
    DATA_DIR: dataDir,
    DEMO: 'false',
    LOG_LEVEL: 'error',
  });
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

/** The datasets of the load, each of its own size. */
export async function importedParts({
  options,
  imported,
}: Pick<BenchContext, 'options' | 'imported'>): Promise<ImportedDataset[]> {
  const size = sizeOf(options, { cells: 20_000, genes: 10_000 });
  const sets = [];
  for (const part of parts) sets.push(await imported({ ...size, cells: Math.round(size.cells * part) }));
  return sets;
}

/** A catalogue of its own with these datasets: it lists no links. */
export async function copyDatasets(datasets: readonly ImportedDataset[], objects: string): Promise<void> {
  await mkdir(join(objects, 'datasets'), { recursive: true });
  for (const { root, id } of datasets) {
    await cp(join(root, 'datasets', id), join(objects, 'datasets', id), { recursive: true });
  }
}

/** Accounts made beside the server, which takes no more than thirty sign-ups of one address in five minutes. */
export async function makeUsers(place: { dataDir: string; url?: string }, count: number): Promise<string[]> {
  const database = await openDatabase(place);
  try {
    await migrate(database, paths.migrations);
    const emails = Array.from({ length: count }, (_, i) => `user-${i}@example.org`);
    for (const email of emails) {
      await createUser(database, { email, password: accountPassword, confirmed: true });
      await setPlan(database, email, 'Standard');
    }
    return emails;
  } finally {
    await database.close();
  }
}

/** Each user in a browser tab of its own, with one of the datasets open. */
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
