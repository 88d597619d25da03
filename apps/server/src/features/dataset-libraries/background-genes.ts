import type { DatasetLibrary } from '@cellfolio/analyses/serve';
import { type Species, type SpeciesGuess, countGeneIds, namedAsHuman } from '@cellfolio/analysis';
import { unpackStrings } from '@cellfolio/model';
import type { GeneIndex } from '@cellfolio/store';
import type { DatasetRef, Task } from '../../runtime/compute/task.ts';
import type { OtherName } from '../../runtime/gene-names/named-genes.ts';
import { orthologuesBySymbol, type OrthologueTable } from '../gene-sets/index.ts';

export interface CompileTask extends Task<CompiledForDataset> {
  kind: 'compile';
  dataset: DatasetRef;
  library: string;
  /** Pins the library's version, so that a replaced library is not mixed up with the listed one. */
  libraryVersion: string;
  background: BackgroundChoice;
  /** Species of the dataset, and whether it is certain enough to compare. */
  species: DatasetSpecies;
  /** Tables between the species of the dataset and others, of which at most one is used. */
  orthologues: readonly OrthologueTable[];
  damagedTables: readonly Species[];
}

export type BackgroundChoice =
  | { kind: 'dataset' | 'library' }
  /** Rows in var. */
  | { kind: 'expressed'; rows: Int32Array }
  /** Symbols, or ids of the dataset. */
  | { kind: 'own'; genes: readonly string[] };

export type DatasetSpecies = DatasetLibrary['datasetSpecies'];
type OrthologueUse = NonNullable<DatasetLibrary['orthologues']>;

/** A library against the genes of a background, in shared memory: all threads use the same copy. */
export interface CompiledForDataset extends Pick<
  DatasetLibrary,
  'compiled' | 'background' | 'notInDataset' | 'species' | 'orthologues'
> {
  /** Genes of the library that the dataset calls otherwise. */
  renamed: readonly OtherName[];
  warnings: readonly string[];
}

/** Genes of one species would be compared by name with those of another. */
class SpeciesMismatch extends Error {
  override readonly name = 'SpeciesMismatch';
}

/** The dataset has ids in place of symbols, and the library has symbols. */
class NoGeneSymbols extends Error {
  override readonly name = 'NoGeneSymbols';
}

interface BackgroundInput {
  task: CompileTask;
  genes: GeneIndex;
  library: {
    name: string;
    species: SpeciesGuess;
    symbols: readonly string[];
  };
}

interface BackgroundGenes {
  symbols: readonly string[];
  /** The library's name of each gene; absent when it is the same. */
  keys: readonly string[] | undefined;
  /** Number of symbols, at the end, from a library of another species, which match no gene of the dataset. */
  libraryOnly: number;
  notInDataset: number;
  orthologues: OrthologueUse | undefined;
}

/**
 * The genes that the list could have been drawn from. When the library is of another species, they are mapped to their
 * orthologues. Throws SpeciesMismatch when no table for that is installed, NoGeneSymbols.
 */
export function backgroundGenes({ task, genes, library }: BackgroundInput): BackgroundGenes {
  refuseIdsAlone(genes.symbols, library.symbols);
  const table = orthologueTable(task, library);
  if (!table) {
    const symbols = unmappedSymbols(task.background, genes, library.symbols);
    const notInDataset = countMissing(task.background, symbols, genes);
    return { symbols, keys: undefined, libraryOnly: 0, notInDataset, orthologues: undefined };
  }
  const isForward = table.from === task.species.species;
  const orthologueOf = orthologuesInLibrary(table, isForward, library.symbols);
  const [from, to] = isForward ? [table.from, table.to] : [table.to, table.from];
  const chosen =
    task.background.kind === 'library' ? genes.symbols : unmappedSymbols(task.background, genes, []);
  const mapped = mapToLibrary(chosen, orthologueOf);
  const use = { from, to, table: table.origin, licence: table.licence, ...mapped.counts };
  if (task.background.kind !== 'library') {
    const notInDataset = countMissing(task.background, mapped.symbols, genes);
    const { symbols, keys } = mapped;
    return { symbols, keys, libraryOnly: 0, notInDataset, orthologues: use };
  }
  const inLibrary = wholeLibrary(mapped, library.symbols);
  return { ...inLibrary, orthologues: use };
}

/** Orthologues under the library's names of them, which may be former symbols that the table does not have. */
function orthologuesInLibrary(
  table: OrthologueTable,
  isForward: boolean,
  librarySymbols: readonly string[],
): (symbol: string) => string | undefined {
  const [orthologueOf, ofLibrary] = [isForward, !isForward].map((way) => orthologuesBySymbol(table, way));
  const inTable = new Set(
    unpackStrings(isForward ? table.toSymbols : table.fromSymbols).map((symbol) => symbol.toUpperCase()),
  );
  const inLibrary = new Set(librarySymbols.map((symbol) => symbol.toUpperCase()));
  const formerByKey = new Map<string, string>();
  for (const symbol of librarySymbols) {
    if (inTable.has(symbol.toUpperCase())) continue;
    const ours = ofLibrary!(symbol);
    const key = ours === undefined ? undefined : orthologueOf!(ours)?.toUpperCase();
    if (key !== undefined && !inLibrary.has(key)) formerByKey.set(key, symbol);
  }
  return (symbol) => {
    const key = orthologueOf!(symbol);
    return key === undefined ? undefined : (formerByKey.get(key.toUpperCase()) ?? key);
  };
}

/** Throws NoGeneSymbols. */
function refuseIdsAlone(symbols: readonly string[], librarySymbols: readonly string[]): void {
  const ids = countGeneIds(symbols);
  if (ids * 2 <= symbols.length || countGeneIds(librarySymbols) * 2 > librarySymbols.length) return;
  throw new NoGeneSymbols(
    `${ids.toLocaleString('en')} of the ${symbols.length.toLocaleString('en')} genes of this dataset have an Ensembl id instead of a symbol, and gene sets use symbols: nothing can be tested. Add a column of symbols to var (such as gene_symbols) and import the file again, or use a library of Ensembl ids.`,
  );
}

/** The table to map with; undefined when genes are compared by name. Throws SpeciesMismatch. */
function orthologueTable(
  { species, orthologues, damagedTables }: CompileTask,
  library: BackgroundInput['library'],
): OrthologueTable | undefined {
  const theirs = library.species.species;
  if (species.species === undefined || theirs === undefined || species.species === theirs) return undefined;
  const table = orthologues.find(
    ({ from, to }) =>
      (from === species.species && to === theirs) || (to === species.species && from === theirs),
  );
  if (table) return table;
  const remedy = remedyFor(species.species, theirs, damagedTables.includes(theirs));
  throw new SpeciesMismatch(
    `The dataset has ${species.species} genes (${speciesBasis(species)}), ${library.name} has ${theirs} ones, and the same name can mean another gene there. ${remedy}`,
  );
}

function remedyFor(ours: Species, theirs: Species, isDamaged: boolean): string {
  const add = `orthologues add FILE --from ${ours} --to ${theirs}`;
  const table = isDamaged
    ? `The installed table of orthologs between ${ours} and ${theirs} is damaged: have it replaced (${add} --replace)`
    : `Have a table of orthologs installed (${add})`;
  if (theirs === 'human' && namedAsHuman.has(ours)) {
    return `Most ${ours} genes are named after their human orthologs: choose Human as the species of the dataset (species=human) to compare them by name. ${table} to map them instead.`;
  }
  return `${table}, use a library of ${ours} genes, or name the species yourself where it is detected wrongly.`;
}

/** `9,210 of 10,000 names are written so`. */
function speciesBasis({ by, matching, looked }: SpeciesGuess | DatasetSpecies): string {
  if (by === 'request') return 'as the request says';
  const share = `${matching.toLocaleString('en')} of ${looked.toLocaleString('en')}`;
  return by === 'ids' ? `${share} ids are` : `${share} symbols are written so`;
}

function unmappedSymbols(
  background: CompileTask['background'],
  genes: GeneIndex,
  librarySymbols: readonly string[],
): readonly string[] {
  const ofDataset = (name: string) => {
    const row = genes.find(name);
    return row === undefined ? name : genes.symbols[row]!;
  };
  switch (background.kind) {
    case 'dataset':
      return genes.symbols;
    case 'expressed':
      return Array.from(background.rows, (row) => genes.symbols[row]!);
    case 'own':
      return background.genes.map((gene) => ofDataset(gene.trim()));
    case 'library': {
      const spelled = new Map(genes.symbols.map((symbol) => [symbol.toUpperCase(), symbol]));
      return librarySymbols.map((symbol) => spelled.get(symbol.toUpperCase()) ?? symbol);
    }
  }
}

function countMissing(
  { kind }: CompileTask['background'],
  symbols: readonly string[],
  genes: GeneIndex,
): number {
  if (kind === 'dataset' || kind === 'expressed') return 0;
  const missing = new Set<string>();
  for (const symbol of symbols) if (genes.find(symbol) === undefined) missing.add(symbol.toUpperCase());
  return missing.size;
}

interface LibraryNames {
  symbols: string[];
  keys: string[];
  counts: Pick<OrthologueUse, 'mapped' | 'unmapped' | 'merged'>;
}

function mapToLibrary(
  chosen: readonly string[],
  orthologueOf: (symbol: string) => string | undefined,
): LibraryNames {
  const symbols: string[] = [];
  const keys: string[] = [];
  for (const symbol of chosen) {
    const key = orthologueOf(symbol);
    if (key === undefined) continue;
    symbols.push(symbol);
    keys.push(key);
  }
  const distinct = new Set(keys.map((key) => key.toUpperCase())).size;
  return {
    symbols,
    keys,
    counts: {
      mapped: symbols.length,
      unmapped: chosen.length - symbols.length,
      merged: symbols.length - distinct,
    },
  };
}

/** All genes of the library: under the dataset's names if it has the orthologue, else under their own. */
function wholeLibrary({ symbols, keys }: LibraryNames, librarySymbols: readonly string[]) {
  const ofLibrary = new Set(librarySymbols.map((symbol) => symbol.toUpperCase()));
  const mappedPairs = symbols.flatMap((symbol, i) =>
    ofLibrary.has(keys[i]!.toUpperCase()) ? [[symbol, keys[i]!] as const] : [],
  );
  const covered = new Set(mappedPairs.map(([, key]) => key.toUpperCase()));
  const others = librarySymbols.filter((symbol) => !covered.has(symbol.toUpperCase()));
  return {
    symbols: [...mappedPairs.map(([symbol]) => symbol), ...others],
    keys: [...mappedPairs.map(([, key]) => key), ...others],
    libraryOnly: others.length,
    notInDataset: new Set(others.map((symbol) => symbol.toUpperCase())).size,
  };
}
