import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { migrate, openDatabase } from '@cellfolio/platform';
import { openObjectStore } from '@cellfolio/store';
import fastify from 'fastify';
import { pino } from 'pino';
import { logSettings } from '../observability/log-settings.ts';
import type { Settings } from './environment.ts';
import { openFiles } from './open-files.ts';
import { openJobs } from './open-jobs.ts';
import { paths } from './paths.ts';
import { Readiness } from './readiness.ts';
import type { RunningServer } from './start-server.ts';

/** A process that does jobs and serves nobody; at `/healthz` it says that it lives. */
export async function startWorker(
  settings: Settings,
  onStage: (stage: string) => void = () => {},
): Promise<RunningServer> {
  await mkdir(settings.dataDir, { recursive: true });
  onStage('Opening the database');
  const database = await openDatabase({
    dataDir: settings.dataDir,
    ...(settings.databaseUrl && { url: settings.databaseUrl }),
  });
  const blobs = openFiles(settings);
  const objects = await openObjectStore(settings.objects);
  const app = fastify({ logger: logSettings(settings.logLevel) });
  const release = async () => {
    await blobs.close();
    await objects.close();
    await database.close();
  };
  try {
    await migrate(database, paths.migrations);
    const jobs = openJobs(settings, {
      database,
      blobs,
      objects,
      log: pino({ level: settings.logLevel }),
      // Those who serve datasets find out by their version, or when the file is gone.
      onDatasetChanged: async () => {},
    });
    app.get('/healthz', { logLevel: 'warn' }, async (request, reply) => {
      try {
        await database.pool.query('select 1');
        return { status: 'ok' };
      } catch (error) {
        request.log.error({ err: error }, 'not healthy');
        return reply.status(503).send({ code: 'unavailable', message: 'The database does not answer.' });
      }
    });
    const readiness = new Readiness(database, objects);
    app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
      const missing = await readiness.missing();
      if (missing === undefined) return { status: 'ready' };
      return reply.status(503).send({ code: 'not_ready', message: missing });
    });
    onStage('Starting the worker');
    await app.listen({ port: settings.port, host: settings.host });
    jobs.start();
    const { port } = app.server.address() as AddressInfo;
    const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
    return {
      siteUrl: `http://${host}:${port}`,
      demoAccounts: [],
      close: async () => {
        readiness.stop();
        await Promise.all([app.close(), jobs.close()]);
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}
