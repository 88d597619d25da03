import { cellStateNames } from '@cellfolio/contract';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { GeneSetLibraries, LoadedLibrary } from '../gene-sets/index.ts';

/** The genes of a hallmark state, and the library they come from. Throws ApiFailure 400 for another name. */
export async function cellStateGenes(
  libraries: GeneSetLibraries,
  cellState: string,
): Promise<{ name: string; genes: readonly string[]; library: LoadedLibrary }> {
  const name = cellState.toUpperCase();
  if (!cellStateNames.includes(name)) {
    throw new ApiFailure(
      400,
      'unknown_cell_state',
      `There is no cell state ${JSON.stringify(cellState)}. Choose one of the fifty hallmark states, such as HYPOXIA.`,
      { details: { known: cellStateNames } },
    );
  }
  const library = await libraries.cellStates();
  return { name, genes: library.sets.find((set) => set.name === name)?.genes ?? [], library };
}
