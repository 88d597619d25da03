import { randomUUID } from 'node:crypto';
import { apiHeaders, datasetIdLength } from '@cellfolio/contract';
import { type PlatformOptions, platformPlugin, type RecentUsers, takeTurns } from '@cellfolio/platform';
import compress from '@fastify/compress';
import swagger from '@fastify/swagger';
import fastify, { type FastifyInstance, type FastifyRequest, type FastifyServerOptions } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { accessPlugin, memberOf } from '../runtime/http/access.ts';
import { clientGonePlugin, gracefulClosePlugin, requestBodiesPlugin } from '../runtime/http/connections.ts';
import { handleError, handleUnreadableUrl } from '../runtime/http/error-handler.ts';
import { docsSitePlugin } from '../runtime/http/docs-site.ts';
import { type CallObservers, observeCallsPlugin } from '../runtime/http/observe-calls.ts';
import { openApiOptions } from '../runtime/http/openapi.ts';
import { paceCalls } from '../runtime/http/pace-calls.ts';
import { jsonBodyPlugin, oneHostPlugin, requestValidatorCompiler } from '../runtime/http/request-checks.ts';
import { securityHeadersPlugin } from '../runtime/http/security-headers.ts';
import { versionHeadersPlugin } from '../runtime/http/version-headers.ts';
import { webAppPlugin } from '../runtime/http/web-app.ts';
import { type Route, siteOrigin } from '../runtime/http/routes.ts';
import { embedPagePlugin, oembedLink } from '../features/embedding/index.ts';
import { routes } from './routes.ts';
import type { Services } from './services.ts';
import type { Settings } from './settings/read-settings.ts';

export interface AppOptions {
  services: Services;
  platform: PlatformOptions;
  /** Users who called within the last seconds. */
  recent: RecentUsers;
  webFolder: string;
  docsFolder: string;
  /** Whether the site is served over https. */
  secure: boolean;
  /** Origins of the captcha's scripts and frames. */
  captchaSources: readonly string[];
  trustedProxies: Settings['trustedProxies'];
  storageBytes: number;
  logger: NonNullable<FastifyServerOptions['logger']>;
  observers: CallObservers;
  /** Called with every route, for tests that must cover all. */
  onRoute?: ((route: { method: string; url: string }) => void) | undefined;
}

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { services } = options;
  const app = fastify({
    logger: options.logger,
    trustProxy: trustProxyOf(options.trustedProxies),
    bodyLimit: 1024 * 1024,
    // The encoded address counts: a character of three bytes is %xx%xx%xx.
    routerOptions: { maxParamLength: 9 * datasetIdLength },
    frameworkErrors: handleUnreadableUrl,
    // The default of 10 s is too short for the first queries on a busy machine.
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
  // Time for 1 MiB over a slow connection. Images for an analysis have up to 6 MiB.
  await app.register(requestBodiesPlugin, { milliseconds: 120_000, droppedBytes: 6 * 1024 * 1024 });
  await app.register(securityHeadersPlugin, {
    secure: options.secure,
    connectTo: [],
    captchaSources: options.captchaSources,
  });
  await app.register(versionHeadersPlugin);
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
    paceCalls(api, options.recent);
    queueMemberCalls(api, options);
    for (const route of routes as readonly Route<Services>[]) await api.register(route, { services });
  });
  await app.register(docsSitePlugin, { folder: options.docsFolder });
  const { siteUrl, embedOrigins: origins } = services;
  await app.register(embedPagePlugin, {
    folder: options.webFolder,
    origins,
    siteUrl,
    apiKey: services.publicConfig.apiKey,
    catalogue: services.catalogue,
  });
  await app.register(webAppPlugin, {
    folder: options.webFolder,
    ...(origins.length > 0 && {
      headOf: (request) => (isExplorer(request) ? oembedLink(request, siteOrigin(request, siteUrl)) : ''),
    }),
    siteUrl: options.platform.siteUrl,
    trialDays: services.publicConfig.trialDays,
    storageBytes: options.storageBytes,
  });
  return app;
}

/** Converts the setting to Fastify's `trustProxy`: the proxies whose forwarding headers it reads. */
export function trustProxyOf(
  proxies: Settings['trustedProxies'],
): NonNullable<FastifyServerOptions['trustProxy']> {
  if (typeof proxies === 'number') return proxies > 0 && ((_address, hop) => hop < proxies);
  return [...proxies];
}

function isExplorer({ url }: FastifyRequest): boolean {
  return url.startsWith('/explorer?');
}

/** Calls about a user's own rows share the queue of the REST service; calls that compute have their own. */
function queueMemberCalls(api: FastifyInstance, { platform, trustedProxies }: AppOptions): void {
  if (!platform.turns) return;
  takeTurns(api, {
    admission: platform.turns.calls,
    callerOf: (request) => ({ role: 'authenticated', claims: { sub: memberOf(request).userId } }),
    trustProxy: trustedProxies !== 0,
    applies: ({ routeOptions: { config } }) =>
      (config.access === 'member' || config.access === 'session') && config.streams !== true,
  });
}

/** The client's request id if it is safe to log, else a new one. */
function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\w-]{1,64}$/.test(header) ? header : randomUUID();
}
