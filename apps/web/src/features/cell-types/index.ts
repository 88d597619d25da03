export { ApplyLabels } from './apply-labels.tsx';
export { GroupRow, SuggestedLabels, type SuggestionRowProps } from './suggestion-table.tsx';
export { cellTypesView } from './view.tsx';
