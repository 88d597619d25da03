/** The 50 hallmark cell states as the explorer offers them, in alphabetical order. */
export const cellStateNames: readonly string[] = [
  'ADIPOGENESIS',
  'ALLOGRAFT REJECTION',
  'ANDROGEN RESPONSE',
  'ANGIOGENESIS',
  'APICAL JUNCTION',
  'APICAL SURFACE',
  'APOPTOSIS',
  'BILE ACID METABOLISM',
  'CHOLESTEROL HOMEOSTASIS',
  'COAGULATION',
  'COMPLEMENT',
  'DNA REPAIR',
  'E2F TARGETS',
  'EPITHELIAL MESENCHYMAL TRANSITION',
  'ESTROGEN RESPONSE EARLY',
  'ESTROGEN RESPONSE LATE',
  'FATTY ACID METABOLISM',
  'G2M CHECKPOINT',
  'GLYCOLYSIS',
  'HEDGEHOG SIGNALING',
  'HEME METABOLISM',
  'HYPOXIA',
  'IL2 STAT5 SIGNALING',
  'IL6 JAK STAT3 SIGNALING',
  'INFLAMMATORY RESPONSE',
  'INTERFERON ALPHA RESPONSE',
  'INTERFERON GAMMA RESPONSE',
  'KRAS SIGNALING DN',
  'KRAS SIGNALING UP',
  'MITOTIC SPINDLE',
  'MTORC1 SIGNALING',
  'MYC TARGETS V1',
  'MYC TARGETS V2',
  'MYOGENESIS',
  'NOTCH SIGNALING',
  'OXIDATIVE PHOSPHORYLATION',
  'P53 PATHWAY',
  'PANCREAS BETA CELLS',
  'PEROXISOME',
  'PI3K AKT MTOR SIGNALING',
  'PROTEIN SECRETION',
  'REACTIVE OXYGEN SPECIES PATHWAY',
  'SPERMATOGENESIS',
  'TGF BETA SIGNALING',
  'TNFA SIGNALING VIA NFKB',
  'UNFOLDED PROTEIN RESPONSE',
  'UV RESPONSE DN',
  'UV RESPONSE UP',
  'WNT BETA CATENIN SIGNALING',
  'XENOBIOTIC METABOLISM',
];

/** Spellings that differ from ours in more than case and punctuation, as letters and digits alone. */
const otherSpellings: ReadonlyMap<string, string> = new Map([
  ['TNFALPHASIGNALINGVIANFKB', 'TNFA SIGNALING VIA NFKB'],
  // Enrichr's library doubles the letter.
  ['PPEROXISOME', 'PEROXISOME'],
  // MSigDB until version 6.
  ['REACTIVEOXIGENSPECIESPATHWAY', 'REACTIVE OXYGEN SPECIES PATHWAY'],
]);

const stateBySpelling: ReadonlyMap<string, string> = new Map([
  ...cellStateNames.map((name) => [plain(name), name] as const),
  ...otherSpellings,
]);

/** The cell state that a set stands for, in MSigDB's, Enrichr's or our spelling; undefined for other sets. */
export function cellStateOf(setName: string): string | undefined {
  return stateBySpelling.get(plain(setName.replace(/^HALLMARK[_ ]/i, '')));
}

function plain(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '');
}
