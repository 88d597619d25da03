import type { PathwayParameters } from '@cellfolio/contract';
import { ByteCache, SharedWork } from '@cellfolio/store';
import { type Compute, ComputeFailure } from '../../compute/compute-pool.ts';
import type { DatasetRef, LibraryOfDataset, RankedSets } from '../../compute/task.ts';
import { LibraryDamaged, UnknownLibrary } from '../../gene-sets/errors.ts';
import type { GeneSetLibraries, LibraryHead } from '../../gene-sets/gene-set-store.ts';
import { ApiFailure } from '../api-failure.ts';
import { noGenesFound } from '../gene-lookup.ts';
import type { NamedCaches } from '../named-caches.ts';
import { datasetOf, keysOfDataset, type Selection, type Waiting } from '../selection.ts';

export interface PathwayResult {
  readonly result: RankedSets;
  readonly library: LibraryHead & Pick<LibraryOfDataset, 'warnings'>;
}

/** What a thread calls a text that cannot be used. */
const damagedTags = new Set(['LibraryDamaged', 'InvalidGmt']);
/** Libraries of some ten million genes in sets; the four offered ones take a tenth of it for each dataset. */
const libraryBytes = 64 * 1024 * 1024;
const resultBytes = 16 * 1024 * 1024;
/** The numbers of a row and its term. */
const bytesPerRow = 150;

/** gseapy's `enrich` against the genes of the dataset; the table and the figure of one call share the test. */
export class EnrichmentTests {
  readonly #compute: Compute;
  readonly #libraries: GeneSetLibraries;
  readonly #compiled = new ByteCache<string, LibraryOfDataset>(libraryBytes, sizeOfLibrary);
  readonly #compiling = new SharedWork<string, LibraryOfDataset>();
  readonly #cache = new ByteCache<string, RankedSets>(
    resultBytes,
    ({ terms, overlaps, queryGenes }) =>
      terms.length * bytesPerRow + overlaps.byteLength + queryGenes.length * 16,
  );
  readonly #running = new SharedWork<string, RankedSets>();

  constructor(parts: { compute: Compute; libraries: GeneSetLibraries }) {
    this.#compute = parts.compute;
    this.#libraries = parts.libraries;
  }

  /**
   * Throws ApiFailure 400 for a library that is not there, 409 where it is not at the version asked for any more, 422
   * where the dataset has none of the genes.
   */
  async run(
    selection: Selection,
    parameters: PathwayParameters & { readonly library_version?: string | undefined },
    { signal }: Waiting,
  ): Promise<PathwayResult> {
    const head = await this.#head(parameters.library_name);
    const { library_version: version = head.version } = parameters;
    if (version !== head.version) throw libraryReplaced(head.name);
    const dataset = datasetOf(selection);
    const { compiled, warnings } = await this.#libraryOf(dataset, head, signal);
    const { pathway_genes: genes } = parameters;
    const key = `${keyOfLibrary(dataset, head)}|${JSON.stringify(genes)}`;
    const result =
      this.#cache.get(key) ??
      (await this.#running.run(key, signal, async (shared) => {
        const tested = await this.#compute.run({ kind: 'enrich', dataset, compiled, genes }, shared);
        this.#cache.set(key, tested);
        return tested;
      }));
    if (result.queryGenes.length === 0) throw noGenesFound('the list', result.notInBackground);
    return { result, library: { ...head, warnings } };
  }

  get caches(): NamedCaches {
    return [
      ['libraries', this.#compiled.use],
      ['pathways', this.#cache.use],
    ];
  }

  forget(datasetId: string): void {
    this.#compiled.forget(keysOfDataset(datasetId));
    this.#cache.forget(keysOfDataset(datasetId));
  }

  /** Version of a library; throws as `run` does. */
  async version(libraryName: string): Promise<string> {
    return (await this.#head(libraryName)).version;
  }

  /** The library against the genes of the dataset: read once, whichever thread then tests with it. */
  async #libraryOf(dataset: DatasetRef, head: LibraryHead, signal: AbortSignal): Promise<LibraryOfDataset> {
    const key = keyOfLibrary(dataset, head);
    const known = this.#compiled.get(key);
    if (known) return known;
    return this.#compiling.run(key, signal, async (shared) => {
      const task = { kind: 'compile', dataset, library: head.name, libraryVersion: head.version } as const;
      try {
        const compiled = await this.#compute.run(task, shared);
        this.#compiled.set(key, compiled);
        return compiled;
      } catch (error) {
        if (!(error instanceof ComputeFailure)) throw error;
        // Its record was sound, its text is not.
        if (!damagedTags.has(error.tag)) throw error;
        throw new ApiFailure(409, 'library_damaged', error.message, { cause: error });
      }
    });
  }

  async #head(name: string): Promise<LibraryHead> {
    try {
      return await this.#libraries.head(name);
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

function libraryReplaced(name: string): ApiFailure {
  return new ApiFailure(
    409,
    'library_changed',
    `The library ${name} has been replaced since this figure was made, so it would show other results. Run the analysis again.`,
  );
}

/** Visible cache key of a library against the genes of a dataset. */
function keyOfLibrary({ id, version }: DatasetRef, library: LibraryHead): string {
  return `${id}@${version}|${JSON.stringify([library.name, library.version])}`;
}

function sizeOfLibrary({ compiled: { names, starts, genes, logFactorials } }: LibraryOfDataset): number {
  return (
    names.bytes.byteLength +
    names.offsets.byteLength +
    starts.byteLength +
    genes.byteLength +
    logFactorials.byteLength
  );
}
