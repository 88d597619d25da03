import { z } from 'zod';
import { geneName } from '@cellfolio/model/names';
import { plotCellStateRequest, plotSignatureRequest } from './plot-scores.ts';

/** `POST /api/export-cells`: the active cells as a CSV file, one line each. */
export const exportCellsRequest = z
  .object({
    genes: z.array(geneName).default([]).describe('Each a column of its expression, as it is stored.'),
    metadata: z.boolean().default(true).describe('Every column of obs.'),
    coordinates: z.boolean().default(true).describe('The embedding that figures are drawn on.'),
    signature: plotSignatureRequest.omit({ violin_plot: true }).optional(),
    cell_state: plotCellStateRequest.omit({ violin_plot: true }).optional(),
  })
  .meta({ id: 'ExportCellsRequest' });
export type ExportCellsRequest = z.input<typeof exportCellsRequest>;
