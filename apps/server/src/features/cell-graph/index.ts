export { type CellGraph, CellGraphs } from './cell-graphs.ts';
export { type GraphSource, graphWords } from './graph-source.ts';
