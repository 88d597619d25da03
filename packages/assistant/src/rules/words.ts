/** A word of a question, with its place in the text. */
export interface Word {
  readonly text: string;
  /** Small letters, singular, without accents. */
  readonly form: string;
  readonly start: number;
  readonly end: number;
}

/** Runs of letters and digits; an English ending after an apostrophe is no word. */
export function wordsOf(text: string): Word[] {
  const plain = text.replaceAll(/(?<=\p{L})['’](?:s|t|re|ve|ll|m|d)(?!\p{L})/gu, (ending) =>
    ' '.repeat(ending.length),
  );
  return Array.from(plain.matchAll(/[\p{L}\p{M}\p{N}]+/gu), ({ 0: word, index }) => ({
    text: word,
    form: formOfWord(word),
    start: index,
    end: index + word.length,
  }));
}

export function formsOf(text: string): string[] {
  return wordsOf(text).map(({ form }) => form);
}

function formOfWord(word: string): string {
  const small = word.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  if (small.length < 4 || /(?:ss|us|is|\d)$/.test(small)) return small;
  if (small.endsWith('ies')) return `${small.slice(0, -3)}y`;
  return small.endsWith('s') ? small.slice(0, -1) : small;
}

/** Words of any question, which name nothing in a dataset. */
export const plainWords: ReadonlySet<string> = new Set(
  formsOf(
    `a all an and any are as at be been being between both by can cell cells could data dataset do does each every find
    for from gene genes get give group groups has have how i identify in into is it its let like list
    look make me most my named of on one only or our out over per please plot draw see show tell that the their them
    there these they this those to top two up us using value values versus vs was we were what where which who why will
    with within would you your here now also just about across among against compared comparing expression express
    expressed expressing level levels figure chart graph picture image display visualize run do perform compute
    calculate analyze analysis test want need know how much many rest other others named called active set sets`,
  ),
);

/** Symbols of genes that are words of English. */
export const wordGenes: ReadonlySet<string> = new Set(
  `ace air ape arc bad bid bin cad calm camp cap caps cast cat clock coil cope cow crop cut dare era fast fat fate fish
  flip fuse gap gas gem girl gold grasp ham hand hat heal hip hook hot ice impact kit large lime lum map mark mars mask
  mast mat max met mice moth nov oat palm pan part past pen perm pig pigs pin pip pole ram ran rap rat ray red rest rod
  sag set ship she shot slit son spin spot star sting sun tank tap tar task tat tie tip top torc trap trio tub twist
  was wars wee west wiz yes zap`.split(/\s+/),
);
