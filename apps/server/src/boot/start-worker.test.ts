import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { prepareOwners } from '../testing/own-files.ts';
import { readSettings } from './settings/read-settings.ts';
import { startServer } from './start-server.ts';

test('a worker serves probes on its port, and metrics with probes on the metrics port', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cellfolio-worker-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await copyTestDatabase(dataDir);
  // An empty file, so that its inspection fails.
  await prepareOwners(dataDir, async ({ addUser, addFile }) => {
    await addFile(await addUser('ada', 'Professional'), 'gone.h5ad');
  });
  const settings = readSettings({
    PORT: '0',
    METRICS_PORT: '0',
    DATA_DIR: dataDir,
    DEMO: 'false',
    LOG_LEVEL: 'silent',
  });
  const worker = await startServer({ ...settings, role: 'worker' });
  onTestFinished(() => worker.close());
  for (const base of [worker.siteUrl, worker.metricsUrl]) {
    expect(await (await fetch(new URL('/healthz', base))).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(new URL('/readyz', base))).json()).toEqual({ status: 'ready' });
  }
  expect((await fetch(new URL('/metrics', worker.siteUrl))).status).toBe(404);
  const failed = /^cellfolio_job_run_duration_seconds_count\{kind="inspect",outcome="failed"\} 1$/m;
  const text = await vi.waitFor(
    async () => {
      const metrics = await (await fetch(worker.metricsUrl!)).text();
      expect(metrics).toMatch(failed);
      return metrics;
    },
    { timeout: 150_000, interval: 200 },
  );
  for (const kind of ['inspect', 'convert', 'build']) {
    for (const state of ['queued', 'running']) {
      expect(text).toContain(`cellfolio_jobs{kind="${kind}",state="${state}"} 0`);
      expect(text).toContain(`cellfolio_job_oldest_seconds{kind="${kind}",state="${state}"} 0`);
    }
  }
  // It has no metrics of what only serving processes do.
  expect(text).not.toContain('cellfolio_calls_running');
}, 240_000);
