export { normalFilter, sameCells } from './filter-payload.ts';
export { ManageSubsetsPanel } from './manage-subsets-panel.tsx';
export type { SavedSubset } from './saved-subset.ts';
export { SubsetChooser } from './subset-chooser.tsx';
export { listSubsetsOf } from './subset-table.ts';
export type { ActiveSubset, CellGroup } from './use-active-subset.ts';
export { useActiveSubset } from './use-active-subset.ts';
export type { SavedSubsets } from './use-saved-subsets.ts';
export { useSavedSubsets } from './use-saved-subsets.ts';
