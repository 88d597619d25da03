export { LibraryDamaged, UnknownLibrary } from './errors.ts';
export { GeneSetLibraries, originOf, type LibraryHead, type LoadedLibrary } from './gene-set-store.ts';
export { ForbiddenRedirect, openAnswer } from './library-answer.ts';
export { LibraryPulls } from './library-pulls.ts';
export { offeredLibraries } from './offered-libraries.ts';
export { OrthologueTables, type OrthologueTable, type TablesOfSpecies } from './orthologue-tables.ts';
export { pullLibraries, type PullOutcome } from './pull-libraries.ts';
export { StoredLibraries } from './stored-libraries.ts';
export { StoredOrthologues } from './stored-orthologues.ts';
