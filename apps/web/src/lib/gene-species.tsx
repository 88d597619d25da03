import type { DatasetAnalysis } from '@cellfolio/contract';

export interface GeneNote {
  text: string;
  /** The server would refuse the genes. */
  isRefused: boolean;
}

/** Tells how a set of genes of some species is used on a dataset; undefined where both are of one species. */
export function speciesNote(
  { name, mapped, named_as_human: isNamedAsHuman }: DatasetAnalysis['species'],
  setSpecies: string,
): GeneNote | undefined {
  if (name === setSpecies) return undefined;
  if (name === null) {
    const text = `The gene names of this dataset do not identify their species: ${setSpecies} genes are compared by name.`;
    return { text, isRefused: false };
  }
  if (mapped.some((other) => other === setSpecies)) {
    const text = `This dataset has ${name} genes: ${setSpecies} ones are mapped to them by orthologues. The result says how many have none.`;
    return { text, isRefused: false };
  }
  if (isNamedAsHuman && setSpecies === 'human') {
    const text = `This dataset has ${name} genes, which are named after the human ones: they are compared by name.`;
    return { text, isRefused: false };
  }
  const text = `Not for this dataset: it has ${name} genes, and the server has no table that maps ${setSpecies} ones to them.`;
  return { text, isRefused: true };
}

export function GeneNoteLine({ note }: { note: GeneNote | undefined }) {
  if (note === undefined) return null;
  return <p className={note.isRefused ? 'text-warning text-xs' : 'text-muted text-xs'}>{note.text}</p>;
}
