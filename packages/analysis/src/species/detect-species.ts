export const supportedSpecies = [
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
export type Species = (typeof supportedSpecies)[number];

/** Species whose genes are named after the human ones. */
export const namedAsHuman: ReadonlySet<Species | undefined> = new Set([
  'macaque',
  'pig',
  'cow',
  'dog',
  'chicken',
]);

export interface SpeciesGuess {
  /** Absent if undetermined. */
  readonly species?: Species;
  /** Evidence: the prefix of Ensembl ids, or the letter case of symbols. */
  readonly by: 'ids' | 'symbols' | 'nothing';
  readonly matching: number;
  readonly looked: number;
}

/** Stable ids start with species and feature type (G for gene): ensembl.org/info/genome/stable_ids. */
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
/** Any stable gene id, including those of species not listed here. */
const geneId = /^(?:ENS[A-Z]{0,4}G\d{6,}|FBgn\d{5,}|WBGene\d{6,})(?:\.\d+)?$/i;
/** Human symbols that contain lower-case letters by HGNC rules: C1orf43, CXorf38. */
const openReadingFrame = /^C(?:\d+|X|Y)orf\d+/;
/** Names used by Ensembl and RGD for rat genes only. */
const ratOnly = /^(?:RGD\d{4,}|AABR0\d+|LOC\d{6,})/;
/** Names used by MGI for mouse genes only: 1700001A04Rik, Gm1234. */
const mouseOnly = /^(?:[A-Z0-9]{7,}Rik\d*|Gm\d{3,})$/;
/** Share of the names that must be exceeded. */
const majority = 0.5;

export function isGeneId(name: string): boolean {
  return geneId.test(name);
}

export function countGeneIds(names: readonly string[]): number {
  let count = 0;
  for (const name of names) if (isGeneId(name)) count++;
  return count;
}

/**
 * Species of genes, from their ids if more than half agree, else from the letter case of symbols: HGNC uses capitals
 * for human, MGI and RGD `Cd3e`, ZFIN `cd3e`. Other primates and farm animals share the human symbols, so only ids
 * distinguish them from human.
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
