export { type CellGraph, CellGraphs } from './cell-graphs.ts';
