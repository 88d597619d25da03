import { plotUmapWithGenesAnswer, plotUmapWithGenesRequest } from '@cellfolio/contract';
import { ApiFailure } from '../../../services/api-failure.ts';
import { screenOf } from '../../plugins/access.ts';
import type { Route } from '../route.ts';

/** Gene UMAPs, and violins when asked, on the dataset that the caller's tab has open. */
export const postPlotUmapWithGenes: Route = async (app, { services }) => {
  const { genesPerCall } = services.limits;
  app.post(
    '/api/plot-umap-with-genes',
    {
      // A PNG is compressed already; compressing its base64 takes longer than sending it.
      compress: false,
      schema: { body: plotUmapWithGenesRequest, response: { 200: plotUmapWithGenesAnswer } },
    },
    async (request) => {
      const { genes, violin_plot: violins } = request.body;
      if (genes.length > genesPerCall) {
        throw new ApiFailure(
          400,
          'too_many_genes',
          `${genes.length} genes were asked for; at most ${genesPerCall} can be plotted at once.`,
          { details: { limit: genesPerCall } },
        );
      }
      const screen = screenOf(request);
      const progress = services.progress.start({ userId: screen.userId, requestId: request.id });
      try {
        const manifest = await services.active.current(screen);
        const signal = request.clientGone;
        return await services.genePlots.plot({
          manifest,
          genes,
          violins,
          signal,
          onProgress: progress.report,
        });
      } finally {
        progress.finish();
      }
    },
  );
};
