import { z } from 'zod';
import { dataName } from '@cellfolio/model/names';
import { figureImage, figureParts } from './figure-image.ts';

const names = z.array(dataName).max(5000);

/** `POST /api/plot-isolated-cell-types`: one figure per chosen type, one for all the chosen clusters. */
export const plotIsolatedCellTypesRequest = z
  .object({
    cell_types: names.describe('May be empty where clusters are named.'),
    leiden_clusters: names
      .default([])
      .describe('Clusters for the one cluster figure; none for no such figure.'),
  })
  .refine(({ cell_types, leiden_clusters }) => cell_types.length + leiden_clusters.length > 0, {
    message: 'Choose at least one cell type.',
    path: ['cell_types'],
  })
  .meta({ id: 'PlotIsolatedCellTypesRequest' });
export type PlotIsolatedCellTypesRequest = z.input<typeof plotIsolatedCellTypesRequest>;

export const plotIsolatedCellTypesAnswer = z
  .object({
    cell_types: z.array(z.string()),
    plots: z.array(
      z.object({
        cell_type: z.string(),
        image: figureImage,
        cell_count: z.number().int().describe('Cells of the type in the active subset.'),
        ...figureParts,
      }),
    ),
    leiden_cluster_image: figureImage.nullable(),
    leiden_cluster_figure: figureParts.figure.nullable(),
    leiden_cluster_source: figureParts.source.nullable(),
  })
  .meta({ id: 'PlotIsolatedCellTypesAnswer' });
export type PlotIsolatedCellTypesAnswer = z.infer<typeof plotIsolatedCellTypesAnswer>;
