export { Gradients } from './gradients.ts';
export { gradientInputs } from './gradient-analysis.ts';
