export { cellTypeInputs } from './cell-type-analysis.ts';
export { CellTypeSuggestions } from './cell-type-suggestions.ts';
export { MarkerSets } from './marker-sets.ts';
