import { geneMatrixWords } from '../dot-plot/words.ts';

export const comparedDotsWords = geneMatrixWords('compared-dots', 'Dot plot', 'dots');
