import { axisHeatmapWords } from '../axis-words.ts';

export const pseudotimeHeatmapWords = axisHeatmapWords(
  'pseudotime-heatmap',
  (subtitle) => `diffusion pseudotime ${subtitle}`,
);
