import type { DatasetRef, Task } from '../../runtime/compute/task.ts';
import {
  type CompiledLibrary,
  type EnrichmentResult,
  type Species,
  type SpeciesGuess,
} from '@cellfolio/analysis';
import { type PackedStrings } from '@cellfolio/model';
import type { OrthologueTable } from '../gene-sets/index.ts';

/** The sets of a library as numbers of the genes of a background. */
export interface CompileTask extends Task<LibraryOfDataset> {
  readonly kind: 'compile';
  readonly dataset: DatasetRef;
  readonly library: string;
  /** The library at one version, so that a replaced one is not mixed up with what was listed. */
  readonly libraryVersion: string;
  readonly background: BackgroundChoice;
  /** Species of the dataset, and whether it is certain enough to compare. */
  readonly species: DatasetSpecies;
  /** Tables between the species of the dataset and others, one at most of which is used. */
  readonly orthologues: readonly OrthologueTable[];
  /** Species to which there is a table that cannot be read. */
  readonly damagedTables: readonly Species[];
}

/** Which genes the list could have been drawn from. */
export type BackgroundChoice =
  | { readonly kind: 'dataset' | 'library' }
  /** Rows in var. */
  | { readonly kind: 'expressed'; readonly rows: Int32Array }
  /** Symbols, or ids of the dataset. */
  | { readonly kind: 'own'; readonly genes: readonly string[] };

export interface DatasetSpecies extends Omit<SpeciesGuess, 'by'> {
  /** `request` where the caller says it, who then answers for comparing genes by name. */
  readonly by: SpeciesGuess['by'] | 'request';
}

/** How genes were mapped to their orthologues. */
export interface OrthologueUse {
  readonly from: Species;
  readonly to: Species;
  readonly table: string;
  readonly mapped: number;
  readonly unmapped: number;
  readonly merged: number;
}

/** Genes of a background in shared memory. */
export interface PackedBackground {
  readonly symbols: PackedStrings;
  /** What the library calls each of them, where its species is another. */
  readonly keys: PackedStrings | undefined;
  /** How many symbols, at the end, are names that only the library has. */
  readonly libraryOnly: number;
}

export interface LibraryOfDataset {
  /** In shared memory: all threads test against the same. */
  readonly compiled: CompiledLibrary;
  readonly background: PackedBackground;
  /** Genes of the background that the dataset does not have. */
  readonly notInDataset: number;
  readonly species: SpeciesGuess;
  readonly orthologues: OrthologueUse | undefined;
  /** What is doubtful about the library, in sentences. */
  readonly warnings: readonly string[];
}

/** Over-representation of genes in the sets of a library, against the background it was compiled for. */
export interface EnrichTask extends Task<RankedSets> {
  readonly kind: 'enrich';
  readonly dataset: DatasetRef;
  readonly compiled: CompiledLibrary;
  readonly background: PackedBackground;
  /** Names the background, so that a thread that has just used it need not unpack it again. */
  readonly backgroundKey: string;
  /** Symbols, or ids of the dataset. */
  readonly genes: readonly string[];
}

/** The sets that share a gene with the list. */
export interface RankedSets extends EnrichmentResult {
  /** Positions of the rows, the most significant first. */
  readonly order: Int32Array;
  /** Genes of the list that the dataset does not have, as they were given; they are in `notInBackground` too. */
  readonly notInDataset: readonly string[];
}
