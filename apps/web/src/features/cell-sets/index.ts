export { CellSetField, useSetCounts } from './cell-set-field.tsx';
export { CellSetsPanel } from './cell-sets-panel.tsx';
export type { ChosenSet } from './chosen-sets.ts';
export { groupsSet, overlapQuery, readChosenSet } from './chosen-sets.ts';
export { selectedSet, SetsAtHandProvider, useSetsAtHand } from './offered-sets.tsx';
