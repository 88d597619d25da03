export { fewCells, isClustering } from './cautions.ts';
export { groupColumn, namedColumn } from './group-column.ts';
export { columnLabel, markerInputs } from './marker-analysis.ts';
export { MarkerTests } from './marker-tests.ts';
