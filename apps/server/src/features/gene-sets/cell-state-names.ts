import { cellStateNames } from '@cellfolio/contract';

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
