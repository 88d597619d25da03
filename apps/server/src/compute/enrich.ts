import {
  bySignificance,
  compileLibrary,
  type CompiledLibrary,
  overRepresentation,
} from '@cellfolio/analysis';
import { ByteCache, type Dataset } from '@cellfolio/store';
import type { GeneSetLibraries } from '../gene-sets/gene-set-store.ts';
import type { EnrichTask, RankedSets } from './task.ts';

const compiledBytes = 32 * 1024 * 1024;
/** Names, maps and logarithms of a background gene. */
const bytesPerBackgroundGene = 120;

/** The library was replaced between the moment it was looked up and the moment it was tested. */
export class LibraryChanged extends Error {
  override readonly name = 'LibraryChanged';

  constructor(library: string) {
    super(`The library ${library} has just been replaced. Please try again.`);
  }
}

/** Tests genes against libraries, each compiled once for a dataset. */
export class EnrichmentTests {
  readonly #libraries: GeneSetLibraries;
  readonly #compiled = new ByteCache<string, CompiledLibrary>(
    compiledBytes,
    ({ genes, background }) => genes.byteLength + background.length * bytesPerBackgroundGene,
  );

  constructor(libraries: GeneSetLibraries) {
    this.#libraries = libraries;
  }

  /** Throws UnknownLibrary, LibraryDamaged, LibraryChanged. */
  async run(task: EnrichTask, dataset: Dataset): Promise<RankedSets> {
    const key = `${task.library}@${task.libraryVersion}|${task.dataset.id}@${task.dataset.version}`;
    let compiled = this.#compiled.get(key);
    if (!compiled) {
      const library = await this.#libraries.load(task.library);
      if (library.version !== task.libraryVersion) throw new LibraryChanged(task.library);
      compiled = compileLibrary(library.sets, dataset.genes.symbols);
      this.#compiled.set(key, compiled);
    }
    const result = overRepresentation(compiled, task.genes);
    return { ...result, order: bySignificance(result) };
  }
}
