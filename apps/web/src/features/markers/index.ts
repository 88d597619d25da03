export { compareWithRest, markerAnalysis } from './marker-analysis.ts';
export { groupByTitle, groupChoices } from './marker-form.tsx';
