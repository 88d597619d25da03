import { columnTitle } from '@cellfolio/model/names';
import type { DatasetFacts } from '../dataset-facts.ts';
import { geneWords } from './gene-words.ts';
import { formsOf, plainWords, type Word, wordsOf } from './words.ts';

export interface GroupName {
  readonly column: string;
  readonly name: string;
}

/** Names of the dataset that the words from `from` to before `to` may mean: groups of several columns share names. */
export interface GroupMention {
  readonly kind: 'group';
  readonly from: number;
  readonly to: number;
  readonly options: readonly GroupName[];
}
export interface ColumnMention {
  readonly kind: 'column';
  readonly from: number;
  readonly to: number;
  readonly column: string;
  readonly isNumber: boolean;
}
export interface GeneMention {
  readonly kind: 'gene';
  readonly from: number;
  readonly to: number;
  readonly gene: string;
  /** `CD8A+` and `CD8A-` choose cells. */
  readonly presence?: 'positive' | 'negative';
}
export type Mention = GroupMention | ColumnMention | GeneMention;

/** A name with its words; an alias yields to the name itself. */
interface Entry {
  readonly forms: readonly string[];
  readonly isAlias: boolean;
  readonly target:
    | ({ readonly kind: 'group' } & GroupName)
    | Pick<ColumnMention, 'kind' | 'column' | 'isNumber'>;
}

const roleWords = { cellTypes: ['cell type', 'celltype'], clusters: ['cluster'] } as const;
const minAliasLength = 3;

function entriesOf(facts: DatasetFacts): Entry[] {
  const groups = facts.groups.flatMap(({ column, names }) =>
    names.flatMap((name) => {
      const target = { kind: 'group', column, name } as const;
      return groupForms(name).map((forms, at): Entry => ({ forms, isAlias: at > 0, target }));
    }),
  );
  const columns = [
    ...facts.groups.map(({ column }) => ({ column, isNumber: false })),
    ...facts.numbers.map((column) => ({ column, isNumber: true })),
  ].flatMap(({ column, isNumber }) => {
    const roles = [
      ...(column === facts.cellTypes ? roleWords.cellTypes : []),
      ...(column === facts.clusters ? roleWords.clusters : []),
    ];
    const short = column.replace(/[_. -]?id$/i, '');
    return [column, columnTitle(column), short, ...roles].map((title, at): Entry => {
      return { forms: formsOf(title), isAlias: at > 0, target: { kind: 'column', column, isNumber } };
    });
  });
  return [...groups, ...columns].filter(({ forms }) => forms.length > 0);
}

/** The words of a group, then those with or without `cell`: `CD4 T` is also called CD4 T cells, `Stem cells` stem. */
function groupForms(name: string): string[][] {
  const forms = formsOf(name);
  if (forms.length === 0) return [];
  if (forms.at(-1) !== 'cell') return [forms, [...forms, 'cell']];
  const short = forms.slice(0, -1);
  return short.join('').length >= minAliasLength ? [forms, short] : [forms];
}

/** Words that would be taken for others unless something says that they are a name: numbers, a letter, plain words. */
function isWeak(forms: readonly string[]): boolean {
  return (
    forms.every((form) => /^\d+$/.test(form) || plainWords.has(form)) ||
    (forms.length === 1 && forms[0]!.length === 1)
  );
}

const afterGroup = new Set(['group', 'category', 'value']);
const beforeColumn = new Set(['by', 'column', 'per', 'each', 'every', 'across', 'color', 'colour']);
const joints = new Set([
  'and',
  'or',
  'vs',
  'versus',
  'to',
  'with',
  'against',
  'from',
  'the',
  'than',
  'cluster',
]);
/** Words that are followed by the cells of a restriction. */
const beforeCells = new Set(['in', 'within', 'among', 'of']);
/** Words that are followed by groups rather than genes. */
const places = new Set(['in', 'within', 'among', 'between', 'cluster']);

/** The names of the dataset in a question, in their order: longer ones first, none twice. */
export function mentionsIn(question: string, facts: DatasetFacts): Mention[] {
  const words = wordsOf(question);
  const quotes = quotedRuns(question, words);
  const entries = entriesOf(facts);
  const byForms = Map.groupBy(entries, ({ forms }) => forms.join(' '));
  const lengths = [...new Set(entries.map(({ forms }) => forms.length))];
  const candidates: Mention[] = genesIn(question, words, facts);
  const weak: Mention[] = [];
  for (let from = 0; from < words.length; from++) {
    for (const length of lengths) {
      const to = from + length;
      const forms = words.slice(from, to).map(({ form }) => form);
      const same = to > words.length ? undefined : byForms.get(forms.join(' '));
      if (same === undefined) continue;
      const mentions = mentionsOf(same, { from, to }, question, words[from]!.start);
      const isQuoted = quotes.some((run) => run.from === from && run.to === to);
      (isQuoted || !isWeak(forms) ? candidates : weak).push(...mentions);
    }
  }
  const chosen = longestOf(candidates, words, quotes);
  return withWeak(chosen, weak, words).toSorted((one, other) => one.from - other.from);
}

/** The names that stand in the question with their case and punctuation, the longest ones; else without regard for case. */
function asWritten<One extends GroupName>(options: readonly One[], question: string, start: number): One[] {
  const small = question.toLowerCase();
  for (const [text, form] of [
    [question, (name: string) => name],
    [small, (name: string) => name.toLowerCase()],
  ] as const) {
    const matching = options.filter(({ name }) => {
      return text.startsWith(form(name), Math.max(0, start - (wordsOf(name)[0]?.start ?? 0)));
    });
    const longest = Math.max(...matching.map(({ name }) => name.length));
    if (matching.length > 0) return matching.filter(({ name }) => name.length === longest);
  }
  return [];
}

function mentionsOf(
  entries: readonly Entry[],
  { from, to }: { readonly from: number; readonly to: number },
  question: string,
  start: number,
): Mention[] {
  const names = entries.filter(({ isAlias }) => !isAlias);
  const best = names.length > 0 ? names : entries;
  const options = best.flatMap(({ target }) => (target.kind === 'group' ? target : []));
  const written = asWritten(options, question, start);
  const columns = best.flatMap(({ target }) => (target.kind === 'column' ? target : []));
  return [
    ...(options.length > 0
      ? [{ kind: 'group', from, to, options: written.length > 0 ? written : options } as const]
      : []),
    ...columns
      .slice(0, 1)
      .map(({ column, isNumber }) => ({ kind: 'column', from, to, column, isNumber }) as const),
  ];
}

/** Quoted words, which are one name. */
function quotedRuns(
  question: string,
  words: readonly Word[],
): { readonly from: number; readonly to: number }[] {
  return Array.from(question.matchAll(/“([^”]+)”|"([^"]+)"|«([^»]+)»|`([^`]+)`/gu), ({ 0: text, index }) => {
    const inside = words.flatMap(({ start, end }, at) =>
      start >= index && end <= index + text.length ? at : [],
    );
    return { from: inside[0] ?? 0, to: (inside.at(-1) ?? -1) + 1 };
  });
}

/** The longest first; of equal ones a quoted one, then a group after `in` and the like, then a gene as it is written. */
function longestOf(
  candidates: readonly Mention[],
  words: readonly Word[],
  quotes: readonly { readonly from: number; readonly to: number }[],
): Mention[] {
  const rank = (one: Mention) => {
    const before = words[one.from - 1]?.form ?? '';
    if (one.kind === 'gene') return places.has(before) ? 2 : 0;
    const isColumn = one.kind === 'column';
    return isColumn === beforeColumn.has(before) ? 1 : 3;
  };
  const sorted = candidates.toSorted(
    (one, other) =>
      other.to - other.from - (one.to - one.from) || rank(one) - rank(other) || one.from - other.from,
  );
  const chosen: Mention[] = [];
  for (const one of sorted) {
    const cuts = quotes.some(
      ({ from, to }) => one.from < to && from < one.to && (one.from > from || one.to < to),
    );
    if (!cuts && !chosen.some(({ from, to }) => one.from < to && from < one.to)) chosen.push(one);
  }
  return chosen;
}

/** Adds weak names where a word before says that they are names: `cluster 3`, `clusters 1 and 2`, `group other`, `by cell`. */
function withWeak(chosen: readonly Mention[], weak: readonly Mention[], words: readonly Word[]): Mention[] {
  const all = [...chosen];
  for (const one of weak.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (one.kind === 'gene' || all.some(({ from, to }) => one.from < to && from < one.to)) continue;
    const before = words[one.from - 1]?.form ?? '';
    if (one.kind === 'column') {
      if (beforeColumn.has(before)) all.push(one);
      continue;
    }
    let at = one.from;
    while (at > 0 && joints.has(words[at - 1]!.form) && !all.some(({ from, to }) => from < at && at <= to))
      at--;
    const previous = all.find(({ to }) => to === at);
    const isOfOneColumn = new Set(one.options.map(({ column }) => column)).size === 1;
    const options =
      afterGroup.has(before) || (isOfOneColumn && beforeCells.has(before))
        ? one.options
        : one.options.filter(({ column }) => columnsOf(previous).has(column));
    if (options.length > 0) all.push({ ...one, options });
  }
  return all;
}

function columnsOf(mention: Mention | undefined): ReadonlySet<string> {
  if (mention === undefined || mention.kind === 'gene') return new Set();
  return new Set(mention.kind === 'column' ? [mention.column] : mention.options.map(({ column }) => column));
}

function genesIn(question: string, words: readonly Word[], facts: DatasetFacts): GeneMention[] {
  return geneWords(question).flatMap(({ text, start, end, isPlain, sign }) => {
    const gene = facts.genes.get(text);
    // A sentence begins with a capital, which is how symbols of mice are written.
    const isSpelledAsGene = text === gene && (start > 0 || text === text.toUpperCase());
    if (gene === undefined || (isPlain && !isSpelledAsGene)) return [];
    const from = words.findIndex((word) => word.start >= start);
    const to = words.findLastIndex((word) => word.end <= end) + 1;
    const presence = sign === '+' ? ('positive' as const) : ('negative' as const);
    return from < 0 || to <= from ? [] : [{ kind: 'gene', from, to, gene, ...(sign !== '' && { presence }) }];
  });
}
