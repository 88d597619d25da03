import { detectSpecies, isGeneId, type SpeciesGuess } from '@cellfolio/analysis';
import { stringAt, unpackStrings } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';

const guesses = new WeakMap<Dataset['genes'], SpeciesGuess>();

/** The species of a dataset's genes, detected once. */
export function datasetSpecies({ genes }: Pick<Dataset, 'genes'>): SpeciesGuess {
  let guess = guesses.get(genes);
  if (!guess) {
    guess = detectSpecies(genes.symbols, genes.ids.map(unpackStrings));
    guesses.set(genes, guess);
  }
  return guess;
}

/** The stable id of a gene without its version; undefined when the dataset has none. */
export function stableId({ genes }: Dataset, row: number): string | undefined {
  const names = [...genes.ids.map((ids) => stringAt(ids, row)), genes.symbols[row]!];
  return names.find(isGeneId)?.replace(/\.\d+$/, '');
}
