import {
  type CompileTask,
  type PackedBackground,
  type LibraryOfDataset,
  type EnrichTask,
  type RankedSets,
  backgroundGenes,
} from './background-genes.ts';
import { taskKind, type TaskKind } from '../../runtime/compute/task.ts';
import {
  GeneBackground,
  bySignificance,
  compileLibrary,
  detectSpecies,
  overRepresentation,
} from '@cellfolio/analysis';
import { type PackedStrings, packStrings, sharedCopy, unpackStrings } from '@cellfolio/model';
import type { Dataset, ObjectStore } from '@cellfolio/store';
import { otherNamesAmong } from '../../runtime/gene-names/named-genes.ts';
import { GeneSetLibraries } from '../gene-sets/index.ts';

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
): Promise<LibraryOfDataset> {
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

/**
 * Tests genes against a library. A gene may be given as any id of the dataset. When genes are mapped to orthologues, a
 * gene of the dataset is never looked up by its name in the library, where the name may mean another gene.
 */
export function enrich(task: EnrichTask, dataset: Dataset): RankedSets {
  const { compiled, genes } = task;
  const background = backgroundOf(task);
  const notInDataset = new Set<string>();
  const isMapped = task.background.keys !== undefined;
  const find = (gene: string): number | undefined => {
    const row = dataset.genes.find(gene);
    if (row === undefined) {
      notInDataset.add(gene.toUpperCase());
      return background.find(gene);
    }
    const number = background.numberOfOwn(dataset.genes.symbols[row]!);
    return number ?? (isMapped ? undefined : background.find(gene));
  };
  const result = overRepresentation(compiled, background, genes, find);
  return {
    ...result,
    order: bySignificance(result),
    notInDataset: result.notInBackground.filter((gene) => notInDataset.has(gene.toUpperCase())),
    renamed: otherNamesAmong(dataset.genes, genes),
  };
}

/** Backgrounds unpacked by this thread, most recently used last: a few megabytes each. */
const unpacked = new Map<string, GeneBackground>();
const maxUnpacked = 4;

function backgroundOf({ background: packed, backgroundKey: key }: EnrichTask): GeneBackground {
  const background = unpacked.get(key) ?? unpack(packed);
  unpacked.delete(key);
  unpacked.set(key, background);
  if (unpacked.size > maxUnpacked) unpacked.delete(unpacked.keys().next().value!);
  return background;
}

function unpack({ symbols, keys, libraryOnly }: PackedBackground): GeneBackground {
  return new GeneBackground(unpackStrings(symbols), keys && unpackStrings(keys), libraryOnly);
}

function sharedStrings({ bytes, offsets }: PackedStrings): PackedStrings {
  return { bytes: sharedCopy(bytes), offsets: sharedCopy(offsets) };
}

export function pathwayTasks(objects: ObjectStore): TaskKind[] {
  const libraries = new GeneSetLibraries(objects);
  return [
    taskKind<CompileTask>('compile', (task, { dataset }) => compile(task, dataset, libraries)),
    taskKind<EnrichTask>('enrich', (task, { dataset }) => enrich(task, dataset)),
  ];
}
