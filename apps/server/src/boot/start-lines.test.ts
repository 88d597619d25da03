import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  copyTestDatabase,
  postgresPrograms,
  type PrivatePostgres,
  startPrivatePostgres,
} from '@cellfolio/platform/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));
const programs = postgresPrograms();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-start-lines-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Line {
  level: number;
  msg: string;
  setting?: string;
}

/**
 * Exit code and output of a process, each line parsed as JSON. The process is stopped once it is ready and `meanwhile`
 * has ended.
 */
async function linesOf(
  environment: Record<string, string>,
  meanwhile: (url: string, output: () => string) => Promise<unknown> = async () => {},
): Promise<{ code: unknown; lines: Line[] }> {
  const { PATH = '', HOME = '' } = process.env;
  // The compiled program is cached in the folder from the first start on, or where all tests have it.
  const { NODE_COMPILE_CACHE = join(folder, 'compiled') } = process.env;
  const child = spawn(process.execPath, [program], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, DATA_DIR: folder, PORT: '0', DEMO: 'false', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  let ready = false;
  let work: Promise<unknown> | undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.out += text;
    const url = /Cellfolio is ready at (http[^"]+)/.exec(output.out)?.[1];
    if (url === undefined || ready) return;
    ready = true;
    work = meanwhile(url, () => output.out).finally(() => child.kill('SIGTERM'));
    work.catch(() => {});
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.err += text));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  await work;
  const lines = `${output.out}${output.err}`.trimEnd().split('\n');
  return { code: code ?? signal, lines: lines.map((line) => JSON.parse(line) as Line) };
}

const duringLoad = (code: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`setTimeout(()=>{${code}},1)`)}`,
});

test('all that a server prints is lines of JSON, also what Node warns of', { timeout: 120_000 }, async () => {
  await copyTestDatabase(folder);
  const warning = 'process.emitWarning("soon gone","ExperimentalWarning")';
  const { code, lines } = await linesOf(duringLoad(warning));
  expect(code).toBe(0);
  const messages = lines.map(({ msg }) => msg);
  expect(messages).toEqual(
    expect.arrayContaining(['Opening the database…', 'Starting the server…', 'ready']),
  );
  expect(lines).toContainEqual(expect.objectContaining({ level: 40, msg: 'ExperimentalWarning: soon gone' }));
});

test.each([
  ['an invalid setting', { METRICS_PORT: 'many' }, 'METRICS_PORT', /^METRICS_PORT: /],
  [
    'a database that is not there',
    { DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/cells' },
    'DATABASE_URL',
    /^DATABASE_URL: the database cannot be opened: connect ECONNREFUSED 127\.0\.0\.1:1$/,
  ],
  ['a data folder that cannot be made', { DATA_DIR: '{file}/data' }, 'DATA_DIR', /^DATA_DIR: ENOTDIR/],
])(
  '%s ends the start with one line of JSON that names the setting',
  async (_case, variables, setting, message) => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const environment = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, value.replace('{file}', file)]),
    );
    const { code, lines } = await linesOf({ LOG_LEVEL: 'warn', ...environment });
    expect(code).toBe(1);
    const [line, ...more] = lines;
    expect(more).toEqual([]);
    expect(line).toMatchObject({ level: 60, setting, msg: expect.stringMatching(message) });
    expect(JSON.stringify(line)).not.toMatch(/secret|stack/);
  },
);

test('an error that nothing catches is a line of JSON, and ends the process', async () => {
  const { code, lines } = await linesOf(duringLoad('throw new Error("lost")'));
  expect(code).toBe(1);
  expect(lines.at(-1)).toMatchObject({
    level: 60,
    msg: 'Error: lost',
    err: { stack: expect.stringContaining('lost') },
  });
});

if (!programs) console.warn('SKIPPED: no PostgreSQL server programs here, so no worker was started.');
describe.skipIf(!programs)('with PostgreSQL', () => {
  let postgres: PrivatePostgres;
  beforeAll(async () => {
    postgres = await startPrivatePostgres(programs!);
  });
  afterAll(() => postgres?.stop());

  test('all that a worker prints is lines of JSON', { timeout: 120_000 }, async () => {
    const { code, lines } = await linesOf({ DATABASE_URL: postgres.url, ROLE: 'worker' });
    expect(code).toBe(0);
    expect(lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['Starting the worker…', 'ready']));
  });

  test(
    'an outage of the database is two lines, and each call is refused by name',
    { timeout: 120_000 },
    async () => {
      const refused: unknown[] = [];
      const { code, lines } = await linesOf({ DATABASE_URL: postgres.url }, async (url, output) => {
        const { publishableKey } = (await (await fetch(`${url}/config.json`)).json()) as {
          publishableKey: string;
        };
        const headers = { apikey: publishableKey, 'content-type': 'application/json' };
        const signIn = {
          method: 'POST',
          body: JSON.stringify({ email: 'ada@example.org', password: 'guess' }),
        };
        const key = `cfp_${'a'.repeat(43)}`;
        const calls = [
          () => fetch(`${url}/rest/v1/user_files?select=id`, { headers }),
          () => fetch(`${url}/auth/v1/token?grant_type=password`, { headers, ...signIn }),
          () => fetch(`${url}/api/own-files`, { headers: { 'x-api-key': key } }),
        ];
        await Promise.all(calls.map((call) => call()));
        const away = postgres.restart('fast', 5000);
        while (!output().includes('calls are refused')) {
          await Promise.all(calls.map((call) => call()));
          await pause(50);
        }
        for (const call of [...calls, ...calls]) {
          const answer = await call();
          refused.push([answer.status, await answer.json()]);
        }
        await away;
        while (!output().includes('available again')) await pause(50);
        expect((await calls[0]!()).status).not.toBe(503);
      });
      expect(code).toBe(0);
      const sixTimes = [
        [503, expect.objectContaining({ message: 'The database cannot be reached right now' })],
        [503, expect.objectContaining({ error_code: 'unexpected_failure' })],
        [503, expect.objectContaining({ code: 'unavailable' })],
      ];
      expect(refused).toEqual([...sixTimes, ...sixTimes]);
      const ofOutage = lines.filter(({ level }) => level >= 40);
      expect(ofOutage).toEqual([
        expect.objectContaining({
          level: 50,
          msg: 'the database is unavailable: calls are refused until it is back',
          cause: expect.any(String),
        }),
        expect.objectContaining({
          level: 40,
          msg: 'the database is available again',
          seconds: expect.any(Number),
          callsRefused: expect.any(Number),
        }),
      ]);
      const { seconds, callsRefused } = ofOutage[1] as unknown as { seconds: number; callsRefused: number };
      expect(seconds).toBeGreaterThan(4);
      expect(callsRefused).toBeGreaterThanOrEqual(refused.length);
    },
  );

  test('a port that is taken is named with its setting', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const settings = {
      DATABASE_URL: postgres.url,
      ROLE: 'worker',
      METRICS_PORT: String(port),
      LOG_LEVEL: 'fatal',
    };
    const { code, lines } = await linesOf(settings);
    listener.close();
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.objectContaining({
        setting: 'METRICS_PORT',
        msg: expect.stringMatching(/^METRICS_PORT: listen EADDRINUSE.* choose another METRICS_PORT\.$/),
      }),
    ]);
  });
});
