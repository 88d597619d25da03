import { geneMatrixWords } from '../dot-plot/words.ts';

export const heatmapWords = geneMatrixWords('heatmap', 'Heatmap', 'cells');
