import type { PathwayParameters } from '@cellfolio/contract';
import { listedNames } from '@cellfolio/model';
import { ByteCache } from '@cellfolio/store';
import { type Compute, ComputeFailure } from '../../runtime/compute/compute-pool.ts';
import type { CompileTask, EnrichTask, LibraryOfDataset, RankedSets } from './background-genes.ts';
import type { DatasetRef } from '../../runtime/compute/task.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { JoinedWork, type CallContext } from '../../runtime/compute/analysis-work.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import type { ChosenBackground, EnrichmentBackgrounds } from './enrichment-background.ts';
import {
  type GeneSetLibraries,
  LibraryDamaged,
  type LibraryHead,
  type OrthologueTables,
  type TablesOfSpecies,
  UnknownLibrary,
} from '../gene-sets/index.ts';
import { noGenesFound } from '../catalogue/index.ts';
import { datasetOf, keysOfDataset, type Selection } from '../selection/index.ts';

export interface PathwayResult {
  result: RankedSets;
  library: LibraryHead & LibraryOfDataset;
  background: ChosenBackground;
  parameters: PathwayParameters;
}

const refusals: ReadonlyMap<string, readonly [status: number, code: string]> = new Map([
  ['LibraryDamaged', [409, 'library_damaged']],
  ['InvalidGmt', [409, 'library_damaged']],
  ['SpeciesMismatch', [422, 'species_mismatch']],
  ['NoGeneSymbols', [422, 'no_gene_symbols']],
]);
/** Libraries of about ten million genes in sets; the four offered ones take a tenth of it for each dataset. */
const libraryBytes = 64 * 1024 * 1024;
const resultBytes = 16 * 1024 * 1024;
const bytesPerRow = 150;

export class EnrichmentTests {
  readonly #compute: Compute;
  readonly #libraries: GeneSetLibraries;
  readonly #backgrounds: Pick<EnrichmentBackgrounds, 'of'>;
  readonly #orthologues: Pick<OrthologueTables, 'of' | 'version'>;
  readonly #compiled = new ByteCache<string, LibraryOfDataset>(libraryBytes, sizeOfLibrary);
  readonly #compiling = new JoinedWork<LibraryOfDataset>();
  readonly #cache = new ByteCache<string, RankedSets>(
    resultBytes,
    ({ terms, overlaps, queryGenes, notInBackground }) =>
      terms.length * bytesPerRow + overlaps.byteLength + (queryGenes.length + notInBackground.length) * 16,
  );
  readonly #running = new JoinedWork<RankedSets>();

  constructor(deps: {
    compute: Compute;
    libraries: GeneSetLibraries;
    backgrounds: Pick<EnrichmentBackgrounds, 'of'>;
    orthologues: Pick<OrthologueTables, 'of' | 'version'>;
  }) {
    this.#compute = deps.compute;
    this.#libraries = deps.libraries;
    this.#backgrounds = deps.backgrounds;
    this.#orthologues = deps.orthologues;
  }

  /**
   * Throws ApiFailure 400 when the library does not exist, 409 when it is no longer at the requested version, 422 when
   * no gene of the list is in the background, when dataset and library are of different species and no table maps their
   * genes, and when the dataset has no symbols.
   */
  async run(
    selection: Selection,
    parameters: PathwayParameters & { library_version?: string | undefined },
    call: CallContext,
  ): Promise<PathwayResult> {
    const head = await this.#head(parameters.library_name);
    const { library_version: version = head.version, pathway_genes: genes } = parameters;
    if (version !== head.version) throw libraryReplaced(head.name);
    const dataset = datasetOf(selection);
    const background = await this.#backgrounds.of(selection, parameters, call);
    const { key: backgroundKey, library } = await this.#libraryOf(dataset, head, background, call);
    const key = `${backgroundKey}|${JSON.stringify(genes)}`;
    const result =
      this.#cache.get(key) ??
      (await this.#running.run(key, call, async (joined) => {
        const { compiled, background: packed } = library;
        const task = {
          kind: 'enrich',
          isLong: true,
          dataset,
          compiled,
          background: packed,
          backgroundKey,
          genes,
        } as const;
        const tested = await this.#compute.run<EnrichTask>(task, joined);
        this.#cache.set(key, tested);
        return tested;
      }));
    if (result.queryGenes.length === 0) throw nothingToTest(result, library.orthologues !== undefined);
    return { result, library: { ...head, ...library }, background, parameters };
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

  /** Throws as `run`. */
  async version(libraryName: string): Promise<string> {
    return (await this.#head(libraryName)).version;
  }

  /** Versions of everything that results depend on besides the dataset and the parameters; throws as `run`. */
  async dependencies(libraryName: string): Promise<string> {
    return `${await this.version(libraryName)}|${await this.#orthologues.version()}`;
  }

  /** A library against the caller's genes; throws as `run`. */
  async libraryOf(
    selection: Selection,
    libraryRequest: Pick<PathwayParameters, 'library_name' | 'species'> & {
      version?: string | undefined;
    },
    genes: readonly string[],
    call: CallContext,
  ): Promise<{ library: PathwayResult['library']; background: ChosenBackground }> {
    const head = await this.#head(libraryRequest.library_name);
    if (libraryRequest.version !== undefined && libraryRequest.version !== head.version)
      throw libraryReplaced(head.name);
    const own = { background: { kind: 'own' as const, genes: [...genes] }, species: libraryRequest.species };
    const background = await this.#backgrounds.of(selection, own, call);
    const { library } = await this.#libraryOf(datasetOf(selection), head, background, call);
    return { library: { ...head, ...library }, background };
  }

  /** The library against a background: read once, whichever thread then uses it. */
  async #libraryOf(
    dataset: DatasetRef,
    head: LibraryHead,
    { choice, key: ofBackground, species }: ChosenBackground,
    call: CallContext,
  ): Promise<{ key: string; library: LibraryOfDataset }> {
    const tables = await this.#orthologues.version();
    const key = `${keyOfLibrary(dataset, head)}|${JSON.stringify([ofBackground, species.species ?? null, tables])}`;
    const cached = this.#compiled.get(key);
    if (cached) return { key, library: cached };
    const library = await this.#compiling.run(key, call, async (joined) => {
      const { name, version: libraryVersion } = head;
      const task = { dataset, library: name, libraryVersion, background: choice, species };
      try {
        const compiled = await this.#compile(task, joined);
        this.#compiled.set(key, compiled);
        return compiled;
      } catch (error) {
        const refusal = error instanceof ComputeFailure ? refusals.get(error.tag) : undefined;
        if (!refusal) throw error;
        throw new ApiFailure(...refusal, (error as ComputeFailure).message, { cause: error });
      }
    });
    return { key, library };
  }

  /** Orthologue tables are read only when the species turn out to differ. */
  async #compile(
    task: Omit<CompileTask, 'kind' | 'orthologues' | 'damagedTables'>,
    call: CallContext,
  ): Promise<LibraryOfDataset> {
    const run = ({ tables, damaged }: TablesOfSpecies) =>
      this.#compute.run<CompileTask>(
        { kind: 'compile', isLong: true, ...task, orthologues: tables, damagedTables: damaged },
        call,
      );
    try {
      return await run({ tables: [], damaged: [] });
    } catch (error) {
      const { species } = task.species;
      const isMismatch = error instanceof ComputeFailure && error.tag === 'SpeciesMismatch';
      if (!isMismatch || species === undefined) throw error;
      const installed = await this.#orthologues.of(species);
      if (installed.tables.length + installed.damaged.length === 0) throw error;
      return run(installed);
    }
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
    `The library ${name} has been replaced since this figure was made. Run the analysis again.`,
  );
}

/** Visible cache key of a library against the genes of a dataset. */
function keyOfLibrary({ id, version }: DatasetRef, library: LibraryHead): string {
  return `${id}@${version}|${JSON.stringify([library.name, library.version])}`;
}

function sizeOfLibrary({ compiled, background: { symbols, keys } }: LibraryOfDataset): number {
  const { names, starts, genes, logFactorials } = compiled;
  const strings = [names, symbols, ...(keys ? [keys] : [])];
  return [starts, genes, logFactorials, ...strings.flatMap(({ bytes, offsets }) => [bytes, offsets])].reduce(
    (sum, { byteLength }) => sum + byteLength,
    0,
  );
}

function nothingToTest({ notInBackground, notInDataset }: RankedSets, isMapped: boolean): ApiFailure {
  if (notInDataset.length === notInBackground.length) return noGenesFound('the list', notInBackground);
  const there = notInBackground.filter((gene) => !notInDataset.includes(gene));
  const advice = isMapped
    ? "They are not expressed, or have no orthologue in the library's species: use more genes, or a library of the dataset's species."
    : 'Lower the thresholds of the background, or choose another one.';
  return new ApiFailure(
    422,
    'no_genes_in_background',
    `None of the genes of the list is in the background, though the dataset has ${there.length === 1 ? 'one' : there.length.toLocaleString('en')} of them: ${listedNames(there)}. ${advice}`,
    { details: { not_found_genes: notInDataset, not_in_background_genes: there } },
  );
}
