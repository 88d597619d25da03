export { compareWithRest, markerAnalysis } from './marker-analysis.ts';
export { GroupByField, groupByTitle, groupChoices } from './marker-form.tsx';
