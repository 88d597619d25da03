import { geneMatrixWords } from '../dot-plot/words.ts';

export const stackedViolinWords = geneMatrixWords('stacked-violin', 'Stacked violin plot', 'violins');
