export { type GeneMeans, geneMeans, geneNameCautions, geneRows } from './gene-means.ts';
export { connectedGraph, hasNoPath, pathStructure } from './path-structure.ts';
export { Trajectories } from './trajectories.ts';
export { trajectoryInputs } from './trajectory-analysis.ts';
