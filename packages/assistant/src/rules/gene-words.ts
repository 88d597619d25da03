import { formsOf, plainWords, wordGenes } from './words.ts';

/** A part of a question that may be the name of a gene. */
export interface GeneWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** A word of English: a gene only as the dataset spells it. */
  readonly isPlain: boolean;
  /** `CD8A+` and `CD8A-` are cells that express it, or do not. */
  readonly sign: '' | '+' | '-';
}

const maxLength = 50;
const maxWords = 200;
/** Nouns after `gene` that are no gene: gene set, gene list. */
const ofGenes = new Set([
  'set',
  'list',
  'module',
  'signature',
  'expression',
  'marker',
  'program',
  'ontology',
  'name',
]);

const endOfList = new Set(
  'in by of for with from among within between across per on that which who are is as to at into than'.split(
    ' ',
  ),
);

/** Parts of a question that may be names of genes; those after `gene` and `genes:` whatever they look like. */
export function geneWords(question: string): GeneWord[] {
  const words: GeneWord[] = [];
  let isInList = false;
  let isAfterGene = false;
  for (const { 0: chunk, index } of question.matchAll(/[^\s,;:()[\]{}"“”«»`?!/|=<>&]+:?/gu)) {
    const isColon = chunk.endsWith(':');
    const bare = chunk.replace(/[.:'’]+$/u, '');
    const [form = '', ...more] = formsOf(bare);
    if (more.length === 0 && form === 'gene') {
      isInList = isColon || bare.toLowerCase() === 'gene';
      isAfterGene = !isColon;
      continue;
    }
    if (isColon) isInList = false;
    if (isInList && (form === 'and' || form === 'or' || form === 'named' || form === 'called')) continue;
    const isWord = more.length === 0 && (plainWords.has(form) || isWordGene(bare, form));
    const isPlain = isWord && !(isInList && !endOfList.has(form) && !(isAfterGene && ofGenes.has(form)));
    isAfterGene = false;
    const sign = /[^+-]\+$/.test(bare) ? '+' : /[^+-]-$/.test(bare) ? '-' : '';
    const text = bare.slice(0, bare.length - sign.length);
    if (form === '' || text.length > maxLength) {
      isInList = false;
      continue;
    }
    isInList &&= !endOfList.has(form);
    words.push({ text, start: index, end: index + text.length, isPlain, sign });
  }
  return words.slice(0, maxWords);
}

function isWordGene(bare: string, form: string): boolean {
  return wordGenes.has(form) || wordGenes.has(bare.toLowerCase());
}

/** Words of a question to be looked up among the genes of the dataset, each once. */
export function wordsToLookUp(question: string): string[] {
  const words = geneWords(question).filter(({ text, isPlain }) => !isPlain || text !== text.toLowerCase());
  return [...new Set(words.map(({ text }) => text))];
}
