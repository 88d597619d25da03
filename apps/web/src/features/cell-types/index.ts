export { cellTypeAnalysis, suggestCellTypes } from './cell-type-analysis.ts';
export { ApplyBar, type GroupLabels, useGroupLabels } from './group-labels.tsx';
export { allUnclear, suggestedWords } from './suggested-groups.ts';
export { GroupRow, SuggestionTable } from './suggestion-table.tsx';
