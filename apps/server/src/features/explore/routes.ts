import { getDatasetAnalysis, getDatasetUmap } from './dataset-routes.ts';
import {
  postPlotIsolatedCellTypes,
  postPlotSignatureEnrichment,
  postPlotUmapWithCellState,
  postPlotUmapWithGenes,
} from './plot-routes.ts';
import { postRenderFigure } from './render-route.ts';

export const exploreRoutes = [
  getDatasetAnalysis,
  getDatasetUmap,
  postPlotIsolatedCellTypes,
  postPlotSignatureEnrichment,
  postPlotUmapWithCellState,
  postPlotUmapWithGenes,
  postRenderFigure,
];
