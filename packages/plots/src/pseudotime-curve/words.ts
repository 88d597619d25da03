import { axisCurveWords } from '../axis-words.ts';

export const pseudotimeCurveWords = axisCurveWords(
  'pseudotime-curve',
  (subtitle) => `diffusion pseudotime ${subtitle}`,
);
