import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '@cellfolio/platform';
import { grantProfessional, postgresPrograms } from '@cellfolio/platform/testing';
import { writeSimulatedBlood } from '@cellfolio/server/testing/simulated-h5ad';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, startCluster, trioOf } from './cluster.ts';
import { scratchFolder } from './databases.ts';

const programs = postgresPrograms();
if (!programs) console.warn('SKIPPED: the tests of several processes need PostgreSQL.');

const email = 'ada@example.org';
const password = 'correct horse';

describe.skipIf(!programs)(
  'two API processes and two workers with one database and one object store',
  { timeout: 180_000 },
  () => {
    let cluster: Cluster;
    let database: Awaited<ReturnType<typeof openDatabase>>;
    let config: { publishableKey: string; apiKey: string };
    let token: string;
    let userId: string;
    let files = 0;

    const call = async (path: string, init: RequestInit = {}, base = cluster.url): Promise<Response> => {
      for (let attempt = 1; ; attempt += 1) {
        const answer = await fetch(base + path, {
          ...init,
          headers: {
            apikey: config?.publishableKey,
            'x-api-key': config?.apiKey,
            'x-session-id': 'tab',
            ...(token && { authorization: `Bearer ${token}` }),
            ...(typeof init.body === 'string' && { 'content-type': 'application/json' }),
            ...(init.headers as Record<string, string>),
          },
        }).catch(() => undefined);
        if (answer && answer.status < 502) return answer;
        if (attempt === 20)
          throw new Error(`${path}: ${answer?.status ?? 'no answer'} after ${attempt} attempts`);
        await pause(100);
      }
    };
    const json = async <T>(path: string, body?: unknown, base?: string): Promise<T> => {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const answer = await call(path, init, base);
      const payload = (await answer.json()) as T;
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(payload)}`);
      return payload;
    };
    const until = async <T>(
      what: string,
      look: () => Promise<T | undefined | false>,
      everyMs = 1000,
    ): Promise<T> => {
      for (const end = Date.now() + 150_000; Date.now() < end; await pause(everyMs)) {
        const outcome = await look();
        if (outcome) return outcome;
      }
      const { rows } = await database.pool.query(
        'select kind, state, attempts, problem, log from cellfolio.jobs',
      );
      throw new Error(`Waited too long for ${what}: ${JSON.stringify(rows)}`);
    };
    const listRow = async (name: string, path: string): Promise<string> => {
      const row = { user_id: userId, file_name: name, original_filename: name, file_path: path };
      const answer = await call('/rest/v1/user_files', {
        method: 'POST',
        body: JSON.stringify(row),
        headers: { prefer: 'return=representation' },
      });
      expect(answer.status).toBe(201);
      return ((await answer.json()) as { id: string }[])[0]!.id;
    };
    interface Own {
      files: { file_id: string; report: object | null; dataset: { state: string } | null }[];
      jobs: { id: string; kind: string; state: string; attempts: number; result_file_id: string | null }[];
    }
    const own = () => json<Own>('/api/own-files');

    beforeAll(async () => {
      cluster = await startCluster();
      database = await openDatabase({ url: cluster.databaseUrl, dataDir: await scratchFolder() });
      config = await json('/config.json');
      const session = await json<{ access_token: string; user: { id: string } }>('/auth/v1/signup', {
        email,
        password,
      });
      await grantProfessional(database, email);
      token = session.access_token;
      userId = session.user.id;
    });
    afterAll(async () => {
      await database?.close();
      await cluster?.close();
    });

    let bloodId: string;
    test('an upload resumes at the other process when its process is killed', async () => {
      const path = `${userId}/${(files += 1)}_blood.h5ad`;
      const source = join(await scratchFolder(), 'blood.h5ad');
      await writeSimulatedBlood(source, 700);
      const bytes = await readFile(source);
      let killed: Promise<void> | undefined;
      await new Promise<void>((resolve, reject) => {
        new Upload(bytes, {
          endpoint: `${cluster.url}/storage/v1/upload/resumable`,
          chunkSize: 256 * 1024,
          retryDelays: [50, 100, 200, 400, 800, 1600, 3200],
          headers: { authorization: `Bearer ${token}`, apikey: config.publishableKey },
          metadata: { bucketName: 'user-files', objectName: path, contentType: 'application/octet-stream' },
          onChunkComplete: (_size, accepted) => {
            if (accepted > bytes.byteLength / 3) killed ??= cluster.apis[0].kill();
          },
          onError: reject,
          onSuccess: () => resolve(),
        }).start();
      });
      await killed;
      expect(cluster.apis.map(({ running }) => running)).toEqual([false, true]);
      await cluster.apis[0].start();
      const stored = await call(`/storage/v1/object/user-files/${path}`);
      expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
      bloodId = await listRow('blood.h5ad', path);
    });

    test('jobs of killed processes are done by others, once', async () => {
      const ids: string[] = [];
      for (const [name, text] of Object.entries(trioOf(120, 150))) {
        const path = `${userId}/${(files += 1)}_${name}`;
        const stored = await call(`/storage/v1/object/user-files/${path}`, {
          method: 'POST',
          body: new Blob([text]),
        });
        expect(stored.status).toBe(200);
        ids.push(await listRow(name, path));
      }
      const { job } = await json<{ job: { id: string } }>('/api/convert', { file_ids: ids });
      await until(
        'the conversion to begin',
        async () => (await own()).jobs.some(({ id, state }) => id === job.id && state !== 'queued'),
        250,
      );
      await cluster.workers[0].kill();
      await Promise.all(cluster.workers.map((one) => one.start()));
      const done = await until('the conversion', async () =>
        (await own()).jobs.find(({ id, state }) => id === job.id && state === 'done'),
      );
      const convertedId = done.result_file_id;
      // Files with raw counts wait for a review of the quality control.
      await until('the inspection of what was converted', async () =>
        (await own()).files.some(({ file_id, report }) => file_id === convertedId && report !== null),
      );
      await json(`/api/files/${convertedId}/build`, {});
      await until('both datasets', async () => {
        const all = (await own()).files;
        const failed = all.find(({ dataset }) => dataset?.state === 'failed');
        if (failed) throw new Error(JSON.stringify(failed));
        const ready = all.filter(({ dataset }) => dataset?.state === 'ready');
        return ready.length === 2 && ready.every((one) => [bloodId, convertedId].includes(one.file_id));
      });
      const { jobs } = await own();
      expect(jobs.map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual([
        'build done',
        'build done',
        'convert done',
        ...Array.from({ length: 5 }, () => 'inspect done'),
      ]);
      for (const { attempts } of jobs) expect(attempts).toBeLessThanOrEqual(2);
      const { rows } = await database.pool.query(
        `select (select count(*)::int from public.user_files) as rows, (select count(*)::int from storage.objects) as objects`,
      );
      expect(rows[0]).toEqual({ rows: files + 1, objects: files + 1 });
      // Two processes start, and wait for the lease of the one that was killed.
    }, 300_000);

    test('both processes give the same responses, whichever opened the dataset', async () => {
      await json(`/api/dataset_analysis/custom:${bloodId}`, undefined, cluster.apis[0].url);
      interface Plots {
        plots: { image: { value: string } }[];
      }
      const [one, other] = await Promise.all(
        cluster.apis.map(({ url }) =>
          json<Plots>('/api/plot-umap-with-genes', { genes: ['CD79A'], violin_plot: true }, url),
        ),
      );
      expect(one!.plots.length).toBeGreaterThan(0);
      expect(other).toEqual(one);
    });

    test('progress of a call can be watched at the other process', async () => {
      // Their headers come when they watch.
      const watching = await Promise.all(
        cluster.apis.map(({ url }) => call('/api/progress/watched', {}, url)),
      );
      await call(
        '/api/perform-marker-analysis',
        {
          method: 'POST',
          body: JSON.stringify({ groupby: 'cell_type', n_genes: 6, pvals_adj: 0.05, logfoldchanges: 0.3 }),
          headers: { 'x-request-id': 'watched' },
        },
        cluster.apis[0].url,
      );
      for (const answer of watching) expect(await answer.text()).toMatch(/^data: \{"stage":/m);
    });

    test('plots and marker tests continue while a process is killed', async () => {
      const genes = ['CD79A', 'CST3', 'CD8B', 'GZMK', 'FCER1A', 'NKG7', 'LYZ', 'CD3D'];
      const plots = genes.map((gene) =>
        json('/api/plot-umap-with-genes', { genes: [gene], violin_plot: false }),
      );
      const markers = json<{ analysis_csv?: string }>('/api/perform-marker-analysis', {
        groupby: 'cell_type',
        n_genes: 5,
        pvals_adj: 0.05,
        logfoldchanges: 0.25,
      });
      await cluster.apis[1].kill();
      await Promise.all(plots);
      expect(JSON.stringify(await markers)).toContain('CD19');
    });

    test('no jobs or uploads are left unfinished', async () => {
      const { rows } = await database.pool.query(
        `select count(*)::int as count from cellfolio.jobs where state in ('queued', 'running')`,
      );
      expect(rows[0].count).toBe(0);
    });
  },
);
