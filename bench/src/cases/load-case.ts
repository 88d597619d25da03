import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchCase } from '../bench-context.ts';
import { mebibyte, processMemory } from '../measure/child.ts';
import { quantile } from '../measure/result.ts';
import { load, signIn, startLoadedServer } from '../server/load-users.ts';
const userCount = 100;
/** Duration of the load; the first minute, in which caches and heap grow, is not counted. */
const seconds = 300;
const overloadSeconds = 30;

export const loadCase: BenchCase = {
  name: 'load',
  title: 'a hundred users at once, and ten times as many calls',
  async run(context) {
    const { report } = context;
    const server = await startLoadedServer(context, { name: 'load', users: userCount });
    try {
      const { users, emails, datasets } = server;
      const memory: number[] = [];
      report(`load: ${userCount} users for ${seconds} s`);
      const normal = await load({
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
      const overload = await load({
        address: server.address,
        users: Array.from({ length: 10 }, () => users).flat(),
        seconds: overloadSeconds,
        callsPerSecond: 10 * userCount,
        seed: 2,
      });
      const recovery = await timeToServe(server.address, emails[0]!, datasets[0]!.id);
      const plots = normal.answered['gene plot'];
      const wrong = [...normal.statuses].filter(([status]) => status !== 200);
      const unexpected = [...overload.statuses].filter(([status]) => ![200, 429, 503].includes(status));
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
          {
            quantity: 'filters, 95th percentile',
            unit: 'ms',
            ours: [quantile(normal.answered.filter, 0.95)],
          },
          {
            quantity: 'marker tests, 95th percentile',
            unit: 'ms',
            ours: [quantile(normal.answered.markers, 0.95)],
          },
          { quantity: 'memory in the second minute', unit: 'MiB', ours: [mean(minute(1))] },
          {
            quantity: 'memory in the last minute',
            unit: 'MiB',
            ours: [mean(last)],
            target: { kind: 'each-at-most', limit: 1.05 * mean(minute(1)) },
          },
          {
            quantity: 'after the overload: time until a gene is drawn',
            unit: 's',
            ours: [recovery / 1000],
            target: { kind: 'each-at-most', limit: 5 },
          },
        ],
        notes: [
          `datasets of ${datasets.map(({ size: { cells, genes } }) => `${cells} × ${genes}`).join(', ')}; calls and server on the same cores`,
          `normal load: ${count(normal.statuses)}; ${wrong.length === 0 ? 'no error' : 'ERRORS'}; ${normal.broken} broken connections`,
          `overload: ${count(overload.statuses)}; ${unexpected.length === 0 ? 'only 200, 429 and 503' : 'UNEXPECTED STATUS'}; ${overload.broken} broken connections`,
        ],
      };
    } finally {
      await server.remove();
    }
  },
};

async function timeToServe(address: string, email: string, dataset: string): Promise<number> {
  const started = performance.now();
  for (;;) {
    try {
      const client = await signIn(address, email, 'after');
      await client.openDataset(dataset);
      await client.call('filter-active-dataset', { subset_group_name: 'Default' });
      return performance.now() - started;
    } catch {
      if (performance.now() - started > 60_000) return Number.POSITIVE_INFINITY;
      await sleep(100);
    }
  }
}
