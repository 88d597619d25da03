export { compositionInputs } from './composition-analysis.ts';
export { Compositions } from './compositions.ts';
