import { groupedViolinWords } from '../violin/words.ts';

export const ridgeWords = groupedViolinWords('ridge', 'Ridge plot', 'ridges');
