import { GeneBackground, compileLibrary, detectSpecies } from '@cellfolio/analysis';
import { type PackedStrings, packStrings, sharedCopy } from '@cellfolio/model';
import type { Dataset, ObjectStore } from '@cellfolio/store';
import { taskKind, type TaskKind } from '../../runtime/compute/task.ts';
import { otherNamesAmong } from '../../runtime/gene-names/named-genes.ts';
import { GeneSetLibraries } from '../gene-sets/index.ts';
import { backgroundGenes, type CompiledForDataset, type CompileTask } from './background-genes.ts';

export class LibraryChanged extends Error {
  override readonly name = 'LibraryChanged';

  constructor(library: string) {
    super(`The library ${library} has just been replaced. Please try again.`);
  }
}

/**
 * Reads a library for a background, to be cached and shared. Throws UnknownLibrary, LibraryDamaged, LibraryChanged,
 * SpeciesMismatch, NoGeneSymbols.
 */
export async function compile(
  task: CompileTask,
  dataset: Dataset,
  libraries: GeneSetLibraries,
): Promise<CompiledForDataset> {
  const { sets, version, warnings } = await libraries.read(task.library);
  if (version !== task.libraryVersion) throw new LibraryChanged(task.library);
  const species = detectSpecies(sets.symbols);
  // Names of another species are mapped by a table of orthologues, or compared as they are.
  const isOther = species.species !== undefined && species.species !== task.species.species;
  const renamed = isOther ? [] : otherNamesAmong(dataset.genes, sets.symbols);
  const nameOf = new Map(renamed.map(({ given: input, gene }) => [input, gene]));
  const named = { ...sets, symbols: sets.symbols.map((symbol) => nameOf.get(symbol) ?? symbol) };
  const { symbols, keys, libraryOnly, notInDataset, orthologues } = backgroundGenes({
    task,
    genes: dataset.genes,
    // If a set came twice, the symbols of the first are not used.
    library: {
      name: task.library,
      species,
      symbols: Array.from(new Set(named.genes), (gene) => named.symbols[gene]!),
    },
  });
  const compiled = compileLibrary(named, new GeneBackground(symbols, keys, libraryOnly));
  const { names, starts, genes, logFactorials } = compiled;
  return {
    compiled: {
      ...compiled,
      names: sharedStrings(names),
      starts: sharedCopy(starts),
      genes: sharedCopy(genes),
      logFactorials: sharedCopy(logFactorials),
    },
    background: {
      symbols: sharedStrings(packStrings(symbols)),
      keys: keys && sharedStrings(packStrings(keys)),
      libraryOnly,
    },
    notInDataset,
    species,
    orthologues,
    renamed,
    warnings,
  };
}

function sharedStrings({ bytes, offsets }: PackedStrings): PackedStrings {
  return { bytes: sharedCopy(bytes), offsets: sharedCopy(offsets) };
}

export function libraryTasks(objects: ObjectStore): TaskKind[] {
  const libraries = new GeneSetLibraries(objects);
  return [taskKind<CompileTask>('compile', (task, { dataset }) => compile(task, dataset, libraries))];
}
