import { randomUUID } from 'node:crypto';
import { apiHeaders, datasetIdLength, publicConfig } from '@cellfolio/contract';
import { type PlatformOptions, platformPlugin, takeTurns } from '@cellfolio/platform';
import compress from '@fastify/compress';
import swagger from '@fastify/swagger';
import fastify, { type FastifyInstance, type FastifyRequest, type FastifyServerOptions } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { catalogueRoutes } from '../features/catalogue/routes.ts';
import { columnsRoutes } from '../features/columns/routes.ts';
import { exploreRoutes } from '../features/explore/routes.ts';
import { linksRoutes } from '../features/links/routes.ts';
import { exportRoutes } from '../features/export/routes.ts';
import { geneSetsRoutes } from '../features/gene-sets/routes.ts';
import { markersRoutes } from '../features/markers/routes.ts';
import { pathwaysRoutes } from '../features/pathways/routes.ts';
import { subsetsRoutes } from '../features/subsets/routes.ts';
import { uploadsRoutes } from '../features/uploads/routes.ts';
import { accessPlugin, memberOf } from '../runtime/http/access.ts';
import { clientGonePlugin, gracefulClosePlugin, requestBodiesPlugin } from '../runtime/http/connections.ts';
import { handleError, handleUnreadableUrl } from '../runtime/http/error-handler.ts';
import { type CallObservers, observeCallsPlugin } from '../runtime/http/observe-calls.ts';
import { openApiOptions } from '../runtime/http/openapi.ts';
import { jsonBodyPlugin, oneHostPlugin, requestValidatorCompiler } from '../runtime/http/request-checks.ts';
import { getHealth, getOpenApi, getProgress, getReady, type Route } from '../runtime/http/routes.ts';
import { securityHeadersPlugin } from '../runtime/http/security-headers.ts';
import { webAppPlugin } from '../runtime/http/web-app.ts';
import type { Services } from './services.ts';

export interface AppOptions {
  readonly services: Services;
  readonly platform: PlatformOptions;
  /** Folder of the built web app. */
  readonly webFolder: string;
  /** The site is reached by https. */
  readonly secure: boolean;
  /** Where the scripts and frames of a captcha come from. */
  readonly captchaSources: readonly string[];
  /** Proxies whose word on the caller is believed, the nearest ones; 0 for none. */
  readonly trustedProxies: number;
  readonly logger: NonNullable<FastifyServerOptions['logger']>;
  readonly observers: CallObservers;
  /** Hears of every route that is served, for tests that must miss none. */
  readonly onRoute?: ((route: { readonly method: string; readonly url: string }) => void) | undefined;
}

/** The public settings of the web app. */
const getConfig: Route<Pick<Services, 'publicConfig' | 'siteUrl'>> = async (app, { services }) => {
  app.get(
    '/config.json',
    {
      config: { access: 'public' },
      schema: {
        summary: 'Read the public settings of the server',
        tags: ['server'],
        response: { 200: publicConfig },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      // Whoever opened the site as localhost stays on localhost: nothing becomes a cross-origin call.
      const origin = services.siteUrl ?? `${request.protocol}://${request.host}`;
      const { demoAccounts, ...told } = services.publicConfig;
      return {
        ...told,
        ...(demoAccounts && isOfThisMachine(request) && { demoAccounts }),
        supabaseUrl: origin,
        analysisUrl: origin,
      };
    },
  );
};

/**
 * Whether a browser on this machine asks, under a name of this machine. A page elsewhere can have its own name lead to
 * loopback, and so can a proxy that nobody has told us of.
 */
function isOfThisMachine({ hostname, headers }: FastifyRequest): boolean {
  const forwarded = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];
  return (
    /^(?:localhost|127\.0\.0\.1|\[?::1\]?)$/i.test(hostname) &&
    forwarded.every((name) => !Object.hasOwn(headers, name))
  );
}

const routes: readonly Route<Services>[] = [
  getHealth,
  getReady,
  getConfig,
  getOpenApi,
  getProgress,
  ...catalogueRoutes,
  ...subsetsRoutes,
  ...exploreRoutes,
  ...linksRoutes,
  ...markersRoutes,
  ...pathwaysRoutes,
  ...geneSetsRoutes,
  ...exportRoutes,
  ...columnsRoutes,
  ...uploadsRoutes,
];

/** Builds the whole server; the caller listens and closes. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { services } = options;
  const app = fastify({
    logger: options.logger,
    trustProxy: options.trustedProxies > 0 && ((_address, hop) => hop < options.trustedProxies),
    bodyLimit: 1024 * 1024,
    // Counted as it comes, with each byte of a name written as %xx.
    routerOptions: { maxParamLength: 9 * datasetIdLength },
    frameworkErrors: handleUnreadableUrl,
    // Ten seconds, as it is usually, are too few for the first questions to a database on a busy machine.
    pluginTimeout: 120_000,
    genReqId: (request) => requestId(request.headers[apiHeaders.request]),
  });
  const { onRoute } = options;
  if (onRoute) {
    app.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) onRoute({ method: one, url });
    });
  }
  await app.register(gracefulClosePlugin);
  await app.register(observeCallsPlugin, options.observers);
  // A megabyte at the speed of a bad line; pictures to be analysed, and those of a library, have a few.
  await app.register(requestBodiesPlugin, { milliseconds: 120_000, droppedBytes: 6 * 1024 * 1024 });
  await app.register(securityHeadersPlugin, {
    secure: options.secure,
    connectTo: [],
    captchaSources: options.captchaSources,
  });
  await app.register(oneHostPlugin);
  await app.register(compress, { encodings: ['br', 'gzip'] });
  await app.register(platformPlugin, options.platform);
  await app.register(async (api) => {
    api.setValidatorCompiler(requestValidatorCompiler);
    api.setSerializerCompiler(serializerCompiler);
    api.setErrorHandler(handleError);
    await api.register(swagger, openApiOptions);
    await api.register(jsonBodyPlugin);
    await api.register(clientGonePlugin);
    await api.register(accessPlugin, { policy: services.access });
    takeMembersTurns(api, options);
    for (const route of routes) await api.register(route, { services });
  });
  await app.register(webAppPlugin, {
    folder: options.webFolder,
    siteUrl: options.platform.siteUrl,
    trialDays: services.publicConfig.trialDays,
  });
  return app;
}

/** Calls about rows of one's own wait for a turn as those of rest do; those that compute have turns of their own. */
function takeMembersTurns(api: FastifyInstance, { platform, trustedProxies }: AppOptions): void {
  if (!platform.turns) return;
  takeTurns(api, {
    admission: platform.turns.calls,
    callerOf: (request) => ({ role: 'authenticated', claims: { sub: memberOf(request).userId } }),
    trustProxy: trustedProxies > 0,
    applies: ({ routeOptions: { config } }) => config.access === 'member' && config.streams !== true,
  });
}

/** The caller's own id where it is harmless in a log, else a new one. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : randomUUID();
}
