import { axisCurveWords } from '../axis-words.ts';

export const gradientCurveWords = axisCurveWords('gradient-curve', (subtitle) => subtitle);
