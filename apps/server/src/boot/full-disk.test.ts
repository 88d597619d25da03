import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PublicConfig } from '@cellfolio/contract';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { quickSettings } from '../testing/running-server.ts';
import { writeTinyDataset } from '../testing/tiny-dataset.ts';
import { takeReserve } from './disk-reserve.ts';
import type { RunningServer } from './open-process.ts';
import type { Settings } from './settings/read-settings.ts';
import { startServer } from './start-server.ts';

const parent = mkdtempSync(join(tmpdir(), 'cellfolio-full-'));
const folder = join(parent, 'data');
mkdirSync(folder);
const megabytes = 320;

function mounted(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('SKIPPED: no file system can be mounted here, so no disk is filled.');
    return false;
  }
}

const canFill = mounted();
let server: RunningServer;
let settings: Settings;
let key = '';
let apiKey = '';
beforeAll(async () => {
  if (!canFill) return;
  await copyTestDatabase(folder);
  settings = quickSettings({ DATA_DIR: folder, DEMO: 'true' });
  await writeTinyDataset(settings.objectRoot, 'tiny.h5ad');
  server = await startServer(settings);
  ({ publishableKey: key, apiKey } = (await (
    await fetch(`${server.siteUrl}/config.json`)
  ).json()) as PublicConfig);
});
afterAll(async () => {
  await server?.close();
  if (canFill) execFileSync('umount', ['-l', folder]);
  rmSync(parent, { recursive: true, force: true });
});

const ballast = join(folder, 'ballast');

function fill(): void {
  const file = openSync(ballast, 'a');
  for (const bytes of [1 << 20, 4096, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(file);
}

interface Answer {
  status: number;
  code: unknown;
  text: string;
}

async function call(path: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(server.siteUrl + path, init);
  const text = await answer.text();
  let code: unknown;
  try {
    ({ code } = JSON.parse(text) as { code?: unknown });
  } catch {
    // A response that is not JSON has no code.
  }
  return { status: answer.status, code, text };
}

async function signIn(): Promise<{ access_token: string; user: { id: string } }> {
  const { email, password } = server.demoAccounts.find(({ tier }) => tier === 'professional')!;
  const answer = await call('/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  expect(answer.status, answer.text).toBe(200);
  return JSON.parse(answer.text) as { access_token: string; user: { id: string } };
}

const upload = (token: string, userId: string, name: string) =>
  call(`/storage/v1/object/user-files/${userId}/${name}.tsv`, {
    method: 'POST',
    headers: {
      apikey: key,
      authorization: `Bearer ${token}`,
      'content-type': 'text/tab-separated-values',
    },
    body: 'x'.repeat(100_000),
  });

afterEach(() => rmSync(ballast, { force: true }));

test.runIf(canFill)(
  'a full disk is reported without internal details, and nothing is lost when there is space again',
  async () => {
    const { access_token: token, user } = await signIn();
    const headers = { apikey: key, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const file = (name: string) => upload(token, user.id, name);
    const image = (title: string) =>
      call('/rest/v1/generated_images', {
        method: 'POST',
        headers,
        body: JSON.stringify({
          user_id: user.id,
          title,
          image_type: 'gene',
          // It cannot be compressed.
          image_data: Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64'),
        }),
      });
    expect(await image('before')).toMatchObject({ status: 201 });
    expect(await call('/readyz')).toMatchObject({ status: 200 });

    fill();
    expect(statfsSync(folder).bavail).toBe(0);
    const accepted: string[] = [];
    const answers: Answer[] = [];
    for (let n = 0; n < 1000 && answers.length < 5; n++) {
      const answer = await image(`full ${n}`);
      if (answer.status === 201) accepted.push(`full ${n}`);
      else answers.push(answer);
      // Space that the engine frees, such as of its log, is filled too.
      fill();
    }
    for (const answer of answers) expect(answer).toMatchObject({ status: 507, code: '53100' });
    expect(await file('full')).toMatchObject({ status: 507, code: 'DiskFull' });
    const ready = await call('/readyz');
    expect(ready).toMatchObject({ status: 503, code: 'not_ready' });
    expect(ready.text).toContain('its disk is full');
    expect(await call('/healthz')).toMatchObject({ status: 200 });
    const signingUp = await call('/auth/v1/signup', {
      method: 'POST',
      headers: { apikey: key, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'full@example.org', password: 'correct horse battery' }),
    });
    for (const { text } of [...answers, ready, signingUp]) {
      expect(text).not.toMatch(/ENOSPC|could not|base\/|pg_wal|No space|\/|Error|PANIC/);
    }

    rmSync(ballast);
    await expect.poll(() => call('/readyz')).toMatchObject({ status: 200 });
    expect(await image('after')).toMatchObject({ status: 201 });
    expect(await file('after')).toMatchObject({ status: 200 });
    const { text } = await call('/rest/v1/generated_images?select=title&order=created_at.desc', { headers });
    const titles = (JSON.parse(text) as { title: string }[]).map(({ title }) => title);
    // The newest thirty of a library are kept.
    expect(titles).toEqual(expect.arrayContaining(['after', ...accepted.slice(-10)]));
  },
  180_000,
);

test.runIf(canFill)(
  'a start on a full disk answers reads, saves nothing and says what to do, until there is space again',
  async () => {
    await takeReserve(folder);
    // As often as it happens: a start leaves something for the next.
    for (const again of [1, 2, 3]) {
      await server.close();
      fill();
      expect(statfsSync(folder).bavail).toBe(0);
      server = await startServer(settings);
      const { access_token: token, user } = await signIn();
      const tab = {
        headers: { 'x-api-key': apiKey, authorization: `Bearer ${token}`, 'x-session-id': `tab-${again}` },
      };
      expect(await call('/api/dataset_metadata', tab)).toMatchObject({ status: 200 });
      expect(await call('/api/dataset_analysis/tiny.h5ad', tab)).toMatchObject({ status: 200 });
      const figure = await call('/api/plot-umap-with-genes', {
        method: 'POST',
        headers: { ...tab.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ genes: ['CD79A'] }),
      });
      expect(figure, figure.text.slice(0, 200)).toMatchObject({ status: 200 });
      const ready = await call('/readyz');
      expect(ready).toMatchObject({ status: 503, code: 'not_ready' });
      expect(ready.text).toContain('its disk is full');
      expect(await upload(token, user.id, `full-${again}`)).toMatchObject({ status: 507, code: 'DiskFull' });
    }
    rmSync(ballast);
    await expect.poll(() => call('/readyz')).toMatchObject({ status: 200 });
    const { access_token: token, user } = await signIn();
    expect(await upload(token, user.id, 'space')).toMatchObject({ status: 200 });
  },
  180_000,
);

test.runIf(canFill)(
  'a start for which nothing is reserved says where space is needed',
  async () => {
    await server.close();
    rmSync(join(folder, 'disk-reserve'), { force: true });
    fill();
    await expect(startServer(settings)).rejects.toThrow(
      new RegExp(`The disk of ${folder} is full\\. Free about 134\\.22 MB there`),
    );
    rmSync(ballast);
    server = await startServer(settings);
    expect(await call('/readyz')).toMatchObject({ status: 200 });
  },
  180_000,
);
