import { figureCellTest, markerParameters } from '@cellfolio/analysis/parameters';
import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

/*
 * What a figure was drawn with before it could be chosen: a source that lacks it is from then, and is drawn again as it
 * was drawn. New sources say it, so that no default of the calls speaks for them.
 */
const beforeMinimumCells = 2;

const schema = z.object({
  kind: z.literal('dot-plot'),
  ...markerParameters.shape,
  ...figureCellTest,
  min_cells: markerParameters.shape.min_cells
    .unwrap()
    .default(beforeMinimumCells)
    .describe(
      `Groups of fewer cells are not compared; ${beforeMinimumCells} where it is absent, as older figures were drawn.`,
    ),
  markers: z
    .array(z.object({ group: dataName, genes: z.array(dataName).min(1).max(1000) }))
    .min(1)
    .max(5000)
    .optional()
    .describe(
      'Of the markers that are found, those to draw, the genes of each group in this order; absent for all.',
    ),
});

export const dotPlotContent = plotContent({
  kind: 'dot-plot',
  name: 'Dot plot',
  schema,
  inputs: (content) => ({ markers: { from: 'markers', parameters: content, markers: content.markers } }),
  titles: () => ({ title: 'Marker genes', subtitle: 'Dot plot' }),
});
