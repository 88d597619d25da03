export { ligandReceptorAnalysis } from './ligand-receptor-analysis.ts';
