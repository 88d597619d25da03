import { publicConfig, type PublicConfig } from '@cellfolio/contract';
import type { FastifyRequest } from 'fastify';
import { accountDataRoutes } from '../features/account-data/routes.ts';
import { analysesRoutes } from '../features/analyses/routes.ts';
import { assistantRoutes } from '../features/assistant/routes.ts';
import { annotationsRoutes } from '../features/annotations/routes.ts';
import { catalogueRoutes } from '../features/catalogue/routes.ts';
import { categoryDisplaysRoutes } from '../features/category-displays/routes.ts';
import { cellModelRoutes } from '../features/cell-models/routes.ts';
import { connectedAppRoutes } from '../features/connected-apps/routes.ts';
import { columnsRoutes } from '../features/columns/routes.ts';
import { geneComparisonsRoutes } from '../features/gene-comparisons/routes.ts';
import { embeddingRoutes } from '../features/embedding/routes.ts';
import { exploreRoutes } from '../features/explore/routes.ts';
import { exportRoutes } from '../features/export/routes.ts';
import { geneFinderRoutes } from '../features/gene-finder/routes.ts';
import { geneListsRoutes } from '../features/gene-lists/routes.ts';
import { keptAnalysesRoutes } from '../features/kept-analyses/routes.ts';
import { geneSetsRoutes } from '../features/gene-sets/routes.ts';
import { listRoutes } from '../features/reference-lists/routes.ts';
import { linksRoutes } from '../features/links/routes.ts';
import { cellxgeneRoutes } from '../features/cellxgene/routes.ts';
import { ontologyRoutes } from '../features/ontology/routes.ts';
import { mcpRoutes } from '../features/mcp/routes.ts';
import { toolCallRoutes } from '../features/tool-calls/routes.ts';
import { numberColumnRoutes } from '../features/number-columns/routes.ts';
import { subsetsRoutes } from '../features/subsets/routes.ts';
import { uploadsRoutes } from '../features/uploads/routes.ts';
import {
  getHealth,
  getOpenApi,
  getProgress,
  getReady,
  getScopes,
  type Route,
  siteOrigin,
} from '../runtime/http/routes.ts';

interface ConfigServices {
  /** Settings of the web app without its addresses, which follow the request unless SITE_URL is set. */
  publicConfig: Omit<PublicConfig, 'supabaseUrl' | 'analysisUrl'>;
  siteUrl: string | undefined;
}

const getConfig: Route<ConfigServices> = async (app, { services }) => {
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
      const origin = siteOrigin(request, services.siteUrl);
      const { demoAccounts, ...config } = services.publicConfig;
      return {
        ...config,
        ...(demoAccounts && isFromThisMachine(request) && { demoAccounts }),
        supabaseUrl: origin,
        analysisUrl: origin,
      };
    },
  );
};

/**
 * Whether a browser on this machine sent the request directly: not through a proxy, and not under a foreign name of
 * loopback.
 */
function isFromThisMachine({ hostname, headers }: FastifyRequest): boolean {
  const forwarded = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];
  return (
    /^(?:localhost|127\.0\.0\.1|\[?::1\]?)$/i.test(hostname) &&
    forwarded.every((name) => !Object.hasOwn(headers, name))
  );
}

export const routes = [
  getHealth,
  getReady,
  getConfig,
  getOpenApi,
  getProgress,
  getScopes,
  ...catalogueRoutes,
  ...ontologyRoutes,
  ...cellxgeneRoutes,
  ...subsetsRoutes,
  ...exploreRoutes,
  ...linksRoutes,
  ...embeddingRoutes,
  ...geneComparisonsRoutes,
  ...analysesRoutes,
  ...listRoutes,
  ...cellModelRoutes,
  ...geneSetsRoutes,
  ...exportRoutes,
  ...annotationsRoutes,
  ...numberColumnRoutes,
  ...geneListsRoutes,
  ...keptAnalysesRoutes,
  ...categoryDisplaysRoutes,
  ...columnsRoutes,
  ...uploadsRoutes,
  ...geneFinderRoutes,
  ...accountDataRoutes,
  ...mcpRoutes,
  ...assistantRoutes,
  ...toolCallRoutes,
  ...connectedAppRoutes,
];

export type RouteServices = (typeof routes)[number] extends Route<infer Needs> ? Needs : never;
