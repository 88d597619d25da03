export { compareWithRest, markerAnalysis } from './marker-analysis.ts';
export { chosenGroups, type GroupsForm, GroupsField, type OwnGroups } from './groups-field.tsx';
export { GroupByField, groupByTitle, groupChoices } from './marker-form.tsx';
