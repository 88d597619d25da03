import { z } from 'zod';
import {
  cells,
  count,
  inUnit,
  mapCautions,
  mapName,
  number,
  orderWords,
  plotWords,
  text,
  value,
  ofMap,
  someCells,
} from '../plot-words.ts';
import { axisHeatmapWords, axisCurveWords } from '../axis-words.ts';

export const gradientUmapWords = plotWords({
  kind: 'gradient-umap',
  name: 'Map of cells',
  numbers: z.object({
    kind: z.literal('gradient-umap'),
    ...ofMap,
    subtitle: text,
    unit: text,
    notScored: count,
    domain: z.object({ min: number, max: number }),
  }),
  sentences: ({ axes: of, counts: shown, subtitle, unit, notScored, domain, order: drawOrder }) => ({
    reading: [
      `The ${mapName(of)} shows ${cells(shown.cells)}, colored by their place along ${subtitle}.`,
      `Places of ${cells(shown.cells - notScored)} go from ${value(domain.min)} to ${value(domain.max)}${inUnit(unit)}.`,
    ],
    cautions: [
      ...someCells(notScored, ['is', 'are'], 'not tested: not on the axis, or not in a tested sample.'),
      ...mapCautions(shown),
    ],
    general: orderWords(drawOrder),
  }),
});

export const gradientHeatmapWords = axisHeatmapWords('gradient-heatmap', (subtitle) => subtitle);

export const gradientCurveWords = axisCurveWords('gradient-curve', (subtitle) => subtitle);
