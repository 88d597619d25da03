import { maxRankingBytes, rankedEnrichmentAnswer, rankedEnrichmentRequest } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { onActiveCells, type SelectionServices } from '../selection/index.ts';
import { analyseRanking, type RankedEnrichmentDeps } from './ranked-enrichment-analysis.ts';

type RankedEnrichmentServices = SelectionServices & RankedEnrichmentDeps;

const postPerformRankedEnrichment: Route<RankedEnrichmentServices> = async (app, { services }) => {
  app.post(
    '/api/perform-ranked-enrichment',
    {
      bodyLimit: maxRankingBytes,
      schema: {
        summary: 'Test which gene sets stand together at the top or the end of a ranking of genes',
        tags: ['analyses'],
        body: rankedEnrichmentRequest,
        response: { 200: rankedEnrichmentAnswer },
      },
    },
    async (request) => {
      const { cells, ...parameters } = request.body;
      const { ranking } = parameters;
      const { a, b } = ranking.source === 'comparison' ? ranking.comparison : {};
      return onActiveCells(
        services,
        request,
        (selection, call) => analyseRanking(services, selection, parameters, call),
        { cells, sides: [a?.filter, b?.filter] },
      );
    },
  );
};

export const rankedEnrichmentRoutes = [postPerformRankedEnrichment];
