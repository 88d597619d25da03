import { axisCurveWords } from '../axis-words.ts';

export const pseudotimeCurveWords = axisCurveWords(
  'pseudotime-curve',
  (subtitle) => `Pseudotime goes ${subtitle}.`,
);
