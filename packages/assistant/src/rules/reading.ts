import { isUnassigned, listedNames } from '@cellfolio/model';
import { columnTitle, partTitles } from '@cellfolio/model/names';
import type { DatasetFacts } from '../dataset-facts.ts';
import type { PlanStep } from '../plan.ts';
import {
  type ColumnMention,
  type GroupMention,
  type GroupName,
  type Mention,
  mentionsIn,
} from './mentions.ts';
import { formsOf, type Word, wordsOf } from './words.ts';

/** Steps without ids, or the reason why there is no step. */
export type Draft =
  | { readonly steps: readonly Omit<PlanStep, 'id'>[]; readonly note?: string }
  | { readonly problem: string };

/** A question with the names in it. Rules mark the names that are in their steps. */
export interface Reading {
  readonly question: string;
  readonly facts: DatasetFacts;
  readonly words: readonly Word[];
  readonly mentions: readonly Mention[];
  readonly used: Set<Mention>;
  /** Words that are part of a phrase that a rule understood. */
  readonly understood: Set<number>;
}

export function readQuestion(question: string, facts: DatasetFacts): Reading {
  const words = wordsOf(question);
  return {
    question,
    facts,
    words,
    mentions: mentionsIn(question, facts),
    used: new Set(),
    understood: new Set(),
  };
}

/** The first of the phrases that the question has outside of names, and marks it as understood. */
export function says(reading: Reading, ...phrases: readonly string[]): boolean {
  const { words, mentions } = reading;
  let isSaid = false;
  for (const phrase of phrases) {
    const forms = formsOf(phrase);
    for (let at = 0; at + forms.length <= words.length; at++) {
      const places = forms.map((_, offset) => at + offset);
      if (!forms.every((form, offset) => words[at + offset]!.form === form)) continue;
      const names = mentions.filter(({ from, to }) => places.some((place) => from <= place && place < to));
      // A column may be a part of a longer phrase: which cell type.
      if (names.some(({ kind, from, to }) => kind !== 'column' || to - from >= forms.length)) continue;
      for (const place of places) reading.understood.add(place);
      isSaid = true;
    }
  }
  return isSaid;
}

/** The words before a mention, without articles: `by` in `by each treatment`. */
export function wordBefore({ words }: Reading, { from }: Pick<Mention, 'from'>): string {
  let at = from - 1;
  while (at >= 0 && ['the', 'a', 'all', 'these', 'each', 'every'].includes(words[at]!.form)) at--;
  return words[at]?.form ?? '';
}

export function genesOf({ mentions }: Reading): string[] {
  return [
    ...new Set(
      mentions.flatMap((one) => (one.kind === 'gene' && one.presence === undefined ? one.gene : [])),
    ),
  ];
}

export function groupsIn({ mentions }: Reading): GroupMention[] {
  return mentions.filter((one) => one.kind === 'group');
}

/** Columns of text or of numbers; a column followed by its groups, as in `cluster 3`, names these. */
export function columnsIn({ mentions }: Reading, isNumber: boolean): ColumnMention[] {
  return mentions.filter((one): one is ColumnMention => {
    if (one.kind !== 'column' || one.isNumber !== isNumber) return false;
    const next = mentions.find(({ from }) => from === one.to);
    return next?.kind !== 'group' || !next.options.some(({ column }) => column === one.column);
  });
}

/** Marks as used what the rule takes. */
export function take(reading: Reading, ...mentions: readonly Mention[]): void {
  for (const one of mentions) reading.used.add(one);
}

export function takeGenes(reading: Reading): string[] {
  take(reading, ...reading.mentions.filter((one) => one.kind === 'gene' && one.presence === undefined));
  return genesOf(reading);
}

/** Title of a column, of a role by that. */
export function titleOf({ facts }: Pick<Reading, 'facts'>, column: string): string {
  if (column === facts.clusters) return partTitles.cluster;
  return column === facts.cellTypes ? partTitles.cellType : columnTitle(column);
}

/** Cell types, else clusters, else the first column with several groups. */
export function usualGrouping({ facts }: Reading): string | undefined {
  return facts.cellTypes ?? facts.clusters ?? facts.groups.find(({ names }) => names.length > 1)?.column;
}

/** Groups of a column that say what their cells are. */
export function namedGroups({ facts }: Reading, column: string): string[] {
  const { names = [] } = facts.groups.find((one) => one.column === column) ?? {};
  return names.filter((name) => name.trim() !== '' && !isUnassigned(name));
}

/** The group in `column`, or in the first column that has it. */
export function groupOf({ options }: GroupMention, column?: string): GroupName | undefined {
  return column === undefined ? options[0] : options.find((one) => one.column === column);
}

export interface Filter {
  readonly groups: readonly GroupName[];
  readonly gene?: { readonly name: string; readonly presence: 'positive' | 'negative' };
}

const maxSubsetName = 200;

/** Cells by groups, as a filter of subsets: groups of one column are joined by OR, columns by AND. */
export function filterOf({ facts }: Pick<Reading, 'facts'>, { groups, gene }: Filter) {
  const byColumn = Map.groupBy(groups, ({ column }) => column);
  const namesOf = (column: string) => [...new Set(byColumn.get(column)?.map(({ name }) => name))];
  const { cellTypes } = facts;
  const types = cellTypes === undefined ? [] : namesOf(cellTypes);
  const fields = Array.from(byColumn.keys()).flatMap((column) =>
    column === cellTypes ? [] : [[column, namesOf(column)] as const],
  );
  return {
    subset_group_name: filterName({ facts }, { groups, gene }),
    ...(types.length > 0 && { cell_type_filter: true, cell_type: types }),
    ...(fields.length > 0 && { patient_metadata_filter: true, patient_metadata: Object.fromEntries(fields) }),
    ...(gene && { gene_filter: true, gene }),
  };
}

export function filterName(reading: Pick<Reading, 'facts'>, { groups, gene }: Partial<Filter>): string {
  const names = [
    ...(groups ?? []).map(({ column, name }) =>
      /^[\p{N}\W]*$/u.test(name) ? `${titleOf(reading, column)} ${name}` : name,
    ),
    ...(gene ? [`${gene.name}${gene.presence === 'positive' ? '+' : '−'}`] : []),
  ];
  const name = listedNames(names, 4, 45).trim();
  // `Default` chooses all cells.
  return /^default$/i.test(name) || name === '' ? `Cells of ${name}`.trim() : name.slice(0, maxSubsetName);
}

/** The cells that the rest of the question restricts to: groups and signs of genes that no rule used. */
export function takeRestriction(reading: Reading): Filter | { readonly problem: string } {
  const rest = reading.mentions.filter((one) => !reading.used.has(one));
  const signs = rest.flatMap((one) => (one.kind === 'gene' && one.presence !== undefined ? one : []));
  if (new Set(signs.map(({ gene, presence }) => `${presence} ${gene}`)).size > 1)
    return { problem: 'Cells can be chosen by the expression of one gene at a time.' };
  const groups = rest.flatMap((one) => (one.kind === 'group' ? one : []));
  take(reading, ...signs);
  // With a column before its groups, as in `cluster 3`.
  takeGroups(reading, groups);
  const [sign] = signs;
  return {
    groups: groups.map((one) => groupOf(one, commonColumn(groups, one))!),
    ...(sign && { gene: { name: sign.gene, presence: sign.presence! } }),
  };
}

/** The first column of a group that another group is of, too: `tumor and normal` are of one column. */
function commonColumn(groups: readonly GroupMention[], one: GroupMention): string | undefined {
  return one.options.find(({ column }) =>
    groups.some((other) => other !== one && groupOf(other, column) !== undefined),
  )?.column;
}

export function headsOf({ mentions }: Reading, groups: readonly GroupMention[]): ColumnMention[] {
  return mentions.filter((one): one is ColumnMention => {
    return (
      one.kind === 'column' &&
      groups.some(
        ({ from, options }) => from === one.to && options.some(({ column }) => column === one.column),
      )
    );
  });
}

/** Takes groups with the columns that name them. */
export function takeGroups(reading: Reading, groups: readonly GroupMention[]): void {
  take(reading, ...groups, ...headsOf(reading, groups));
}

/** Takes the groups of a column that the question names; each once. */
export function takeGroupsOf(reading: Reading, column: string): string[] {
  const chosen = groupsIn(reading).filter((one) => groupOf(one, column) !== undefined);
  takeGroups(reading, chosen);
  return [...new Set(chosen.map((one) => groupOf(one, column)!.name))];
}

/** A column that all groups have, or several of them. */
export function sharedColumn(groups: readonly GroupMention[]): string | undefined {
  return groups[0]?.options.find(({ column }) =>
    groups.slice(1).some((other) => groupOf(other, column) !== undefined),
  )?.column;
}

export function isEmpty({ groups, gene }: Filter): boolean {
  return groups.length === 0 && gene === undefined;
}

/** The `cells` of a tool; nothing for the active cells. */
export function cellsOf(reading: Reading, filter: Filter) {
  return isEmpty(filter) ? {} : { cells: { subset: filterOf(reading, filter) } };
}

/** ` in T cell, tumor`, for the purpose of a step. */
export function inCells(reading: Reading, filter: Filter): string {
  return isEmpty(filter) ? '' : ` in ${filterName(reading, filter)}`;
}
