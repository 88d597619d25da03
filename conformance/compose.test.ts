import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase, provisionKeys } from '@cellfolio/platform';
import { postgresPrograms, startPrivatePostgres } from '@cellfolio/platform/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startObjects } from './cluster.ts';
import { scratchFolder } from './databases.ts';
import { freePort } from './platform-server.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(project, 'deploy', path), 'utf8');
const { services } = parse(read('compose/compose.yaml'), { merge: true }) as {
  services: Record<string, { environment?: Record<string, string>; command?: string[] }>;
};
const [, command] = /^CMD (\[.*\])$/m.exec(read('docker/Dockerfile'))!;
const programs = postgresPrograms();
if (!programs)
  console.warn('SKIPPED: no PostgreSQL server programs here, so compose.yaml and the chart are not started.');

/**
 * Settings of the pods of a role of the chart: those of its template, and of the secret created as in docs/operate.md.
 */
function environmentOfChart(role: string): Record<string, string> {
  const values = parse(read('helm/cellfolio/values.yaml')) as Record<string, unknown>;
  const valueAt = (path: string) =>
    path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], values);
  const [, own] = /^ +env:\n([^]*?)\{\{- range/m.exec(read('helm/cellfolio/templates/deployments.yaml'))!;
  const fixed = [...own!.matchAll(/- name: (\w+)\n +value: (.*)/g)].map(([, name, value]) => {
    const action = /^\{\{ (?:join "," )?\$(?:\.Values\.)?([\w.]+).*\}\}$/.exec(value!)?.[1];
    const filled = action === undefined ? value! : action === 'role' ? role : String(valueAt(action));
    return [name!, name === 'TRUST_PROXY' ? '10.244.0.0/16' : filled] as const;
  });
  const secret = [...read('../docs/operate.md').matchAll(/--from-literal=(\w+)='(\S+)'/g)];
  expect(secret.map(([, name]) => name)).toEqual(['DATABASE_URL', 'OBJECT_STORE_URL']);
  return Object.fromEntries([
    ...fixed,
    ...Object.entries(valueAt('settings') as Record<string, string>),
    ...secret.map(([, name, value]) => [name!, value!.replace('KEY:SECRET', 'S3RVER:S3RVER')] as const),
  ]);
}

describe.skipIf(!programs)(
  'the processes of the deploy files, with their settings',
  { timeout: 120_000 },
  () => {
    const variables: Record<string, string> = {
      POSTGRES_PASSWORD: 'secret',
      S3_KEY: 'S3RVER',
      S3_SECRET: 'S3RVER',
      SITE_URL: 'https://cells.example.org',
    };
    const filled = (text: string) =>
      text.replace(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_all, name: string) => variables[name] ?? '');
    const [, bucket] = /s3\.bucket\.create -name (\S+?)'/.exec(services['bucket']!.command!.join(' '))!;

    let folder: string;
    let postgres: Awaited<ReturnType<typeof startPrivatePostgres>>;
    const children: ChildProcess[] = [];
    const stores: Awaited<ReturnType<typeof startObjects>>[] = [];

    beforeAll(async () => {
      folder = await scratchFolder();
      postgres = await startPrivatePostgres(programs!, { bare: true });
      const database = await openDatabase({ url: postgres.url, dataDir: '/nowhere' });
      const { POSTGRES_DB: name } = services['postgres']!.environment!;
      await database.pool.query(`create database ${name}`);
      await database.close();
    });
    afterEach(async () => {
      for (const child of children.splice(0)) {
        if (child.exitCode === null && child.signalCode === null) {
          child.kill('SIGKILL');
          await once(child, 'exit');
        }
      }
      for (const store of stores.splice(0)) await store.stop();
    });
    afterAll(async () => {
      await postgres?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    const environments: Record<string, (role: string) => Record<string, string>> = {
      'compose.yaml': (role) => services[role]!.environment!,
      'the chart': environmentOfChart,
    };

    function environmentOf(role: string, endpoint: string, file: string): Record<string, string> {
      const socket = new URL(postgres.url).searchParams.get('host')!;
      const { host, hostname } = new URL(endpoint);
      const entries = Object.entries(environments[file]!(role)).map(([name, value]) => {
        const local = filled(value)
          .replace(/@postgres(?:\.data)?:5432\/(\w+)$/, `@localhost/$1?host=${encodeURIComponent(socket)}`)
          .replace(/@s3(?:\.data)?\//, `@${hostname}/`)
          .replace(/\/\/s3(?:\.data)?:8333/, `//${host}`);
        return [name, local] as const;
      });
      return Object.fromEntries(entries);
    }

    async function start(role: string, endpoint: string, file: string): Promise<string> {
      const port = await freePort();
      const child = spawn(process.execPath, JSON.parse(command!) as string[], {
        cwd: project,
        env: {
          PATH: process.env.PATH,
          ...environmentOf(role, endpoint, file),
          HOST: '127.0.0.1',
          PORT: String(port),
          METRICS_HOST: '127.0.0.1',
          METRICS_PORT: '0',
          DATA_DIR: join(folder, `${role}-${port}`),
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      children.push(child);
      const url = `http://127.0.0.1:${port}`;
      while (child.exitCode === null && !(await fetch(`${url}/healthz`).catch(() => undefined))?.ok)
        await pause(100);
      expect(child.exitCode).toBeNull();
      return url;
    }

    test.each(Object.keys(environments))(
      'of %s are ready, and a file that is uploaded comes back',
      async (file) => {
        const store = await startObjects(join(folder, file), bucket);
        stores.push(store);
        const api = await start('api', store.endpoint, file);
        const worker = await start('worker', store.endpoint, file);
        for (const url of [api, worker]) expect((await fetch(`${url}/readyz`)).status, url).toBe(200);

        const database = await openDatabase({
          url: environmentOf('api', store.endpoint, file)['DATABASE_URL']!,
          dataDir: '/nowhere',
        });
        const { secretKey } = await provisionKeys(database);
        await database.close();
        const address = `${api}/storage/v1/object/user-files/anybody/1_cells.tsv`;
        await fetch(address, { method: 'DELETE', headers: { apikey: secretKey } });
        const headers = { apikey: secretKey };
        const stored = await fetch(address, { method: 'POST', headers, body: 'gene\tcell\n' });
        expect([stored.status, await stored.text()]).toEqual([200, expect.stringContaining('1_cells.tsv')]);
        expect(await (await fetch(address, { headers })).text()).toBe('gene\tcell\n');
      },
    );

    test('say that they are not ready where the bucket does not exist', async () => {
      const store = await startObjects(join(folder, 'other-s3'), 'other');
      stores.push(store);
      const answer = await fetch(`${await start('worker', store.endpoint, 'compose.yaml')}/readyz`);
      expect([answer.status, await answer.json()]).toEqual([
        503,
        { code: 'not_ready', message: 'The bucket of OBJECT_STORE_URL does not exist.' },
      ]);
    });
  },
);
