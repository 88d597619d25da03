import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import swagger from '@fastify/swagger';
import { apiHeaders, datasetIdLength } from '@cellfolio/contract';
import { platformPlugin, type PlatformOptions, takeTurns } from '@cellfolio/platform';
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { accessPlugin, memberOf } from './http/plugins/access.ts';
import { clientGonePlugin } from './http/plugins/client-gone.ts';
import { handleError, handleUnreadableUrl } from './http/plugins/error-handler.ts';
import { gracefulClosePlugin } from './http/plugins/graceful-close.ts';
import { type CallObservers, observeCallsPlugin } from './http/plugins/observe-calls.ts';
import { oneHostPlugin } from './http/plugins/one-host.ts';
import { openApiOptions } from './http/plugins/openapi.ts';
import { requestValidatorCompiler } from './http/plugins/request-validation.ts';
import { securityHeadersPlugin } from './http/plugins/security-headers.ts';
import { jsonBodyPlugin } from './http/plugins/json-body.ts';
import { requestBodiesPlugin } from './http/plugins/request-bodies.ts';
import { webAppPlugin } from './http/plugins/web-app.ts';
import { postBuildDataset } from './http/routes/build-dataset/post.ts';
import { postCancelJob } from './http/routes/cancel-job/post.ts';
import { getConfig } from './http/routes/config/get.ts';
import { postConvert } from './http/routes/convert/post.ts';
import { getDatasetAnalysis } from './http/routes/dataset-analysis/get.ts';
import { getDamagedDatasets } from './http/routes/damaged-datasets/get.ts';
import { getDatasetMetadata } from './http/routes/dataset-metadata/get.ts';
import { getDatasetUmap } from './http/routes/dataset-umap/get.ts';
import { getHealth } from './http/routes/healthz/get.ts';
import { postExportCells } from './http/routes/export-cells/post.ts';
import { postInspectFile } from './http/routes/inspect-file/post.ts';
import { getJob } from './http/routes/jobs/get.ts';
import { getLink } from './http/routes/links/get.ts';
import { postLink } from './http/routes/links/post.ts';
import { getOpenApi } from './http/routes/openapi/get.ts';
import { getReady } from './http/routes/readyz/get.ts';
import { getGeneDatasets } from './http/routes/gene-datasets/get.ts';
import { getGeneSetLibraries } from './http/routes/gene-set-libraries/get.ts';
import { getOwnFiles } from './http/routes/own-files/get.ts';
import { postFilterActiveDataset } from './http/routes/filter-active-dataset/post.ts';
import { postPerformMarkerAnalysis } from './http/routes/perform-marker-analysis/post.ts';
import { postPerformPathwayAnalysis } from './http/routes/perform-pathway-analysis/post.ts';
import { postPlotIsolatedCellTypes } from './http/routes/plot-isolated-cell-types/post.ts';
import { postPlotSignatureEnrichment } from './http/routes/plot-signature-enrichment/post.ts';
import { postPlotUmapWithCellState } from './http/routes/plot-umap-with-cell-state/post.ts';
import { postPullGeneSetLibraries } from './http/routes/pull-gene-set-libraries/post.ts';
import { postRenderFigure } from './http/routes/render-figure/post.ts';
import { postPlotUmapWithGenes } from './http/routes/plot-umap-with-genes/post.ts';
import { postPreviewFilter } from './http/routes/preview-filter/post.ts';
import { getProgress } from './http/routes/progress/get.ts';
import type { Route } from './http/routes/route.ts';
import type { Services } from './http/services.ts';

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

const routes: readonly Route[] = [
  getHealth,
  getReady,
  getConfig,
  getDatasetMetadata,
  getDamagedDatasets,
  getDatasetAnalysis,
  getDatasetUmap,
  getGeneDatasets,
  getGeneSetLibraries,
  postPullGeneSetLibraries,
  postFilterActiveDataset,
  postPreviewFilter,
  postPlotUmapWithGenes,
  postPlotSignatureEnrichment,
  postPlotUmapWithCellState,
  postPlotIsolatedCellTypes,
  postPerformMarkerAnalysis,
  postPerformPathwayAnalysis,
  postRenderFigure,
  postExportCells,
  postLink,
  getLink,
  getOwnFiles,
  postConvert,
  postBuildDataset,
  postInspectFile,
  getJob,
  postCancelJob,
  getProgress,
  getOpenApi,
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
