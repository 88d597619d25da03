import { request } from 'node:http';
import { Admission } from '@cellfolio/platform';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { expect, test } from 'vitest';
import { FigureService } from './figure-service.ts';
import { GenePlots } from './gene-plots.ts';
import { ProgressHub } from '../../runtime/progress/progress-hub.ts';
import { clientGonePlugin } from '../../runtime/http/connections.ts';
import { handleError } from '../../runtime/http/error-handler.ts';
import { postPlotUmapWithGenes } from './routes.ts';
import type { Services } from '../../boot/services.ts';

/** The route alone, over a compute pool whose tasks end only when they are cancelled. */
async function mountRoute() {
  const cancelled = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const pool = {
    run: (_task: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>((_, reject) => {
        started.resolve();
        signal.addEventListener('abort', () => {
          cancelled.resolve();
          reject(signal.reason);
        });
      }),
  };
  const genes = { symbols: ['CD79A'], find: () => 0 };
  const selection = { manifest: { id: 'tiny.h5ad', version: 'v1' }, subset: undefined };
  const figures = new FigureService(
    {
      compute: { threads: 1, run: pool.run },
      inputs: { find: async () => ({ gene: { from: 'gene', row: 0 } }), version: async () => '' },
      masks: { maskOf: async () => undefined },
    },
    0,
  );
  const services = {
    active: { current: async () => selection },
    genePlots: new GenePlots({ datasets: { get: async () => ({ genes }) } as never, figures }),
    progress: new ProgressHub(),
    admission: new Admission({
      running: 1,
      runningPerUser: 1,
      waiting: 1,
      waitingPerUser: 1,
      patienceMilliseconds: 1000,
    }),
    limits: { genesPerCall: 5 },
  } as unknown as Services;
  const app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  app.decorateRequest('member', { getter: () => ({ userId: 'u' }) });
  await app.register(clientGonePlugin);
  await app.register(postPlotUmapWithGenes, { services });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, address, services, started: started.promise, cancelled: cancelled.promise };
}

test('the work of a call is cancelled when its client goes away', async () => {
  const { app, address, services, started, cancelled } = await mountRoute();
  const body = JSON.stringify({ genes: ['CD79A'] });
  const call = request(`${address}/api/plot-umap-with-genes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length },
  });
  call.on('error', () => undefined);
  call.end(body);
  await started;
  call.destroy();
  await cancelled;
  await app.close();
  expect([services.progress.size, services.admission.running]).toEqual([0, 0]);
});
