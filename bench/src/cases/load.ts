import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchCase } from '../bench-context.ts';
import { simulatedCountsFile } from '../data/simulated-counts.ts';
import { mebibyte, processMemory } from '../measure/child.ts';
import { mean, quantile, type Result } from '../measure/result.ts';
import { accountPassword, load, type LoadReport, signIn, startLoadedServer } from '../server/load-users.ts';

const countsOf = (statuses: ReadonlyMap<number, number>) =>
  [...statuses].map(([status, calls]) => `${status}: ${calls}`).join(', ');

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
          `normal load: ${countsOf(normal.statuses)}; ${wrong.length === 0 ? 'no error' : 'ERRORS'}; ${normal.broken} broken connections`,
          `overload: ${countsOf(overload.statuses)}; ${unexpected.length === 0 ? 'only 200, 429 and 503' : 'UNEXPECTED STATUS'}; ${overload.broken} broken connections`,
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

const [buildUsers, buildSeconds] = [30, 60];
const built = { cells: 30_000, genes: 20_000 };

export const loadBesideBuildCase: BenchCase = {
  name: 'load-beside-build',
  title: `${buildUsers} users for ${buildSeconds} s, without and with a build of ${built.cells} cells beside them`,
  async run(context) {
    const { report } = context;
    const input = await simulatedCountsFile(join(context.scratch, 'files'), built);
    const server = await startLoadedServer(context, {
      name: 'load-beside-build',
      users: buildUsers,
      plan: 'Professional',
    });
    try {
      const { users, emails, address } = server;
      const calls = (seed: number) =>
        load({ address, users, seconds: buildSeconds, callsPerSecond: buildUsers, seed });
      // Other calls each time, after as many that fill the caches with what is often asked for.
      await calls(1);
      const build = await uploadForBuild(address, emails[0]!, input);
      report('load-beside-build: without a build');
      const alone = await calls(2);
      report('load-beside-build: with a build');
      const stopped = new AbortController();
      const builds = build(stopped.signal);
      const beside = await calls(3);
      stopped.abort();
      const ended = await builds;
      const results: Result[] = [];
      for (const kind of ['gene plot', 'filter', 'markers'] as const) {
        for (const [part, name] of [
          [0.5, 'median'],
          [0.95, '95th percentile'],
        ] as const) {
          const each = ({ answered }: LoadReport) => quantile(answered[kind], part);
          results.push(
            { quantity: `${kind}, ${name}, without a build`, unit: 'ms', ours: [each(alone)] },
            { quantity: `${kind}, ${name}, beside one`, unit: 'ms', ours: [each(beside)] },
          );
        }
      }
      return {
        results,
        notes: [
          `without: ${countsOf(alone.statuses)}; beside: ${countsOf(beside.statuses)}; broken ${alone.broken + beside.broken}`,
          `${ended} builds ended within the minute; calls and server on the same cores`,
        ],
      };
    } finally {
      await server.remove();
    }
  },
};

/**
 * Uploads a file; returns a function that builds its dataset repeatedly until aborted, and counts the completed builds.
 */
async function uploadForBuild(
  address: string,
  email: string,
  path: string,
): Promise<(stopped: AbortSignal) => Promise<number>> {
  const keys = (await (await fetch(`${address}/config.json`)).json()) as Record<string, string>;
  let token = '';
  const call = async <T>(way: string, body: object | Blob, headers: object = {}): Promise<T> => {
    const isFile = body instanceof Blob;
    const answer = await fetch(`${address}${way}`, {
      method: 'POST',
      headers: {
        apikey: keys.publishableKey!,
        'x-api-key': keys.apiKey!,
        'content-type': isFile ? 'application/octet-stream' : 'application/json',
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: isFile ? body : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${way}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  interface Session {
    access_token: string;
    user: { id: string };
  }
  const session = await call<Session>('/auth/v1/token?grant_type=password', {
    email,
    password: accountPassword,
  });
  token = session.access_token;
  const filePath = `${session.user.id}/counts.h5ad`;
  await call(`/storage/v1/object/user-files/${filePath}`, await openAsBlob(path));
  const row = {
    user_id: session.user.id,
    file_name: 'counts.h5ad',
    original_filename: 'counts.h5ad',
    file_path: filePath,
  };
  const createdRows = await call<{ id: string }[]>('/rest/v1/user_files', row, {
    prefer: 'return=representation',
  });
  interface Own {
    jobs: { kind: string; state: string }[];
  }
  const own = async (): Promise<Own> => {
    const answer = await fetch(`${address}/api/own-files`, {
      headers: { 'x-api-key': keys.apiKey!, authorization: `Bearer ${token}` },
    });
    return (await answer.json()) as Own;
  };
  const isBusy = async (): Promise<boolean> =>
    (await own()).jobs.some(({ state }) => state === 'queued' || state === 'running');
  while (await isBusy()) await sleep(500);
  return async (stopped) => {
    let builds = 0;
    while (!stopped.aborted) {
      await call(`/api/files/${createdRows[0]!.id}/build`, {});
      while (!stopped.aborted && (await isBusy())) await sleep(500);
      if (!stopped.aborted) builds += 1;
    }
    const failed = (await own()).jobs.find(({ state }) => state === 'failed');
    if (failed) throw new Error(`a build failed: ${JSON.stringify(failed)}`);
    return builds;
  };
}
