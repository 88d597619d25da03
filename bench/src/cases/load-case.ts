import { cp, mkdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createUser, migrate, openDatabase, setPlan } from '@cellfolio/platform';
import { type BenchCase, sizeOf } from '../bench-context.ts';
import { simulateLoad } from '../capacity/simulate-load.ts';
import { genesToDraw } from '../data/generated-file.ts';
import { mebibyte, processMemory } from '../measure/process-memory.ts';
import { quantile } from '../measure/statistics.ts';
import { paths } from '../paths.ts';
import { ExplorerClient } from '../server/explorer-client.ts';
import { load, type LoadUser } from '../server/load-users.ts';
import { startServing } from '../server/server-process.ts';

const userCount = 100;
const password = 'correct horse battery';
/** A minute more than is judged: caches fill, and the heap finds its size. */
const seconds = 300;
const overloadSeconds = 30;

/** A hundred users for five minutes, then ten times their calls, on one server. */
export const loadCase: BenchCase = {
  name: 'load',
  title: 'a hundred users at once, and ten times as many calls',
  async run({ options, imported, report }) {
    const size = sizeOf(options, { cells: 20_000, genes: 10_000 });
    const sets = [];
    for (const part of [1, 0.75, 0.5]) {
      sets.push(await imported({ ...size, cells: Math.round(size.cells * part) }));
    }
    const own = join(sets[0]!.dataDir, 'load');
    await rm(own, { recursive: true, force: true });
    await mkdir(join(own, 'objects', 'datasets'), { recursive: true });
    for (const { root, id } of sets) {
      await cp(join(root, 'datasets', id), join(own, 'objects', 'datasets', id), { recursive: true });
    }
    const emails = await makeUsers(own);
    const server = await startServing([process.execPath, paths.serverStart], {
      DATA_DIR: own,
      DEMO: 'false',
      LOG_LEVEL: 'error',
    });
    try {
      const users: LoadUser[] = [];
      for (const [i, email] of emails.entries()) {
        const { id, model } = sets[i % sets.length]!;
        const client = await ExplorerClient.signIn(server.address, { email, password, tab: `user-${i}` });
        await client.openDataset(id);
        users.push({ headers: client.headers, dataset: id, genes: genesToDraw(model, 2000) });
      }
      const alone = await serviceTimes(server.address, users[0]!);
      const memory: number[] = [];
      report(`load: ${userCount} users for ${seconds} s`);
      const usual = await load({
        address: server.address,
        users,
        seconds,
        callsPerSecond: userCount,
        seed: 1,
        onSecond: () => void memory.push(processMemory(server.pid).resident / mebibyte),
      });
      const minute = (from: number) => memory.slice(from * 60, (from + 1) * 60);
      const last = memory.slice(-60);
      report(`load: ten times the calls for ${overloadSeconds} s`);
      const flood = await load({
        address: server.address,
        users: Array.from({ length: 10 }, () => users).flat(),
        seconds: overloadSeconds,
        callsPerSecond: 10 * userCount,
        seed: 2,
      });
      const recovery = await timeToServe(server.address, emails[0]!, sets[0]!.id);
      const plots = usual.answered['gene plot'];
      const foretold = simulateLoad({
        // Shares as the users of the load have them.
        kinds: [
          { name: 'gene plot', share: 0.56, service: alone.plotAgain },
          { name: 'gene plot', share: 0.14, service: alone.plot },
          { name: 'filter', share: 0.2, service: alone.filter },
          { name: 'markers', share: 0.05, service: alone.markers },
          { name: 'search', share: 0.05, service: alone.search },
        ],
        callsPerSecond: userCount,
        seconds,
        cores: availableParallelism(),
        seed: 3,
      });
      const wrong = [...usual.statuses].filter(([status]) => status !== 200);
      const unclean = [...flood.statuses].filter(([status]) => ![200, 429, 503].includes(status));
      const count = (statuses: ReadonlyMap<number, number>) =>
        [...statuses].map(([status, calls]) => `${status}: ${calls}`).join(', ');
      const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
      return {
        results: [
          {
            quantity: `gene plots of ${userCount} users, 95th percentile`,
            unit: 'ms',
            ours: [quantile(plots, 0.95)],
            target: { kind: 'each-at-most', limit: 1000 },
          },
          {
            quantity: 'the same, foretold from calls made alone',
            unit: 'ms',
            ours: [quantile(foretold.latencies.get('gene plot')!, 0.95)],
          },
          { quantity: 'alone: a gene drawn for the first time', unit: 'ms', ours: alone.plot },
          { quantity: 'alone: a gene drawn before', unit: 'ms', ours: alone.plotAgain },
          { quantity: 'alone: cells chosen', unit: 'ms', ours: alone.filter },
          { quantity: 'alone: markers tested before', unit: 'ms', ours: alone.markers },
          { quantity: 'alone: a dataset opened', unit: 'ms', ours: alone.search },
          { quantity: 'gene plots, median', unit: 'ms', ours: [quantile(plots, 0.5)] },
          { quantity: 'filters, 95th percentile', unit: 'ms', ours: [quantile(usual.answered.filter, 0.95)] },
          {
            quantity: 'marker tests, 95th percentile',
            unit: 'ms',
            ours: [quantile(usual.answered.markers, 0.95)],
          },
          { quantity: 'memory in the second minute', unit: 'MiB', ours: [mean(minute(1))] },
          {
            quantity: 'memory in the last minute',
            unit: 'MiB',
            ours: [mean(last)],
            target: { kind: 'each-at-most', limit: 1.05 * mean(minute(1)) },
          },
          {
            quantity: 'after the flood: time until a gene is drawn',
            unit: 's',
            ours: [recovery / 1000],
            target: { kind: 'each-at-most', limit: 5 },
          },
        ],
        notes: [
          `foretold: a queue before ${availableParallelism()} cores, which would work ${Math.round(100 * foretold.utilisation)} % of the time`,
          `datasets of ${sets.map(({ size: { cells, genes } }) => `${cells} × ${genes}`).join(', ')}; calls and server on the same cores`,
          `usual load: ${count(usual.statuses)}; ${wrong.length === 0 ? 'no error' : 'ERRORS'}; ${usual.broken} broken connections`,
          `flood: ${count(flood.statuses)}; ${unclean.length === 0 ? 'nothing but answers and refusals' : 'UNCLEAN'}; ${flood.broken} broken connections`,
        ],
      };
    } finally {
      await server.stop();
      await rm(own, { recursive: true, force: true });
    }
  },
};

/** Accounts made beside the server, which takes no more than thirty sign-ups of one address in five minutes. */
async function makeUsers(dataDir: string): Promise<string[]> {
  const database = await openDatabase({ dataDir });
  try {
    await migrate(database, paths.migrations);
    const emails = Array.from({ length: userCount }, (_, i) => `user-${i}@example.org`);
    for (const email of emails) {
      await createUser(database, { email, password, confirmed: true });
      await setPlan(database, email, 'Standard');
    }
    return emails;
  } finally {
    await database.close();
  }
}

/** How long each kind of call takes when it is the only one, in milliseconds. */
async function serviceTimes(address: string, { headers, genes, dataset }: LoadUser) {
  const client = new ExplorerClient(address, headers);
  const time = async (count: number, call: (i: number) => Promise<unknown>): Promise<number[]> => {
    const times: number[] = [];
    for (let i = 0; i < count; i++) {
      const started = performance.now();
      await call(i);
      times.push(performance.now() - started);
    }
    return times;
  };
  // From the far end, where no gene is popular.
  const draw = (i: number) => client.drawGene(genes.at(-1 - i)!);
  const markers = { groupby: 'cell_type', n_genes: 10, pvals_adj: 0.05, logfoldchanges: 0.25 };
  await client.drawGene(genes[0]!);
  await client.call('perform-marker-analysis', markers);
  return {
    plot: await time(30, draw),
    plotAgain: await time(30, draw),
    markers: await time(10, () => client.call('perform-marker-analysis', markers)),
    search: await time(10, () => client.openDataset(dataset)),
    // Last: the cells stay chosen.
    filter: await time(10, (i) =>
      client.call('filter-active-dataset', {
        subset_group_name: 'bench',
        gene_filter: true,
        gene: { name: genes.at(-100 - i)!, presence: 'positive' },
      }),
    ),
  };
}

/** Milliseconds until a user who begins now has a gene on the screen. */
async function timeToServe(address: string, email: string, dataset: string): Promise<number> {
  const started = performance.now();
  for (;;) {
    try {
      const client = await ExplorerClient.signIn(address, { email, password, tab: 'after' });
      await client.openDataset(dataset);
      await client.call('filter-active-dataset', { subset_group_name: 'Default' });
      return performance.now() - started;
    } catch {
      if (performance.now() - started > 60_000) return Number.POSITIVE_INFINITY;
      await sleep(100);
    }
  }
}
