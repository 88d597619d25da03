import type { DatasetLibrary, LibraryRequest } from '@cellfolio/analyses/serve';
import { ByteCache } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { JoinedWork, type CallContext } from '../../runtime/compute/analysis-work.ts';
import { type Compute, ComputeFailure } from '../../runtime/compute/compute-pool.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import {
  type GeneSetLibraries,
  LibraryDamaged,
  type LibraryHead,
  originOf,
  type OrthologueTables,
  type TablesOfSpecies,
  UnknownLibrary,
} from '../gene-sets/index.ts';
import { datasetOf, keysOfDataset, type Selection } from '../selection/index.ts';
import type { CompiledForDataset, CompileTask } from './background-genes.ts';
import type { GeneBackgrounds } from './gene-backgrounds.ts';
import { libraryCautions } from './library-cautions.ts';

const refusals: ReadonlyMap<string, readonly [status: number, code: string]> = new Map([
  ['LibraryDamaged', [409, 'library_damaged']],
  ['InvalidGmt', [409, 'library_damaged']],
  ['SpeciesMismatch', [422, 'species_mismatch']],
  ['NoGeneSymbols', [422, 'no_gene_symbols']],
]);
/** Libraries of about ten million genes in sets; the four offered ones take a tenth of it for each dataset. */
const libraryBytes = 64 * 1024 * 1024;

interface LibraryDeps {
  compute: Compute;
  libraries: GeneSetLibraries;
  backgrounds: Pick<GeneBackgrounds, 'of'>;
  orthologues: Pick<OrthologueTables, 'of' | 'version'>;
}

/** Libraries of gene sets against the genes that a list could have been drawn from: read once, whichever thread uses them. */
export class DatasetLibraries {
  readonly #deps: LibraryDeps;
  readonly #compiled = new ByteCache<string, CompiledForDataset>(libraryBytes, sizeOfLibrary);
  readonly #compiling = new JoinedWork<CompiledForDataset>();

  constructor(deps: LibraryDeps) {
    this.#deps = deps;
  }

  /**
   * Throws ApiFailure 400 when the library does not exist, 409 when it is damaged, 422 when dataset and library are of
   * different species and no table maps their genes, and when the dataset has no symbols.
   */
  async of(selection: Selection, request: LibraryRequest, call: CallContext): Promise<DatasetLibrary> {
    const head = await this.#head(request.library_name);
    const chosen = await this.#deps.backgrounds.of(selection, request, call);
    const dataset = datasetOf(selection);
    const tables = await this.#deps.orthologues.version();
    const { choice, key: ofBackground, species } = chosen;
    const parts = JSON.stringify([ofBackground, species.species ?? null, tables]);
    const key = `${dataset.id}@${dataset.version}|${JSON.stringify([head.name, head.version])}|${parts}`;
    const task = {
      dataset,
      library: head.name,
      libraryVersion: head.version,
      background: choice,
      species,
    };
    const compiled =
      this.#compiled.get(key) ??
      (await this.#compiling.run(key, call, async (joined) => {
        const made = await this.#compile(task, joined);
        this.#compiled.set(key, made);
        return made;
      }));
    const { activeCells, datasetGenes, requiredCells, expressedGenes } = chosen;
    return {
      ...compiled,
      key,
      origin: { ...originOf(head), set_count: head.setCount },
      chosen: { kind: choice.kind, activeCells, datasetGenes, requiredCells, expressedGenes },
      datasetSpecies: species,
      cautions: libraryCautions(compiled, species),
    };
  }

  get caches(): NamedCaches {
    return [['libraries', this.#compiled.use]];
  }

  forget(datasetId: string): void {
    this.#compiled.forget(keysOfDataset(datasetId));
  }

  /** Throws as `of`. */
  async version(_source: 'gene-sets', { name }: { readonly name: string }): Promise<string> {
    return (await this.#head(name)).version;
  }

  mappingVersion(): Promise<string> {
    return this.#deps.orthologues.version();
  }

  refuseReplaced(
    _source: 'gene-sets',
    list: { readonly name: string; readonly version: string },
    version: string | undefined,
  ): void {
    if (version === undefined || version === list.version) return;
    const message = `The library ${list.name} has been replaced since this figure was made. Run the analysis again.`;
    throw new ApiFailure(409, 'library_changed', message);
  }

  /** Orthologue tables are read only when the species turn out to differ. */
  async #compile(
    task: Omit<CompileTask, 'kind' | 'orthologues' | 'damagedTables'>,
    call: CallContext,
  ): Promise<CompiledForDataset> {
    const { compute, orthologues } = this.#deps;
    const run = ({ tables, damaged }: TablesOfSpecies) =>
      compute.run<CompileTask>(
        { kind: 'compile', isLong: true, ...task, orthologues: tables, damagedTables: damaged },
        call,
      );
    try {
      try {
        return await run({ tables: [], damaged: [] });
      } catch (error) {
        const { species } = task.species;
        const isMismatch = error instanceof ComputeFailure && error.tag === 'SpeciesMismatch';
        if (!isMismatch || species === undefined) throw error;
        const installed = await orthologues.of(species);
        if (installed.tables.length + installed.damaged.length === 0) throw error;
        return await run(installed);
      }
    } catch (error) {
      const refusal = error instanceof ComputeFailure ? refusals.get(error.tag) : undefined;
      if (!refusal) throw error;
      throw new ApiFailure(...refusal, (error as ComputeFailure).message, { cause: error });
    }
  }

  async #head(name: string): Promise<LibraryHead> {
    try {
      return await this.#deps.libraries.head(name);
    } catch (error) {
      if (error instanceof UnknownLibrary) {
        throw new ApiFailure(400, 'unknown_library', error.message, {
          details: [{ field: 'library_name', problem: 'is not a library of this server' }],
          cause: error,
        });
      }
      if (error instanceof LibraryDamaged) {
        throw new ApiFailure(409, 'library_damaged', error.message, { cause: error });
      }
      throw error;
    }
  }
}

function sizeOfLibrary({ compiled, background: { symbols, keys } }: CompiledForDataset): number {
  const { names, starts, genes, logFactorials } = compiled;
  const strings = [names, symbols, ...(keys ? [keys] : [])];
  return [starts, genes, logFactorials, ...strings.flatMap(({ bytes, offsets }) => [bytes, offsets])].reduce(
    (sum, { byteLength }) => sum + byteLength,
    0,
  );
}
