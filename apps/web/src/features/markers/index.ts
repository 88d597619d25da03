export { markerAnalysis } from './marker-analysis.ts';
export { GroupByField } from './group-by-field.tsx';
export { type GroupsForm, GroupsField, groupsRequest, hasGroups } from './groups-field.tsx';
export { groupChoices, suggestedGroupBy } from './group-choices.ts';
export { columnOf, isGroupColumn, ownColumn } from './own-column.ts';
export { UnassignedField, unassignedOf } from './unassigned-field.tsx';
