export { LibraryDamaged, UnknownLibrary } from './errors.ts';
export { GeneSetLibraries, originOf, type LibraryHead, type LoadedLibrary } from './gene-set-store.ts';
export { LibraryPulls, pullLibraries, type PullOutcome } from './pull-libraries.ts';
export { offeredLibraries } from './built-in-libraries.ts';
export { mappedCautions, type MappedGenes, mapGenes, type SpeciesMapping } from './mapped-genes.ts';
export { builtInOrthologues } from './built-in-orthologues.ts';
export {
  OrthologueTables,
  orthologuesBySymbol,
  type OrthologueTable,
  type TablesOfSpecies,
  StoredOrthologues,
} from './orthologues.ts';
export { StoredLibraries } from './stored-libraries.ts';
