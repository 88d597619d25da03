import { bySignificance, compileLibrary, GeneBackground, overRepresentation } from '@cellfolio/analysis';
import type { Dataset } from '@cellfolio/store';
import type { GeneSetLibraries } from '../gene-sets/gene-set-store.ts';
import { sharedCopy } from './shared.ts';
import type { CompileTask, EnrichTask, LibraryOfDataset, RankedSets } from './task.ts';

/** The library was replaced between the moment it was looked up and the moment it was tested. */
export class LibraryChanged extends Error {
  override readonly name = 'LibraryChanged';

  constructor(library: string) {
    super(`The library ${library} has just been replaced. Please try again.`);
  }
}

/** The genes of open datasets by name; gone with the dataset. */
const backgrounds = new WeakMap<Dataset, GeneBackground>();

function backgroundOf(dataset: Dataset): GeneBackground {
  let background = backgrounds.get(dataset);
  if (!background) {
    background = new GeneBackground(dataset.genes.symbols);
    backgrounds.set(dataset, background);
  }
  return background;
}

/** Reads a library for a dataset, to be kept and shared. Throws UnknownLibrary, LibraryDamaged, LibraryChanged. */
export async function compile(
  task: CompileTask,
  dataset: Dataset,
  libraries: GeneSetLibraries,
): Promise<LibraryOfDataset> {
  const { sets, version, warnings } = await libraries.read(task.library);
  if (version !== task.libraryVersion) throw new LibraryChanged(task.library);
  const { names, starts, genes, logFactorials } = compileLibrary(sets, backgroundOf(dataset));
  return {
    compiled: {
      names: { bytes: sharedCopy(names.bytes), offsets: sharedCopy(names.offsets) },
      starts: sharedCopy(starts),
      genes: sharedCopy(genes),
      logFactorials: sharedCopy(logFactorials),
    },
    warnings,
  };
}

/** Tests genes against a library. A gene may be named by any id of the dataset. */
export function enrich({ compiled, genes }: EnrichTask, dataset: Dataset): RankedSets {
  const background = backgroundOf(dataset);
  const symbols = genes.map((gene) => {
    if (background.numberOf(gene.trim()) !== undefined) return gene;
    const row = dataset.genes.find(gene);
    return row === undefined ? gene : dataset.genes.symbols[row]!;
  });
  const result = overRepresentation(compiled, background, symbols);
  return { ...result, order: bySignificance(result) };
}
