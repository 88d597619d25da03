/** Our own abridged sets that serve where a library has not been fetched. */
export type Starter = 'hallmark states' | 'pathways';

/** How results of a starter are marked wherever they are shown. */
export const starterLabel = 'starter, abridged';

/** The library chosen where the user has not chosen. */
export const defaultLibrary = 'KEGG_2021_Human';

/** The library that the cell states are taken from once it has been fetched. */
export const hallmarkLibrary = 'MSigDB_Hallmark_2020';

/** The libraries that are always offered, under their publisher's names, and what stands in for each. */
export const offeredLibraries: readonly { readonly name: string; readonly starter: Starter }[] = [
  { name: defaultLibrary, starter: 'pathways' },
  { name: hallmarkLibrary, starter: 'hallmark states' },
  { name: 'GO_Biological_Process_2023', starter: 'pathways' },
  { name: 'Reactome_Pathways_2024', starter: 'pathways' },
];
