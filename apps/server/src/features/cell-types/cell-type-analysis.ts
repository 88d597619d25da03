import {
  type CellTypeAnswer,
  type CellTypeParameters,
  columnTitle,
  csvComments,
  type GroupSuggestion,
  type MarkerSet as SetAnswer,
  type TypeEvidence,
  unclear,
} from '@cellfolio/contract';
import { countText, noteLines, resultNotes } from '@cellfolio/model';
import type { InputValues, PlotInput } from '@cellfolio/figures';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { displayOrder, labelIn } from '../../runtime/compute/category-display.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { csvLine } from '../../runtime/tables/result-csv.ts';
import { type FigureService, figureFields } from '../explore/index.ts';
import { columnLabel } from '../../runtime/column-names.ts';
import { type ListHead, listWords } from '../reference-lists/index.ts';
import { definitionLines, notesOf, type Selection, sourceOf } from '../selection/index.ts';
import { type CellTypeResult, suggestedType, typeAt } from './cell-type-result.ts';
import type { CellTypeSuggestions } from './cell-type-suggestions.ts';

export interface CellTypeDeps {
  datasets: OpenDatasets;
  figures: FigureService;
  cellTypes: CellTypeSuggestions;
}

export async function analyseCellTypes(
  { datasets, figures, cellTypes }: CellTypeDeps,
  selection: Selection,
  request: CellTypeParameters,
  call: CallContext,
): Promise<CellTypeAnswer> {
  const result = await cellTypes.run(selection, request, call);
  const { parameters, markers, suggestedTypes, cautions } = result;
  const { symbols } = (await datasets.get(selection.manifest)).genes;
  const content = { kind: 'cell-type-heatmap', ...parameters, markers_version: markers.set.version } as const;
  call.onProgress({ stage: 'Drawing the types', done: 0, total: 1 });
  const figure = await figures.draw(selection, content, call, {
    'cell-types': drawnOf(result, selection),
  });
  return {
    types_csv: `${csvComments(headLines(selection, result))}${tableOf(result, symbols)}`,
    ...figureFields('heatmap', figure),
    source: sourceOf(selection, content),
    parameters,
    group_title: columnLabel(selection.manifest.roles, parameters.groupby, selection.own).alone,
    marker_set: setAnswer(markers.set),
    markers: {
      types: markers.listed.length,
      tested: markers.types.length,
      genes: markers.markers,
      missing: markers.missing,
    },
    gene_count: suggestedTypes.geneCount,
    suggestions: orderOf(result, selection).map((group) => suggestionOf(result, group, symbols)),
    ...notesOf(selection, cautions),
  };
}

export function setAnswer({ name, label, release, licence, species, count, version }: ListHead): SetAnswer {
  return { name, label, release, licence, species, type_count: count, version };
}

function suggestionOf(result: CellTypeResult, group: number, symbols: readonly string[]): GroupSuggestion {
  const { suggestedTypes, groups, paired } = result;
  const { order, reasons, margin, conflict } = suggestedTypes.groups[group]!;
  const evidence = (type: number | undefined) =>
    type === undefined ? null : evidenceOf(result, group, type, symbols);
  const cells = paired.get(group);
  return {
    group: groups.names[group]!,
    cells: groups.sizes[group]!,
    suggestion: suggestedType(result, group)?.type ?? null,
    reasons: [...reasons],
    margin,
    best: evidence(order[0]),
    runner_up: evidence(order[1]),
    conflict:
      conflict === undefined || cells === undefined
        ? null
        : {
            ...evidenceOf(result, group, conflict, symbols),
            both_cells: cells.both,
            best_cells: cells.one,
            these_cells: cells.other,
          },
  };
}

function evidenceOf(
  { suggestedTypes, markers }: CellTypeResult,
  group: number,
  type: number,
  symbols: readonly string[],
): TypeEvidence {
  const { linear, top, expressed, markers: evidence } = suggestedTypes.groups[group]!;
  const { type: name, lineage, reference, checked } = typeAt(markers, type);
  const markerEvidence = evidence.find((one) => one.type === type);
  return {
    type: name,
    lineage,
    reference,
    ...(checked !== undefined && { reference_checked: checked }),
    score: linear.scores[type]!,
    adjusted_p: linear.adjustedPs[type]!,
    ora_score: top.scores[type]!,
    ora_adjusted_p: top.adjustedPs[type]!,
    expressed: expressed[type]!,
    markers: Array.from(markerEvidence?.rows ?? [], (row, at) => ({
      gene: symbols[row] ?? String(row),
      share: markerEvidence!.shares[at]!,
      mean: markerEvidence!.means[at]!,
      above: markerEvidence!.above[at]!,
      other_groups: markerEvidence!.others[at]!,
    })),
    missing: [...markers.types[type]!.missing],
  };
}

const columns =
  'group rank cell_type suggestion ulm_score ulm_pval ulm_padj ora_score ora_pval ora_padj markers expressed genes lineage'.split(
    ' ',
  );

/** One line per type and group, the best of a group first and with the suggestion. */
function tableOf(result: CellTypeResult, symbols: readonly string[]): string {
  const { suggestedTypes, groups, markers } = result;
  const hasReferences = markers.listed.some(({ reference }) => reference !== '');
  const lines = suggestedTypes.groups.flatMap(({ order, linear, top, expressed }, group) =>
    Array.from(order, (type, place) => {
      const { type: name, lineage, reference } = typeAt(markers, type);
      return csvLine([
        groups.names[group]!,
        place + 1,
        name,
        place === 0 ? (suggestedType(result, group)?.type ?? unclear) : '',
        linear.scores[type]!,
        linear.pValues[type]!,
        linear.adjustedPs[type]!,
        top.scores[type]!,
        top.pValues[type]!,
        top.adjustedPs[type]!,
        suggestedTypes.inProfile[type]!,
        expressed[type]!,
        Array.from(markers.types[type]!.rows, (row) => symbols[row] ?? String(row)).join(';'),
        lineage,
        ...(hasReferences ? [reference] : []),
      ]);
    }),
  );
  return `${csvLine([...columns, ...(hasReferences ? ['reference'] : [])])}${lines.join('')}`;
}

function setWords(set: ListHead, hasRoom: boolean): string {
  return listWords(set, ['type', 'types'], hasRoom);
}

function headLines(selection: Selection, result: CellTypeResult): string[] {
  const { parameters, markers, groups, suggestedTypes, cautions } = result;
  const { groupby, min_cells, min_markers, min_share, min_margin, pval } = parameters;
  const { set } = markers;
  const sizes = groups.names.map((name, group) => `${name} (${countText(groups.sizes[group]!)})`);
  return [
    ...definitionLines(selection, { call: 'suggest-cell-types', parameters }),
    `Groups: ${columnTitle(groupby, selection.own)}: ${sizes.join(', ')}`,
    `Markers: ${setWords(set, true)}; ${set.licence === '' ? '' : `licence: ${set.licence}; `}version ${set.version}; ${countText(markers.types.length)} types with ${min_markers} markers or more in the dataset`,
    `Scores: decoupler's (Badia-i-Mompel et al. 2022), of the mean log-normalised values of each group less the mean of the groups' means, over ${countText(suggestedTypes.geneCount)} genes that any group expresses. ulm_score, which ranks, is t of the univariate linear model of these by the weights of the markers; ora_score is the log odds ratio of the markers among the top 5 % of genes, with all genes as background; p-values are two-sided and adjusted by Benjamini and Hochberg over the types of a group`,
    `${unclear} where ulm_padj or ora_padj of the best type is not below ${pval}, where fewer than ${min_markers} of its markers are expressed (by ${min_share} of the cells or more, and above the mean of the groups), or where its score is not ${min_margin} of itself above the next`,
    `Parameters: at least ${min_cells} cells a group`,
    ...noteLines(cautions),
  ];
}

function orderOf({ parameters, groups }: CellTypeResult, { displays }: Selection): number[] {
  return displayOrder(
    groups.names,
    displays?.find(({ column }) => column === parameters.groupby),
  );
}

type CellTypesInput = Extract<PlotInput, { from: 'cell-types' }>;

export function cellTypeInputs(cellTypes: CellTypeSuggestions) {
  return {
    version: ({ parameters }: CellTypesInput) => cellTypes.dependencies(parameters),
    async find(
      selection: Selection,
      { parameters, version }: CellTypesInput,
      call: CallContext,
    ): Promise<InputValues['cell-types']> {
      return drawnOf(
        await cellTypes.run(selection, { ...parameters, markers_version: version }, call),
        selection,
      );
    },
  };
}

function drawnOf(result: CellTypeResult, selection: Selection): InputValues['cell-types'] {
  const { parameters, markers, groups, suggestedTypes, cautions } = result;
  const { groupby } = parameters;
  const nameOf = labelIn(selection.displays?.find(({ column }) => column === groupby));
  const order = orderOf(result, selection);
  return {
    groupTitle: columnLabel(selection.manifest.roles, groupby, selection.own).alone,
    groups: order.map((group) => ({
      label: nameOf(groups.names[group]!),
      cells: groups.sizes[group]!,
      suggestion: suggestedType(result, group)?.type ?? null,
      best: Array.from(suggestedTypes.groups[group]!.order),
    })),
    types: markers.types.map((_, place) => typeAt(markers, place).type),
    scores: Float64Array.from(
      order.flatMap((group) => Array.from(suggestedTypes.groups[group]!.linear.scores)),
    ),
    markerSet: setWords(markers.set, false),
    cautions: resultNotes(cautions).warnings,
  };
}
