import { axisHeatmapWords } from '../axis-words.ts';

export const gradientHeatmapWords = axisHeatmapWords('gradient-heatmap', (subtitle) => subtitle);
