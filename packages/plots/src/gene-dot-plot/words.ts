import { geneMatrixWords } from '../dot-plot/words.ts';

export const geneDotPlotWords = geneMatrixWords('gene-dot-plot', 'Dot plot', 'dots');
