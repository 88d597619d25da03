export { fewCells } from './cautions.ts';
export { leftOutCautions, unassignedCautions } from './left-out-groups.ts';
export { columnLabel, markerInputs } from './marker-analysis.ts';
export { type GroupStatistics, MarkerTests } from './marker-tests.ts';
