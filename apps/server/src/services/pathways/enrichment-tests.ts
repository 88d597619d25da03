import type { PathwayParameters } from '@cellfolio/contract';
import { ByteCache, SharedWork } from '@cellfolio/store';
import type { Compute } from '../../compute/compute-pool.ts';
import type { RankedSets } from '../../compute/task.ts';
import { LibraryDamaged, UnknownLibrary } from '../../gene-sets/errors.ts';
import type { GeneSetLibraries, LoadedLibrary } from '../../gene-sets/gene-set-store.ts';
import { ApiFailure } from '../api-failure.ts';
import { noGenesFound } from '../gene-lookup.ts';
import { datasetOf, type Selection, type Waiting } from '../selection.ts';

export interface PathwayResult {
  readonly result: RankedSets;
  readonly library: LoadedLibrary;
}

const cacheBytes = 16 * 1024 * 1024;
/** The numbers of a row and its term. */
const bytesPerRow = 150;

/** gseapy's `enrich` against the genes of the dataset; the table and the figure of one call share the test. */
export class EnrichmentTests {
  readonly #compute: Compute;
  readonly #libraries: GeneSetLibraries;
  readonly #cache = new ByteCache<string, RankedSets>(
    cacheBytes,
    ({ terms, overlaps, queryGenes }) =>
      terms.length * bytesPerRow + overlaps.byteLength + queryGenes.length * 16,
  );
  readonly #running = new SharedWork<string, RankedSets>();

  constructor(parts: { compute: Compute; libraries: GeneSetLibraries }) {
    this.#compute = parts.compute;
    this.#libraries = parts.libraries;
  }

  /** Throws ApiFailure 400 for a library that is not there, 422 where the dataset has none of the genes. */
  async run(
    selection: Selection,
    parameters: PathwayParameters,
    { signal }: Waiting,
  ): Promise<PathwayResult> {
    const library = await this.#load(parameters.library_name);
    const dataset = datasetOf(selection);
    const { pathway_genes: genes } = parameters;
    const key = JSON.stringify([dataset.id, dataset.version, library.name, library.version, genes]);
    const task = {
      kind: 'enrich',
      dataset,
      library: library.name,
      libraryVersion: library.version,
      genes,
    } as const;
    const result =
      this.#cache.get(key) ??
      (await this.#running.run(key, signal, async (shared) => {
        const tested = await this.#compute.run(task, shared);
        this.#cache.set(key, tested);
        return tested;
      }));
    if (result.queryGenes.length === 0) throw noGenesFound('the list', result.notInBackground);
    return { result, library };
  }

  /** Version of a library; throws as `run` does. */
  async version(libraryName: string): Promise<string> {
    return (await this.#load(libraryName)).version;
  }

  async #load(name: string): Promise<LoadedLibrary> {
    try {
      return await this.#libraries.load(name);
    } catch (error) {
      if (error instanceof UnknownLibrary) {
        throw new ApiFailure(400, 'unknown_library', error.message, { cause: error });
      }
      if (error instanceof LibraryDamaged) {
        throw new ApiFailure(409, 'library_damaged', error.message, { cause: error });
      }
      throw error;
    }
  }
}
