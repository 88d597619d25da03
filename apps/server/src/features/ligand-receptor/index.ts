export { interactionInputs } from './ligand-receptor-analysis.ts';
export { LigandReceptorTests } from './ligand-receptor-tests.ts';
export { PairSets } from './dataset-pairs.ts';
