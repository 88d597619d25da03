import type { GeneIndex } from './gene-index.ts';
import { matchGene } from './gene-index.ts';

export interface GeneEntry {
  /** To be added, as the dataset spells them. */
  added: string[];
  /** Not in the dataset, in upper case. */
  unknown: string[];
}

/** Reads what was typed: pieces between commas, trimmed, upper-cased, matched with the dataset's genes. */
export function readGeneEntry(text: string, index: GeneIndex, chosen: readonly string[]): GeneEntry {
  return readPieces(text.split(','), index, chosen);
}

/** Reads a pasted list, as from a column of a spreadsheet: any white space, comma or semicolon parts two genes. */
export function readPastedGenes(text: string, index: GeneIndex, chosen: readonly string[]): GeneEntry {
  return readPieces(text.split(/[\s,;]+/), index, chosen);
}

/** Whether a pasted text is a list rather than a piece of one name. */
export function isGeneList(text: string): boolean {
  return /\S[\s,;]+\S/.test(text.trim());
}

function readPieces(pieces: readonly string[], index: GeneIndex, chosen: readonly string[]): GeneEntry {
  const taken = new Set(chosen);
  const added: string[] = [];
  const unknown = new Set<string>();
  for (const piece of pieces) {
    const name = piece.trim().toUpperCase();
    if (name === '') continue;
    const symbol = matchGene(index, name);
    if (symbol === undefined) unknown.add(name);
    else if (!taken.has(symbol)) {
      taken.add(symbol);
      added.push(symbol);
    }
  }
  return { added, unknown: Array.from(unknown) };
}
