import {
  columnTitle,
  csvComments,
  type LigandReceptorAnswer,
  type LigandReceptorParameters,
  type PairSet as SetAnswer,
} from '@cellfolio/contract';
import { countText, noteLines, resultNotes } from '@cellfolio/model';
import type { InputValues, PlotInput } from '@cellfolio/figures';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { displayOrder } from '../../runtime/compute/category-display.ts';
import { csvLine } from '../../runtime/tables/result-csv.ts';
import { type FigureService, figureFields } from '../explore/index.ts';
import { columnLabel } from '../../runtime/column-names.ts';
import { type ListHead, listWords } from '../reference-lists/index.ts';
import { definitionLines, notesOf, type Selection, sourceOf } from '../selection/index.ts';
import { hasReferences, type LigandReceptorResult } from './cautions.ts';
import type { LigandReceptorTests } from './ligand-receptor-tests.ts';
import { pairColumns } from './tasks.ts';

export interface LigandReceptorDeps {
  figures: FigureService;
  ligandReceptor: LigandReceptorTests;
}

export async function analyseLigandReceptor(
  { figures, ligandReceptor }: LigandReceptorDeps,
  selection: Selection,
  request: LigandReceptorParameters,
  call: CallContext,
): Promise<LigandReceptorAnswer> {
  const result = await ligandReceptor.run(selection, request, call);
  const { parameters, pairs, groups, looked, table, cautions } = result;
  const content = { kind: 'ligand-receptor-dots', ...parameters, pairs_version: pairs.set.version } as const;
  call.onProgress({ stage: 'Drawing the pairs', done: 0, total: 1 });
  const figure =
    table.pValues.length === 0
      ? undefined
      : await figures.draw(selection, content, call, { interactions: drawnOf(result, selection) });
  return {
    interactions_csv: `${csvComments(headLines(selection, result))}${csvLine(pairColumns(hasReferences(pairs)))}${table.rows}`,
    ...figureFields('dotplot', figure),
    source: figure ? sourceOf(selection, content) : null,
    parameters,
    group_title: columnLabel(selection.manifest.roles, parameters.groupby, selection.own).alone,
    pair_set: setAnswer(pairs.set),
    pairs: {
      listed: pairs.set.count,
      in_dataset: pairs.pairs.length,
      missing: pairs.missing,
      duplicates: pairs.duplicates,
    },
    groups: groups.names.map((name, group) => ({ name, cells: groups.sizes[group]! })),
    tests: {
      looked,
      tested: table.pValues.length,
      passing: table.significant,
      adjusted: table.adjustedPassing,
    },
    ...notesOf(selection, cautions),
  };
}

export function setAnswer({ name, label, release, licence, species, count, version }: ListHead): SetAnswer {
  return { name, label, release, licence, species, pair_count: count, version };
}

function setWords(set: ListHead, hasRoom: boolean): string {
  return listWords(set, ['pair', 'pairs'], hasRoom);
}

function headLines(
  selection: Selection,
  { parameters, pairs, groups, cautions }: LigandReceptorResult,
): string[] {
  const { groupby, min_share: share, min_cells: cells, permutations, seed, pval } = parameters;
  const { set } = pairs;
  const sizes = groups.names.map((name, group) => `${name} (${countText(groups.sizes[group]!)})`);
  return [
    ...definitionLines(selection, { call: 'perform-ligand-receptor-analysis', parameters }),
    `Groups: ${columnTitle(groupby, selection.own)}: ${sizes.join(', ')}`,
    `Pairs: ${setWords(set, true)}; ${set.licence === '' ? '' : `licence: ${set.licence}; `}version ${set.version}; ${countText(pairs.pairs.length)} in the dataset`,
    `Test: CellPhoneDB's (Efremova et al. 2020) as LIANA has it: lr_means is the mean of the mean log-normalised values of ligand and receptor, a complex its subunit of the smallest mean (columns ligand and receptor), cellphone_pvals the share of ${countText(permutations)} permutations of the labels, seed ${seed}, with a mean as high; cellphone_pvals_adj is adjusted by Benjamini and Hochberg`,
    'Scores, named as LIANA names them: expr_prod (NATMI, Connectome), lr_logfc (mean log2 fold change of each group against all other cells), min_logfc (the smaller of the two), lrscore (SingleCellSignalR), scaled_weight (Connectome), spec_weight (NATMI); ranks are robust rank aggregates (Kolde et al. 2012) of lr_means, expr_prod and lrscore (magnitude_rank), and of cellphone_pvals, lr_logfc, scaled_weight and spec_weight (specificity_rank)',
    `Parameters: both genes in at least ${share} of the cells of their group (ligand_props, receptor_props), at least ${cells} cells a group; counted: p < ${pval}`,
    ...noteLines(cautions),
  ];
}

type InteractionsInput = Extract<PlotInput, { from: 'interactions' }>;

export function interactionInputs(tests: LigandReceptorTests) {
  return {
    version: ({ parameters }: InteractionsInput) => tests.dependencies(parameters),
    async find(
      selection: Selection,
      { parameters, version }: InteractionsInput,
      call: CallContext,
    ): Promise<InputValues['interactions']> {
      return drawnOf(await tests.run(selection, { ...parameters, pairs_version: version }, call), selection);
    },
  };
}

function drawnOf(
  { parameters, pairs, groups, interactions, means, table, cautions }: LigandReceptorResult,
  { manifest, displays, own }: Selection,
): InputValues['interactions'] {
  const { groupby } = parameters;
  const order = displayOrder(
    groups.names,
    displays?.find(({ column }) => column === groupby),
  );
  const placeOf = Uint16Array.from(groups.names, (_, group) => order.indexOf(group));
  return {
    groupTitle: columnLabel(manifest.roles, groupby, own).alone,
    groups: order.map((group) => ({ label: groups.names[group]!, cells: groups.sizes[group]! })),
    pairs: pairs.named,
    sources: interactions.sources.map((group) => placeOf[group]!),
    targets: interactions.targets.map((group) => placeOf[group]!),
    pairOf: interactions.pairs,
    means,
    pValues: table.pValues,
    permutations: parameters.permutations,
    threshold: parameters.pval,
    pairSet: setWords(pairs.set, false),
    cautions: resultNotes(cautions).warnings,
  };
}
