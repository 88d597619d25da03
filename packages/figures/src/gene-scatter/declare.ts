import { geneName } from '@cellfolio/model/names';
import { z } from 'zod';
import { declareFigure, jsonAddress } from '../plot-content.ts';
import { cellMeasure, measureInput, measureTitle } from '../violin-and-ridge/content.ts';

const axis = z.union([geneName, cellMeasure]);
type Axis = z.output<typeof axis>;

function measureOf(of: Axis) {
  return typeof of === 'string' ? ({ measure: 'gene', gene: of } as const) : of;
}

/** Cells by two measures, such as two genes. */
export const geneScatter = declareFigure({
  kind: 'gene-scatter',
  name: 'Scatter of cells',
  schema: z.object({
    kind: z.literal('gene-scatter'),
    x: axis.describe('A gene, or a measure as for a violin.'),
    y: axis,
  }),
  inputs: ({ x, y }) => ({ x: measureInput(measureOf(x)), y: measureInput(measureOf(y)) }),
  titles: ({ x, y }, _, titleOf) => ({
    title: `${measureTitle(measureOf(y), titleOf)} against ${measureTitle(measureOf(x), titleOf)}`,
    subtitle: 'Scatter of cells',
  }),
  address: jsonAddress,
});
