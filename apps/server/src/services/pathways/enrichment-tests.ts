import type { EnrichmentResult } from '@cellfolio/analysis';
import type { PathwayParameters } from '@cellfolio/contract';
import type { Compute } from '../../compute/compute-pool.ts';
import { LibraryDamaged, UnknownLibrary } from '../../gene-sets/errors.ts';
import type { GeneSetLibraries, LoadedLibrary } from '../../gene-sets/gene-set-store.ts';
import { ApiFailure } from '../api-failure.ts';
import { noGenesFound } from '../gene-lookup.ts';
import { datasetOf, type Selection, type Waiting } from '../selection.ts';

export interface PathwayResult {
  readonly result: EnrichmentResult;
  readonly library: LoadedLibrary;
}

/** gseapy's `enrich` against the genes of the dataset. */
export class EnrichmentTests {
  readonly #compute: Compute;
  readonly #libraries: GeneSetLibraries;

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
    const task = {
      kind: 'enrich',
      dataset: datasetOf(selection),
      library: library.name,
      libraryVersion: library.version,
      genes: parameters.pathway_genes,
    } as const;
    const result = await this.#compute.run(task, signal);
    if (result.queryGenes.length === 0) throw noGenesFound('the list', result.notInBackground);
    return { result, library };
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
