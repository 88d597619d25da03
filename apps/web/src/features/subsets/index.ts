export { filterPayload, freeName, normalFilter, sameCells } from './filter-payload.ts';
export { ManageSubsetsPanel } from './manage-subsets-panel.tsx';
export type { SavedSubset, SavedSubsets } from './saved-subsets.ts';
export { draftOfCells, listSubsetsOf, readSubset, useSavedSubsets } from './saved-subsets.ts';
export type { MapSelection } from './filter-config.ts';
export { useSubsetActions } from './use-subset-actions.tsx';
export { SubsetChooser } from './subset-chooser.tsx';
export type { ActiveSubset, CellGroup } from './use-active-subset.ts';
export { useActiveSubset } from './use-active-subset.ts';
