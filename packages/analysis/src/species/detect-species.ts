/** Species that are recognised by their genes. */
export const knownSpecies = [
  'human',
  'mouse',
  'rat',
  'zebrafish',
  'macaque',
  'pig',
  'cow',
  'dog',
  'chicken',
  'fruit fly',
  'worm',
] as const;
export type Species = (typeof knownSpecies)[number];

/** What names of genes say of the species they belong to. */
export interface SpeciesGuess {
  /** Absent where the names do not say. */
  readonly species?: Species;
  /** What it was recognised by: the prefix of Ensembl ids, or the case that a species writes its symbols in. */
  readonly by: 'ids' | 'symbols' | 'nothing';
  /** How many names have the form of the species. */
  readonly matching: number;
  /** How many names were looked at. */
  readonly looked: number;
}

/** Stable ids begin with the species and the kind of feature (G for gene): ensembl.org/info/genome/stable_ids. */
const idForms: readonly (readonly [RegExp, Species])[] = [
  [/^ENSG\d{6,}/i, 'human'],
  [/^ENSMUSG\d{6,}/i, 'mouse'],
  [/^ENSRNOG\d{6,}/i, 'rat'],
  [/^ENSDARG\d{6,}/i, 'zebrafish'],
  [/^ENSMMUG\d{6,}/i, 'macaque'],
  [/^ENSSSCG\d{6,}/i, 'pig'],
  [/^ENSBTAG\d{6,}/i, 'cow'],
  [/^ENSCAFG\d{6,}/i, 'dog'],
  [/^ENSGALG\d{6,}/i, 'chicken'],
  [/^FBgn\d{5,}/i, 'fruit fly'],
  [/^WBGene\d{6,}/i, 'worm'],
];
/** Any stable gene id, also of species without a name here. */
const geneId = /^(?:ENS[A-Z]{0,4}G\d{6,}|FBgn\d{5,}|WBGene\d{6,})(?:\.\d+)?$/i;
/** Human symbols with small letters by rule of HGNC: C1orf43, CXorf38. */
const openReadingFrame = /^C(?:\d+|X|Y)orf\d+/;
/** Names that Ensembl and RGD give to rat genes alone. */
const ratOnly = /^(?:RGD\d{4,}|AABR0\d+|LOC\d{6,})/;
/** Names that MGI gives to mouse genes alone: 1700001A04Rik, Gm1234. */
const mouseOnly = /^(?:[A-Z0-9]{7,}Rik\d*|Gm\d{3,})$/;
/** More than half of the names must agree. */
const majority = 0.5;

/** Whether a name is a stable gene id, with a version or without. */
export function isGeneId(name: string): boolean {
  return geneId.test(name);
}

/** How many of the names are stable gene ids. */
export function countGeneIds(names: readonly string[]): number {
  let count = 0;
  for (const name of names) if (isGeneId(name)) count++;
  return count;
}

/**
 * The species of genes, from their ids where more than half are of one, else from the case of their symbols: HGNC
 * writes human genes in capitals, MGI and RGD write `Cd3e`, ZFIN `cd3e`. Other primates and farm animals share the
 * human symbols, so only their ids distinguish them from human.
 */
export function detectSpecies(
  symbols: readonly string[],
  idColumns: readonly (readonly string[])[] = [],
): SpeciesGuess {
  for (const names of [...idColumns, symbols]) {
    const byId = byIds(names);
    if (byId) return byId;
  }
  return byCase(symbols);
}

function byIds(names: readonly string[]): SpeciesGuess | undefined {
  for (const [form, species] of idForms) {
    let matching = 0;
    for (const name of names) if (form.test(name)) matching++;
    if (matching > majority * names.length) return { species, by: 'ids', matching, looked: names.length };
  }
  return undefined;
}

function byCase(symbols: readonly string[]): SpeciesGuess {
  let [capitals, title, small, looked, ofRat, ofMouse] = [0, 0, 0, 0, 0, 0];
  for (const symbol of symbols) {
    const letters = symbol.replace(/[^A-Za-z]/g, '');
    if (letters.length < 2 || geneId.test(symbol)) continue;
    looked++;
    if (letters === letters.toUpperCase() || openReadingFrame.test(symbol)) capitals++;
    else if (letters === letters.toLowerCase()) small++;
    else title++;
    if (ratOnly.test(symbol)) ofRat++;
    if (mouseOnly.test(symbol)) ofMouse++;
  }
  const guess = (species: Species, matching: number) =>
    ({ species, by: 'symbols', matching, looked }) as const;
  if (capitals > majority * looked) return guess('human', capitals);
  if (title > majority * looked) return guess(ofRat > ofMouse ? 'rat' : 'mouse', title);
  if (small > majority * looked) return guess('zebrafish', small);
  return { by: 'nothing', matching: Math.max(capitals, title, small), looked };
}
