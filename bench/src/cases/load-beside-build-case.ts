import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchCase } from '../bench-context.ts';
import { simulatedCountsFile } from '../data/simulated-counts.ts';
import { quantile, type Result } from '../measure/result.ts';
import { accountPassword, load, type LoadReport, startLoadedServer } from '../server/load-users.ts';

const userCount = 30;
const seconds = 60;
const built = { cells: 30_000, genes: 20_000 };

export const loadBesideBuildCase: BenchCase = {
  name: 'load-beside-build',
  title: `${userCount} users for ${seconds} s, without and with a build of ${built.cells} cells beside them`,
  async run(context) {
    const { report } = context;
    const input = await simulatedCountsFile(join(context.scratch, 'files'), built);
    const server = await startLoadedServer(context, {
      name: 'load-beside-build',
      users: userCount,
      plan: 'Professional',
    });
    try {
      const { users, emails, address } = server;
      const calls = (seed: number) => load({ address, users, seconds, callsPerSecond: userCount, seed });
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
      const statuses = (one: LoadReport) =>
        [...one.statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
      return {
        results,
        notes: [
          `without: ${statuses(alone)}; beside: ${statuses(beside)}; broken ${alone.broken + beside.broken}`,
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
