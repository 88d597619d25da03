export { ApplyLabels } from './apply-labels.tsx';
export { cellTypeAnalysis, suggestCellTypes, allUnclear, suggestedWords } from './cell-type-analysis.tsx';
export { GroupRow, SuggestedLabels, type SuggestionRowProps } from './suggestion-table.tsx';
