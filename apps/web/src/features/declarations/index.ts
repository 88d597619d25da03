export { declaredAnalysis } from './module-of.tsx';
export { columnOf, isGroupColumn } from './group-columns.ts';
export { GroupByField } from './groups-field.tsx';
