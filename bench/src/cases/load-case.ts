import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createUser, migrate, openDatabase, setPlan } from '@cellfolio/platform';
import { type BenchCase, sizeOf } from '../bench-context.ts';
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
      await symlink(join(root, 'datasets', id), join(own, 'objects', 'datasets', id));
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
