import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Admission } from '../gateway/admission.ts';
import { allowOtherOrigins, acceptEmptyJson } from '../gateway/service-scope.ts';
import { takeTurns, type ServiceAdmissions } from '../gateway/service-admissions.ts';
import { resumableRoutes } from './resumable/resumable-routes.ts';
import { bucketRoutes } from './buckets.ts';
import { downloadRoutes, infoRoutes } from './download.ts';
import { listRoute, pageRoute } from './list-objects.ts';
import { relocateRoutes, removeRoutes } from './change-objects.ts';
import { signRoutes, signedUploadRoute, signUploadRoute } from './signed-addresses.ts';
import { uploadRoutes } from './upload-routes.ts';
import { sweepStorage } from './sweep-storage.ts';
import { answerInStorageEnvelope } from './storage-error.ts';
import { callerOf } from './storage-request.ts';
import type { StorageContext } from './storage-context.ts';

const routes = [
  bucketRoutes,
  downloadRoutes,
  infoRoutes,
  listRoute,
  pageRoute,
  removeRoutes,
  signRoutes,
  signUploadRoute,
  relocateRoutes,
];

interface StoragePluginOptions {
  readonly context: StorageContext;
  /** Admission of calls and uploads; if absent, they run at once. */
  readonly turns?: ServiceAdmissions;
}

export const storagePlugin: FastifyPluginAsync<StoragePluginOptions> = async (app, { context, turns }) => {
  const byTurns = (scope: FastifyInstance, admission: Admission | undefined) => {
    const caller = ({ headers }: FastifyRequest) => callerOf(context, headers);
    if (admission) takeTurns(scope, { admission, callerOf: caller, trustProxy: context.trustProxy });
  };
  answerInStorageEnvelope(app);
  allowOtherOrigins(app);
  healthRoute(app);
  await app.register(async (scope) => {
    acceptEmptyJson(scope);
    byTurns(scope, turns?.calls);
    for (const route of routes) route(scope, context);
  });
  // Every body is a file here, even JSON.
  await app.register(async (scope) => {
    await scope.register(multipart, {
      // The size is checked where bytes are counted; other form fields are small.
      limits: { fileSize: Number.MAX_SAFE_INTEGER, files: 2, fields: 20, fieldSize: 256 * 1024, parts: 22 },
      throwFileSizeLimit: false,
    });
    passBodiesThrough(scope);
    byTurns(scope, turns?.uploads);
    uploadRoutes(scope, context);
    signedUploadRoute(scope, context);
  });
  await app.register(async (scope) => {
    passBodiesThrough(scope);
    byTurns(scope, turns?.uploads);
    resumableRoutes(scope, context);
  });
  keepSweeping(app, context);
};

/**
 * Time during which a refused body is still read, so that its sender receives the response, before the connection is
 * closed.
 */
const lingerMs = 2_000;

function passBodiesThrough(scope: FastifyInstance): void {
  scope.addHook('onResponse', async (request) => {
    if (!request.raw.complete) setTimeout(() => request.raw.destroy(), lingerMs).unref();
  });
  scope.removeContentTypeParser(['application/json', 'text/plain']);
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}

function keepSweeping(app: FastifyInstance, context: StorageContext): void {
  const { sweepSeconds } = context.settings;
  if (sweepSeconds === 0) return;
  let running = Promise.resolve();
  const round = async (): Promise<void> => {
    try {
      const { uploads, blobs } = await sweepStorage(context);
      if (uploads + blobs > 0) context.log.info({ uploads, blobs }, 'cleared up storage');
    } catch (error) {
      context.log.warn({ err: error }, 'storage could not be cleared up now');
    }
  };
  const sweep = (): void => {
    running = running.then(round);
  };
  const timer = setInterval(sweep, sweepSeconds * 1000);
  timer.unref();
  app.addHook('onReady', async () => sweep());
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await running;
  });
}

/** API version of the original service. */
const version = '1.0.0';

function healthRoute(app: FastifyInstance): void {
  for (const url of ['/status', '/statusz']) app.get(url, async () => ({}));
  app.get('/version', async (_request, reply) => reply.type('text/plain').send(version));
}
