export { fewCells, isOfExpression } from './cautions.ts';
export { type LeftOutGroups, leftOutCautions } from './left-out-groups.ts';
export { columnLabel, markerInputs } from './marker-analysis.ts';
export { type GroupStatistics, MarkerTests } from './marker-tests.ts';
