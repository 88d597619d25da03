import type { FieldNote } from './form.ts';

/** A list of the server that a form offers, and how much of it the open dataset has. */
export interface OfferedList {
  readonly name: string;
  readonly title: string;
  /** Size, release and licence. */
  readonly about: string;
  /** Species of its genes; undefined where that is not known before the run. */
  readonly species?: string;
  /** Markers or pairs: of the list, of those the ones in the dataset, and the markers of the largest type there. */
  readonly total: number;
  readonly foundCount: number;
  readonly largestType: number;
}

/** Species of the genes of a dataset, as `DatasetAnalysis` has it. */
export interface DatasetSpecies {
  /** Null where the names do not identify it. */
  readonly name: string | null;
  /** Species whose genes are mapped to those of the dataset. */
  readonly mapped: readonly string[];
  readonly named_as_human: boolean;
}

export interface GeneNote {
  readonly text: string;
  /** The server would refuse the genes. */
  readonly isRefused: boolean;
}

/** Tells how genes of some species are used on a dataset; undefined where both are of one species. */
export function speciesNote(
  { name, mapped, named_as_human: isNamedAsHuman }: DatasetSpecies,
  setSpecies: string,
): GeneNote | undefined {
  if (name === setSpecies) return undefined;
  if (name === null) {
    const text = `The gene names of this dataset do not identify their species: ${setSpecies} genes are compared by name.`;
    return { text, isRefused: false };
  }
  if (mapped.includes(setSpecies)) {
    const text = `This dataset has ${name} genes: ${setSpecies} ones are mapped to them by orthologs. The result says how many have none.`;
    return { text, isRefused: false };
  }
  if (isNamedAsHuman && setSpecies === 'human') {
    const text = `This dataset has ${name} genes, which are named after the human ones: they are compared by name.`;
    return { text, isRefused: false };
  }
  const text = `Not for this dataset: it has ${name} genes, and the server has no table that maps ${setSpecies} ones to them.`;
  return { text, isRefused: true };
}

/** Whether the server would refuse a list: its species cannot be mapped, or `note` says why. */
export function isRefusedList(
  { species }: { readonly species?: DatasetSpecies },
  list: OfferedList | undefined,
  note: FieldNote | undefined,
): boolean {
  const ofSpecies = species && list?.species !== undefined && speciesNote(species, list.species);
  return (ofSpecies && ofSpecies.isRefused) || note?.problem !== undefined;
}
