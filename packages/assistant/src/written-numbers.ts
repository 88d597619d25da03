/**
 * Finds numbers and unfamiliar gene names in prose. Names of the dataset may have digits; a name that reads as a number
 * (`0.001`, `10x`, `by 300`) is no exception, as strangers chose it.
 */

export interface ProseNames {
  /** Whole names and each of their words, folded: `CD8A`, `IL-2`, `GSE123`. */
  readonly names: ReadonlySet<string>;
  /** Whole numbers that groups are called by, alone or behind a noun: the 3 of `3` and of `Cluster 3`. */
  readonly numbers: ReadonlySet<string>;
}

/** A reason to leave a sentence out. */
export type ProseProblem = 'number' | 'gene' | 'language';

/** Nouns that groups are numbered behind. */
const numberedNouns =
  'cluster group day week month year patient donor sample batch stage grade subject mouse plate lane run library replicate condition type class arm cohort phase module program topic component state lineage layer region zone chromosome';

const small =
  'zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const large =
  'twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion';
const multiples =
  'double doubled doubles doubling triple tripled triples tripling treble trebled quadruple quadrupled';
const ordinals = 'third quarter fourth fifth sixth seventh eighth ninth tenth hundredth thousandth';
const others =
  'twice thrice quarter half halves halved halving dozen score hundredfold twofold threefold fourfold fivefold sixfold sevenfold eightfold ninefold tenfold percentage-points';
const words = (text: string) => text.split(' ');

const numberWords = new Set([
  ...words(`${small} ${large} ${multiples} ${others}`).filter((word) => word !== 'score'),
  ...words('tens hundreds thousands millions billions dozens scores-of'),
  ...words(ordinals).flatMap((word) => [`${word}s`]),
]);
const fractions = new RegExp(`\\b(?:an?|one)[ -](?:${words(ordinals).join('|')})\\b`, 'i');
const wordsInFold = new Set(words('manifold scaffold unfold blindfold'));
/** `one` counts, but for these. */
const harmlessOne =
  /\b(?:one another|no one|one of (?:the|these|those|them)|(?:this|that|the other|each|which) one)\b/gi;
/** Words of the field that are no numbers. */
const terms =
  /\b(?:(?:double|triple)[- ](?:positive|negative|stranded|blind|mutant|knockout)|half-li(?:fe|ves)|zero-inflat\w+|(?:one|two)-(?:sided|tailed|way|sample)|one-(?:vs|versus)-\w+)\b/gi;
const termsWithDigits = new Set(words('log2 log10 log1p'));
const roman = /\b(?=[IVX]{2,}\b)X{0,3}(?:IX|IV|V?I{0,3})\b/g;
/** A Roman numeral behind one of these counts; behind any other word it is part of a name, as in `class II`. */
const functionWords = new Set(
  words(
    'in of the by to with about only all over under than are is was were has have had and or for from at between least most some these those',
  ),
);
/** Words in capitals that are no genes. */
const acronyms = new Set(
  words(
    'UMAP TSNE PCA RNA DNA MRNA RRNA TRNA CDNA FDR MHC TCR BCR HLA NK DC APC TPM CPM RPKM UMI QC GO KEGG GSEA AND OR NOT AUC ROC CSV FACS ATAC CITE SEQ LFC HVG MT PBMC FOV',
  ),
);

/** Compatibility forms, marks and invisible characters hide no digit and no letter. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .replaceAll(/[\u2010\u2011]/g, '-');
}

/** @param names of columns, groups and genes, of the dataset and of the results */
export function proseNames(names: Iterable<string>): ProseNames {
  const own = new Set<string>();
  const numbers = new Set<string>();
  for (const name of names) {
    const text = folded(name).trim();
    const whole = numbered.exec(text)?.[1];
    if (whole !== undefined) numbers.add(whole);
    for (const word of text.split(/[\s,;|()[\]{}<>"'“”‘’/]+/))
      if (isPlainName(word)) own.add(word.toLowerCase());
  }
  return { names: own, numbers };
}

const nouns = words(numberedNouns).join('|');
/** `3`, `Cluster 3`, `cluster_3`. */
const numbered = new RegExp(`^(?:(?:${nouns})[ _-]?)?(\\d{1,4})$`, 'i');

/** Digits in it belong to a word that begins with a letter, and it does not read as a statement of a number. */
function isPlainName(word: string): boolean {
  return (
    /^\p{L}[\p{L}\p{N}._+:@-]*$/u.test(word) &&
    !/^\p{L}{1,8}[-_.:+]?0?\.\d/u.test(word) &&
    !/(?:^|[-_.:+])(?:p|q|n|x|fdr|padj|pval|lfc|by|of|at|to|in|is|was|only|about|than|least|most|up|down)[-_.:+]+\d/i.test(
      word,
    ) &&
    !/percent|pct|times/i.test(word) &&
    !hasNumberWord(word)
  );
}

/** Undefined for prose without a number, and without a gene that `names` has not. References are already taken out. */
export function proseProblem(prose: string, { names, numbers }: ProseNames): ProseProblem | undefined {
  const withoutNumbered = folded(prose)
    .replaceAll(groupNumbers, (whole: string, noun: string, list: string) =>
      (list.match(/\d+/g) ?? []).every((one) => numbers.has(one)) ? noun : whole,
    )
    .replaceAll(terms, ' ')
    .replaceAll(harmlessOne, ' ');
  const rest = withoutNumbered.replaceAll(/[\p{L}\p{N}][\p{L}\p{N}._+:@-]*/gu, (token) =>
    isFamiliar(token, names) ? 'name' : token,
  );
  if (/\p{N}|[%‰°]/u.test(rest) || fractions.test(rest) || hasNumberWord(rest)) return 'number';
  if (hasRomanNumber(withoutNumbered)) return 'number';
  const letters = rest.match(/\p{L}/gu) ?? [];
  if (letters.some((letter) => !/\p{Script=Latin}|\p{Script=Greek}/u.test(letter))) return 'language';
  return hasUnfamiliarGene(rest) ? 'gene' : undefined;
}

/** A list only behind the plural; no decimals, percents or multiples behind it. */
const groupNumbers = new RegExp(
  `\\b((?:${nouns})(?:s|es)?)[ _]((?<=s[ _])\\d{1,4}(?:(?:, and |, or |, | and | or )\\d{1,4})*|\\d{1,4})(?![\\p{L}\\p{N}%‰]|[.,:/–-][\\p{L}\\p{N}]|\\s*(?:%|percent|per cent|fold|times|×))`,
  'giu',
);

function isFamiliar(token: string, names: ReadonlySet<string>): boolean {
  const whole = token.toLowerCase();
  const word = whole.replace(/[.:_+-]+$/, '');
  if (!/^\p{L}/u.test(word) || hasNumberWord(word)) return false;
  if (names.has(whole) || names.has(word) || termsWithDigits.has(word)) return true;
  // A possessive, a plural, or an adjective of a name: `CD8A-positive`, `IL-2-producing`.
  const stem = /^(.*?)(?:-(?:positive|negative|high|low|expressing|producing|like|related|specific))$/.exec(
    word,
  )?.[1];
  return stem !== undefined && names.has(stem);
}

function hasNumberWord(text: string): boolean {
  return text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some(
      (word) =>
        word === 'one' || numberWords.has(word) || (/^\w{3,}fold$/.test(word) && !wordsInFold.has(word)),
    );
}

function hasRomanNumber(text: string): boolean {
  for (const { index } of text.matchAll(roman)) {
    // A list of them stands behind the noun of its first, as in `class I and II`.
    const before = text.slice(0, index).replace(/(?:\b[IVX]+(?:,? (?:and|or|to) |, |[-/]))+$/, '');
    const noun = /(\p{L}+)[ -]$/u.exec(before)?.[1];
    if (noun === undefined || functionWords.has(noun.toLowerCase())) return true;
  }
  return false;
}

/** Words in capitals alone, as symbols of human genes are written; known names were replaced before. */
function hasUnfamiliarGene(text: string): boolean {
  const capitals = text.match(/(?<![\p{L}\p{N}])\p{Lu}{3,}(?![\p{L}\p{N}])/gu) ?? [];
  return capitals.some((word) => !acronyms.has(word) && !/^[IVX]+$/.test(word));
}

/** Words of a question that are written as genes are and that are no names of the dataset: at most 50. */
export function geneLikeWords(question: string, names: Iterable<string>): readonly string[] {
  const { names: own } = proseNames(names);
  const all = question.match(/(?<![\p{L}\p{N}])\p{L}[\p{L}\p{N}]*(?:[-.][\p{L}\p{N}]+)*/gu) ?? [];
  const genes = all.filter(
    (word) =>
      (/^\p{Lu}[\p{Lu}\p{N}.-]{2,}$/u.test(word) || /^\p{L}+[-.]?\d/u.test(word)) &&
      !acronyms.has(word) &&
      !isFamiliar(word, own),
  );
  return [...new Set(genes)].slice(0, 50);
}
