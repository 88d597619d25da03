import { geneMatrixWords } from '../dot-plot/words.ts';

export const matrixPlotWords = geneMatrixWords('matrix-plot', 'Matrix plot', 'tiles');
