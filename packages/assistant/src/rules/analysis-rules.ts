import {
  type Declaration,
  cellTypes,
  coExpression,
  comparison,
  composition,
  deciles,
  gradient,
  ligandReceptor,
  markers,
  pathway,
  perturbations,
  plainLibraryNames,
  rankedEnrichment,
  trajectory,
} from '@cellfolio/analyses';
import { cutText, listedNames } from '@cellfolio/model';
import { one, withoutGroups } from './analysis-steps.ts';
import { comparisonOf, markersOfGroups, pairIn, sideOf, type Sides, takeSides } from './comparison-rules.ts';
import { compositionBars } from './figure-rules.ts';
import type { GroupMention, Mention } from './mentions.ts';
import {
  cellsOf,
  columnsIn,
  type Draft,
  genesOf,
  groupOf,
  groupsIn,
  headsOf,
  inCells,
  type Reading,
  says,
  sharedColumn,
  take,
  takeGenes,
  takeGroups,
  takeGroupsOf,
  takeRestriction,
  titleOf,
  usualGrouping,
  wordBefore,
} from './reading.ts';
import { formsOf } from './words.ts';

/** Undefined where the question is of something else. */
type Rule = (reading: Reading) => Draft | undefined;

/** The rules of analyses; of several whose phrases a question has, the first applies. */
const rules: readonly (readonly [Declaration, Rule])[] = [
  [rankedEnrichment, enrichment],
  [pathway, enrichment],
  [ligandReceptor, interactions],
  [deciles, ends],
  [gradient, alongAxis],
  [trajectory, pseudotime],
  [coExpression, modules],
  [cellTypes, annotation],
  [composition, shares],
  [markers, markersOfGroups],
  [comparison, comparisonOf],
  [perturbations, screen],
];

/** Steps of the analysis that the question names; undefined where it names none. */
export function analysisDraft(reading: Reading): Draft | undefined {
  for (const [declaration, rule] of rules) {
    if (!names(reading, declaration)) continue;
    understandWordsOf(reading, declaration);
    const draft = rule(reading);
    if (draft !== undefined) return draft;
  }
  return undefined;
}

/** A column can have the name of an analysis: `what does each perturbation change`. */
function names(reading: Reading, { questionPhrases: phrases }: Declaration): boolean {
  if (says(reading, ...phrases)) return true;
  if (genesOf(reading).length > 0) return false;
  return columnsIn(reading, false).some((one) => {
    const forms = reading.words.slice(one.from, one.to).map(({ form }) => form);
    return phrases.includes(forms.join(' ')) && wordBefore(reading, one) !== 'by';
  });
}

/** The words by which users look for the analysis say nothing else in its question, but where cells or a column are named. */
function understandWordsOf(reading: Reading, { title, searchWords = '' }: Declaration): void {
  const forms = new Set(formsOf(`${title} ${searchWords}`));
  for (const [from, { form }] of reading.words.entries())
    if (forms.has(form) && !namesCells.has(wordBefore(reading, { from }))) reading.understood.add(from);
}

const namesCells = new Set(['in', 'within', 'among', 'by', 'per', 'across']);

function enrichment(reading: Reading): Draft {
  const library = takeLibrary(reading);
  says(
    reading,
    ...formsOf(
      `${pathway.title} ${pathway.searchWords} over represented overrepresented up down marker differ`,
    ),
  );
  const genes = takeGenes(reading);
  if (genes.length > 0) {
    const rest = takeRestriction(reading);
    if ('problem' in rest) return rest;
    const args = { ...cellsOf(reading, rest), pathway_genes: genes, ...library };
    return one(pathway, args, `Which gene sets are ${listedNames(genes, 5)} enriched in?`);
  }
  const sides = takeSides(reading);
  if ('problem' in sides) {
    return {
      problem: 'Name the genes whose pathways you look for, or the groups of cells that differ in them.',
    };
  }
  const { text, cells, a, b } = sides as Sides & { readonly cells?: object; readonly text: string };
  const ranking = { source: 'comparison', comparison: { a, ...(b && { b }) } };
  const args = { ...(cells && { cells }), ranking, ...library };
  return one(rankedEnrichment, args, `Which gene sets go up or down between ${text}?`);
}

/** A library that the question names by its first word: KEGG, Hallmark, GO, Reactome. */
function takeLibrary(reading: Reading): { readonly library_name?: string } {
  for (const [name, title] of plainLibraryNames) {
    const words = formsOf(title).filter((form) => form !== 'msigdb');
    if (!says(reading, words[0]!)) continue;
    says(reading, ...words, 'msigdb', 'library');
    return { library_name: name };
  }
  return {};
}

function interactions(reading: Reading): Draft {
  says(reading, 'pair', 'between', 'which', 'talk');
  const groups = groupsIn(reading);
  const by = columnsIn(reading, false)[0];
  const shared = sharedColumn(groups);
  const column = by?.column ?? shared ?? ofRole(reading, groups) ?? usualGrouping(reading);
  if (column === undefined) return withoutGroups;
  if (by) take(reading, by);
  return ofSomeGroups(ligandReceptor, reading, column, (names, cells) => {
    const between =
      names.length > 1 ? listedNames(names, 4, 40) : `the groups of ${titleOf(reading, column)}`;
    return `Which pairs may signal between ${between}${cells}?`;
  });
}

/** The column of a cell type or cluster that the question names. */
function ofRole({ facts }: Reading, groups: readonly GroupMention[]): string | undefined {
  return [facts.cellTypes, facts.clusters].find(
    (column) => column !== undefined && groups.some((one) => groupOf(one, column) !== undefined),
  );
}

/** An analysis of the groups of a column that the question names; of all where it names fewer than two. */
function ofSomeGroups(
  declaration: Declaration,
  reading: Reading,
  column: string,
  purpose: (names: readonly string[], cells: string) => string,
): Draft {
  const names = takeGroupsOf(reading, column);
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  const args = { ...cellsOf(reading, rest), groupby: column, ...(names.length > 1 && { groups: names }) };
  const draft = one(declaration, args, purpose(names, inCells(reading, rest)));
  const [name = ''] = names;
  const note = `All groups of ${titleOf(reading, column)} are tested: look for “${cutText(name, 80)}” in the table.`;
  return names.length === 1 ? { ...draft, note } : draft;
}

function screen(reading: Reading): Draft {
  says(reading, 'control', 'change', 'effect', 'strongest', 'biggest');
  const groups = groupsIn(reading);
  const column = columnsIn(reading, false)[0]?.column ?? groups[0]?.options[0]?.column;
  take(reading, ...columnsIn(reading, false).slice(0, 1));
  const names = column === undefined ? [] : takeGroupsOf(reading, column);
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  const args = {
    ...cellsOf(reading, rest),
    ...(column !== undefined && { groupby: column }),
    ...(names.length > 0 && { controls: names }),
  };
  return one(perturbations, args, `What does each perturbation change${inCells(reading, rest)}?`);
}

/** The number that cells are ranked by: a gene, the score of several, or a column. */
function takeValue(reading: Reading): { readonly value: object; readonly title: string } | undefined {
  const [number] = columnsIn(reading, true);
  if (number !== undefined && genesOf(reading).length === 0) {
    take(reading, number);
    return { value: { of: 'column', column: number.column }, title: titleOf(reading, number.column) };
  }
  const genes = takeGenes(reading);
  const [gene] = genes;
  if (gene === undefined) return undefined;
  if (genes.length === 1) return { value: { of: 'gene', gene }, title: gene };
  const title = listedNames(genes, 3);
  return { value: { of: 'signature', score_name: title, genes }, title };
}

const needsValue = {
  problem: 'Name the gene, the genes of a score, or the column of numbers that cells are ranked by.',
};

function ends(reading: Reading): Draft {
  says(reading, 'top', 'bottom', 'percent', 'low', 'lowest', 'differ', 'difference');
  const by = takeValue(reading);
  if (by === undefined) return needsValue;
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  const purpose = `Which genes differ between cells high and low in ${by.title}${inCells(reading, rest)}?`;
  return one(deciles, { ...cellsOf(reading, rest), by: by.value }, purpose);
}

function alongAxis(reading: Reading): Draft {
  says(reading, 'change', 'vary', 'line', 'correlation');
  if (says(reading, ...trajectory.questionPhrases)) {
    const time = takeTime(reading);
    if ('problem' in time) return time;
    const { cells, title, ...of } = time;
    return one(
      gradient,
      { ...cells, axis: { of: 'pseudotime', ...of } },
      `Which genes change along ${title}?`,
    );
  }
  const value = takeValue(reading);
  if (value === undefined) return alongLine(reading);
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  const purpose = `Which genes change along ${value.title}${inCells(reading, rest)}?`;
  return one(gradient, { ...cellsOf(reading, rest), axis: value.value }, purpose);
}

function alongLine(reading: Reading): Draft {
  const pair = groupsIn(reading).length > 1 ? pairIn(reading) : undefined;
  if (pair === undefined) return needsValue;
  if ('problem' in pair) return pair;
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  const [{ column, name: from }, { name: to }] = pair;
  const purpose = `Which genes change along the line from ${from} to ${to} on the map?`;
  return one(
    gradient,
    { ...cellsOf(reading, rest), axis: { of: 'groups', groupby: column, from, to } },
    purpose,
  );
}

const rootWords = new Set(['from', 'root', 'start', 'starting', 'at', 'with', 'begin', 'beginning']);

/** The order of cells from a root. */
function takeTime(reading: Reading) {
  const root = groupsIn(reading).find((one) => rootWords.has(wordBefore(reading, headBefore(reading, one))));
  const [by] = columnsIn(reading, false);
  const { column: ofRoot, name: group } =
    (root && groupOf(root, by && groupOf(root, by.column) && by.column)) ?? {};
  const groupby = ofRoot ?? by?.column ?? usualGrouping(reading);
  if (groupby === undefined) return withoutGroups;
  if (by?.column === groupby) take(reading, by);
  if (root) takeGroups(reading, [root]);
  // Where the order ends follows from the cells: groups of the same column would only leave out the root.
  const others = groupsIn(reading).filter((one) => one !== root && root && groupOf(one, groupby));
  if (others.length > 0) {
    return { problem: 'Pseudotime has a root and no end: name one group that it starts from.' };
  }
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  const from = group === undefined ? '' : ` from ${group}`;
  return {
    cells: cellsOf(reading, rest),
    groupby,
    ...(group !== undefined && { root: { by: 'group', group } }),
    title: `pseudotime${from}${inCells(reading, rest)}`,
  };
}

function headBefore(reading: Reading, group: GroupMention): Mention {
  return headsOf(reading, [group])[0] ?? group;
}

function pseudotime(reading: Reading): Draft {
  says(reading, 'from', 'root', 'start', 'starting', 'begin', 'beginning', 'order');
  const time = takeTime(reading);
  if ('problem' in time) return time;
  const { cells, title, ...of } = time;
  const genes = takeGenes(reading);
  const args = { ...cells, ...of, ...(genes.length > 0 && { genes }) };
  return one(trajectory, args, `In which order do cells develop: ${title}?`);
}

function modules(reading: Reading): Draft {
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  return one(coExpression, cellsOf(reading, rest), `Which genes vary together${inCells(reading, rest)}?`);
}

function annotation(reading: Reading): Draft {
  says(reading, 'cell type', 'type', 'suggest', 'predict', 'marker');
  const groups = groupsIn(reading);
  const by = columnsIn(reading, false).find(({ column }) => column !== reading.facts.cellTypes);
  const types = columnsIn(reading, false).filter(({ column }) => column === reading.facts.cellTypes);
  take(reading, ...types, ...(by ? [by] : []));
  const { clusters } = reading.facts;
  const column = by?.column ?? sharedColumn(groups) ?? clusters ?? usualGrouping(reading);
  if (column === undefined) return withoutGroups;
  return ofSomeGroups(
    cellTypes,
    reading,
    column,
    (_names, cells) => `Which cell type is each group of ${titleOf(reading, column)}${cells}?`,
  );
}

/** Shares between two sides by a test of samples, or of each group of a column as bars. */
function shares(reading: Reading): Draft {
  const isComparing = says(
    reading,
    ...comparison.questionPhrases,
    'vs',
    'versus',
    'change',
    'between',
    'against',
  );
  const several = groupsIn(reading).length > 1 && sharedColumn(groupsIn(reading)) !== undefined;
  if (!isComparing && !several) return compositionBars(reading);
  const pair = pairIn(reading);
  if (pair === undefined) return compositionBars(reading);
  if ('problem' in pair) return pair;
  const of = columnsIn(reading, false).find((mention) => !reading.used.has(mention));
  if (of) take(reading, of);
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  const [a, b] = pair.map((group) => sideOf(reading, group, rest));
  const args = { a: a!, b: b!, ...(of && { by: of.column }) };
  const what = of === undefined ? 'cell types' : titleOf(reading, of.column);
  return one(composition, args, `Do shares of ${what} differ between ${a!.name} and ${b!.name}?`);
}
