export { interactionInputs } from './ligand-receptor-analysis.ts';
export { LigandReceptorTests } from './ligand-receptor-tests.ts';
export { type PairSetHead, PairSets } from './pair-sets.ts';
