import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createUser, migrate, openDatabase, setPlan } from '@cellfolio/platform';
import { type BenchContext, type ImportedDataset, sizeOf } from '../bench-context.ts';
import { genesToDraw } from '../data/generated-file.ts';
import { paths } from '../paths.ts';
import { ExplorerClient } from './explorer-client.ts';
import type { LoadUser } from './load-plan.ts';
import { freePort, type StartedProcess, startServing } from './server-process.ts';

/** Cells of the datasets, as shares of the size of the case. */
const parts = [1, 0.75, 0.5];
export const accountPassword = 'correct horse battery';

const accounts = 100;

/** A server with three datasets and users who have one of them open each. */
export interface LoadedServer extends StartedProcess {
  readonly users: readonly LoadUser[];
  readonly emails: readonly string[];
  readonly datasets: readonly ImportedDataset[];
  /** How many figures it has drawn. */
  figuresDrawn(): Promise<number>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** The folder of that name with its data is made anew. */
export async function startLoadedServer(
  { options, imported }: Pick<BenchContext, 'options' | 'imported'>,
  { name, users: tabs }: { name: string; users: number },
): Promise<LoadedServer> {
  const datasets = await importedParts({ options, imported });
  const dataDir = join(datasets[0]!.dataDir, name);
  await rm(dataDir, { recursive: true, force: true });
  await copyDatasets(datasets, join(dataDir, 'objects'));
  const emails = await makeUsers({ dataDir }, Math.min(tabs, accounts));
  const metricsPort = await freePort();
  const server = await startServing([process.execPath, paths.serverStart], {
    DATA_DIR: dataDir,
    METRICS_PORT: String(metricsPort),
    DEMO: 'false',
    LOG_LEVEL: 'error',
  });
  const remove = async (): Promise<void> => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const users = await openedDatasets(server.address, emails, datasets, tabs);
    return {
      ...server,
      users,
      emails,
      datasets,
      figuresDrawn: () => figuresDrawnBy(metricsPort),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** How many figures a server has drawn, as it says at the port of its metrics. */
export async function figuresDrawnBy(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const count = /^cellfolio_compute_task_duration_seconds_count\{kind="draw",outcome="done"\} (\d+)$/m;
  return Number(count.exec(text)?.[1] ?? 0);
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

/**
 * Users in so many browser tabs, each with one of the datasets open. A user has more than one where there are more tabs
 * than accounts: the server takes 150 sign-ins of one address in five minutes.
 */
export async function openedDatasets(
  address: string,
  emails: readonly string[],
  datasets: readonly ImportedDataset[],
  tabs = emails.length,
): Promise<LoadUser[]> {
  const users: LoadUser[] = [];
  for (let i = 0; i < tabs; i++) {
    const { id, model } = datasets[i % datasets.length]!;
    const tab = `user-${i}`;
    const signedIn = users[i - emails.length];
    const client = signedIn
      ? new ExplorerClient(address, { ...signedIn.headers, 'x-session-id': tab })
      : await signIn(address, emails[i]!, tab);
    await client.openDataset(id);
    users.push({ headers: client.headers, dataset: id, genes: genesToDraw(model, 2000) });
  }
  return users;
}

export const signIn = (address: string, email: string, tab: string): Promise<ExplorerClient> =>
  ExplorerClient.signIn(address, { email, password: accountPassword, tab });
