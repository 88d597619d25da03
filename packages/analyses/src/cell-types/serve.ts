import {
  type CellGroups,
  type CellTypeMarkers,
  type PairedCells,
  resolveMarkers,
  type ResolvedMarkers,
  type SuggestionRule,
  type TypePair,
} from '@cellfolio/analysis';
import { unclear } from '@cellfolio/analysis/parameters';
import {
  countText,
  isCellCycleGene,
  leftOutCautions,
  listedNames,
  plural,
  pluralWord,
  quotedHead,
  type ResultCaution,
  valueCautions,
} from '@cellfolio/model';
import type { Context, GroupSums } from '../context.ts';
import type { CodedCaution } from '../declare.ts';
import { type DatasetList, listText, listWords, namedList } from '../reference-lists.ts';
import { serve } from '../serve.ts';
import type { steps, SuggestedTypes } from './compute.ts';
import {
  cellTypes,
  type CellTypesRequest,
  type CellTypesResult,
  type GroupSuggestion,
  type TypeEvidence,
  unclearText,
} from './declare.ts';

type Services = Context<typeof steps>;

/** Profiles of more groups would not fit into the memory of a thread: 24 bytes per gene and group. */
const maxGroups = 200;
const maxNamesListed = 5;
/** Means of fewer cells change with every other cell. */
const fewCells = 30;
/** Above this share of missing markers, their names are probably of another kind. */
const manyMissing = 0.5;

/** Genes that can be high in cells of any type for reasons other than the type. */
const programmes: readonly { name: string; isIn: (symbol: string) => boolean }[] = [
  { name: 'mitochondrial genes', isIn: (symbol) => /^MT-/i.test(symbol) },
  { name: 'ribosomal genes', isIn: (symbol) => /^RP(?:[SL]\d+[AXYL]?\d?|LP[0-2]|SA)$/i.test(symbol) },
  { name: 'genes of the cell cycle', isIn: isCellCycleGene },
];

export const analysis = serve(cellTypes, {
  async run(input, context: Services) {
    refuseScaled(context);
    const request = { ...input, groupby: await context.groupColumn(input.groupby, 'groupby') };
    const markers = await datasetMarkers(request, context);
    const sums = await context.groupSums(request.groupby);
    const groups = comparedGroups(sums, request, context);
    const suggested = await suggestedTypes(request, { markers, sums, groups }, context);
    const paired = await pairedCells(request, { suggested, sums, groups }, context);
    const findings = { markers, groups, suggested, paired };
    const { count, ...head } = markers.list.head;
    const { resolved } = markers;
    const groupTitle = context.groupTitleOf(request.groupby);
    const suggestions = groups.names.map((_, group) => suggestionOf(findings, group, context));
    const result = {
      group_title: groupTitle,
      marker_set: { ...head, type_count: count },
      markers: {
        types: count,
        tested: resolved.types.length,
        genes: resolved.markers,
        missing: resolved.missing,
      },
      gene_count: suggested.geneCount,
      suggestions,
    };
    return {
      request,
      result,
      table: tableOf(findings, suggestions, context),
      cautions: cautionsOf(request, result, findings, context),
      drawing: {
        groupTitle,
        groups: suggestions.map(({ group, cells, suggestion }, at) => ({
          label: group,
          cells,
          suggestion,
          best: Array.from(suggested.groups[at]!.order),
        })),
        types: markers.types.map(({ type }) => type),
        scores: Float64Array.from(suggested.groups.flatMap(({ linear }) => Array.from(linear.scores))),
        markerSet: listWords(markers.list.head, 'type'),
      },
    };
  },
  displayed({ result, drawing }, { groupby }, display) {
    const { groups, types, scores } = drawing;
    const order = display.order(
      groupby,
      groups.map(({ label }) => label),
    );
    return {
      result: { ...result, suggestions: order.map((group) => result.suggestions[group]!) },
      drawing: {
        ...drawing,
        groups: order.map((group) => ({
          ...groups[group]!,
          label: display.labelOf(groupby, groups[group]!.label),
        })),
        scores: Float64Array.from(
          order.flatMap((group) =>
            Array.from(scores.subarray(group * types.length, (group + 1) * types.length)),
          ),
        ),
      },
    };
  },
  facts({ request, result: { marker_set: set, markers, suggestions, gene_count: geneCount } }) {
    const isUnclear = suggestions.filter(({ suggestion }) => suggestion === null).length;
    return [
      {
        code: 'markers',
        title: 'Markers',
        message: `${countText(markers.tested)} of ${plural(markers.types, 'type')} of ${namedList(set)} · ${plural(suggestions.length, 'group')} · suggested for ${countText(suggestions.length - isUnclear)}, ${countText(isUnclear)} ${unclear}`,
      },
      { code: 'set', title: 'Set of markers', message: listText(set) },
      {
        code: 'in-dataset',
        title: 'In the dataset',
        message: `${countText(markers.genes - markers.missing)} of ${plural(markers.genes, 'marker')}`,
      },
      {
        code: 'score',
        title: 'Score',
        message: `ranking: decoupler’s univariate linear model (ulm; Badia-i-Mompel et al. 2022) of the mean log-normalized values of a group, less the mean of the groups’ means, over ${plural(geneCount, 'gene')} that any group expresses; t of the slope, p-values adjusted by Benjamini and Hochberg over the types`,
      },
      {
        code: 'agreement',
        title: 'Has to agree',
        message:
          'decoupler’s over-representation (ora) of the markers among the top 5 % of these genes, as log odds ratio',
      },
      { code: 'unclear', title: unclear, message: unclearText(request) },
      {
        code: 'groups',
        title: 'Groups',
        message: suggestions.map(({ group, cells }) => `${group} (${countText(cells)})`).join(', '),
      },
    ];
  },
});

function refuseScaled({ dataset, refuse }: Services): void {
  if (dataset.expression.state !== 'scaled') return;
  refuse(
    'scaled_values',
    'The dataset has scaled values, which do not show which cells express a marker. Import the dataset with log-normalized values or counts.',
  );
}

interface DatasetMarkers {
  readonly list: DatasetList<CellTypeMarkers>;
  readonly resolved: ResolvedMarkers;
  /** The resolved types. */
  readonly types: readonly CellTypeMarkers[];
}

async function datasetMarkers(
  { markers: name, own_markers: own, min_markers: minMarkers }: CellTypesRequest,
  { list: listOf, refuse }: Services,
): Promise<DatasetMarkers> {
  const list = await listOf('markers', { name, own });
  const { head, entries, find } = list;
  const resolved = resolveMarkers(entries, find, minMarkers);
  if (resolved.types.length === 0) {
    const [first] = entries;
    refuse(
      'no_markers_found',
      `None of the ${countText(entries.length)} types of ${quotedHead(head.name, 80)} has ${plural(minMarkers, 'marker')} in the dataset; the first type is ${quotedHead(`${first!.type}: ${first!.genes.join(', ')}`, 160)}. Use markers among the genes of the dataset, or require fewer.`,
      {
        field: own === undefined ? 'markers' : 'own_markers',
        problem: 'has no type of genes of the dataset',
      },
    );
  }
  return { list, resolved, types: resolved.types.map(({ type }) => entries[type]!) };
}

interface ComparedGroups {
  /** Among those of the sums. */
  readonly indices: readonly number[];
  readonly names: readonly string[];
  readonly sizes: readonly number[];
  readonly leftOut: readonly { readonly name: string; readonly cells: number }[];
  readonly empty: readonly string[];
  readonly unlabelled: number;
}

/** The groups that have enough cells; refuses fewer than two, and too many. */
function comparedGroups(
  { groups: { names, sizes }, unlabelledCells: unlabelled }: GroupSums,
  { groups: chosenNames, groupby, min_cells: minCells }: CellTypesRequest,
  { refuse }: Services,
): ComparedGroups {
  const chosen = chosenNames && new Set(chosenNames);
  const candidates = names.flatMap((name, group) => (chosen && !chosen.has(name) ? [] : [group]));
  const indices = candidates.filter((group) => sizes[group]! >= minCells);
  const named = (group: number) => ({ name: names[group]!, cells: sizes[group]! });
  const leftOut = candidates.filter((group) => !indices.includes(group)).map(named);
  const { length } = indices;
  if (length < 2) {
    const few = leftOut.map(({ name, cells }) => `${name} (${cells})`);
    refuse(
      'not_enough_groups',
      `Of the active cells, ${length === 1 ? 'one group' : 'no group'} of ${quotedHead(groupby, 80)} has ${countText(minCells)} cells or more${few.length > 0 ? ` (too few: ${listedNames(few, 5)})` : ''}, and each group is compared with the others. Choose another column, more groups, or a larger subset.`,
      { field: 'groupby', problem: 'has fewer than two groups of enough cells' },
    );
  }
  if (length > maxGroups) {
    refuse(
      'too_many_groups',
      `${quotedHead(groupby, 80)} has ${countText(length)} groups; the maximum is ${maxGroups}. Choose some of the groups, or another column.`,
      { field: 'groupby', problem: `has ${length} groups` },
    );
  }
  return {
    indices,
    names: indices.map((group) => names[group]!),
    sizes: indices.map((group) => sizes[group]!),
    leftOut,
    empty: (chosenNames ?? []).filter((name) => !names.includes(name)),
    unlabelled,
  };
}

function suggestedTypes(
  request: CellTypesRequest,
  { markers, sums, groups }: { markers: DatasetMarkers; sums: GroupSums; groups: ComparedGroups },
  context: Services,
): Promise<SuggestedTypes> {
  context.report('Scoring the types');
  const { symbols } = context.dataset;
  const rule: SuggestionRule = {
    maxAdjustedP: request.pval,
    minExpressed: request.min_markers,
    minShare: request.min_share,
    minMargin: request.min_margin,
  };
  const input = {
    blocks: sums.blocks,
    groups: sums.groups,
    comparedIndices: groups.indices,
    types: markers.resolved.types,
    lineages: markers.types.map(({ lineage }) => lineage),
    rule,
    programmes: programmes.map(({ isIn }) =>
      Int32Array.from(symbols.flatMap((symbol, row) => (isIn(symbol) ? [row] : []))),
    ),
  };
  return context.compute('suggest', input, { isLong: true });
}

/** Cells of two types, by the index of their group. */
type PairedGroups = ReadonlyMap<number, PairedCells>;

async function pairedCells(
  { min_share: minShare }: CellTypesRequest,
  { suggested, sums, groups }: { suggested: SuggestedTypes; sums: GroupSums; groups: ComparedGroups },
  context: Services,
): Promise<PairedGroups> {
  const looksLike = suggested.groups.flatMap((group, place) =>
    group.conflict === undefined ? [] : [{ place, pair: pairOf(group, groups.indices[place]!, minShare) }],
  );
  if (looksLike.length === 0) return new Map();
  context.report('Looking for cells of two types');
  const cells: CellGroups = sums.groups;
  const input = { groups: cells, pairs: looksLike.map(({ pair }) => pair) };
  const counts = await context.compute('pair', input, { isLong: true });
  return new Map(looksLike.map(({ place }, at) => [place, counts[at]!]));
}

/** Markers that the group expresses of one type and not of the other. */
function pairOf(
  { markers, order, conflict }: SuggestedTypes['groups'][number],
  group: number,
  minShare: number,
): TypePair {
  const expressed = (type: number) => {
    const { rows, shares, above } = markers.find((one) => one.type === type)!;
    return Array.from(rows).filter((_, at) => shares[at]! >= minShare && above[at]! > 0);
  };
  const [one, other] = [expressed(order[0]!), expressed(conflict!)];
  return {
    group,
    markers: [one.filter((row) => !other.includes(row)), other.filter((row) => !one.includes(row))],
  };
}

interface Findings {
  readonly markers: DatasetMarkers;
  readonly groups: ComparedGroups;
  readonly suggested: SuggestedTypes;
  readonly paired: PairedGroups;
}

function suggestionOf(findings: Findings, group: number, context: Services): GroupSuggestion {
  const { suggested, groups, paired, markers } = findings;
  const { order, reasons, margin, conflict } = suggested.groups[group]!;
  const [best, next] = order;
  const cells = paired.get(group);
  const evidence = (type: number | undefined) =>
    type === undefined ? null : evidenceOf(findings, group, type, context);
  return {
    group: groups.names[group]!,
    cells: groups.sizes[group]!,
    suggestion: best === undefined || reasons.length > 0 ? null : markers.types[best]!.type,
    reasons: [...reasons],
    margin,
    best: evidence(best),
    runner_up: evidence(next),
    conflict:
      conflict === undefined || cells === undefined
        ? null
        : {
            ...evidenceOf(findings, group, conflict, context),
            both_cells: cells.both,
            best_cells: cells.one,
            these_cells: cells.other,
          },
  };
}

function evidenceOf(
  { suggested, markers }: Findings,
  group: number,
  type: number,
  { dataset: { symbols } }: Services,
): TypeEvidence {
  const { linear, top, expressed, markers: evidence } = suggested.groups[group]!;
  const { type: name, lineage, reference, checked } = markers.types[type]!;
  const ofType = evidence.find((one) => one.type === type);
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
    markers: Array.from(ofType?.rows ?? [], (row, at) => ({
      gene: symbols[row] ?? String(row),
      share: ofType!.shares[at]!,
      mean: ofType!.means[at]!,
      above: ofType!.above[at]!,
      other_groups: ofType!.others[at]!,
    })),
    missing: [...markers.resolved.types[type]!.missing],
  };
}

/** A row per type and group, the best of a group first and with the suggestion. */
function tableOf(
  { suggested, groups, markers }: Findings,
  suggestions: readonly GroupSuggestion[],
  { dataset: { symbols } }: Services,
) {
  const rows = suggested.groups.flatMap((evidence, group) =>
    Array.from(evidence.order, (type, place) => ({ ...evidence, group, type, place })),
  );
  type Row = (typeof rows)[number];
  const all = <Value>(valueOf: (row: Row) => Value) => rows.map(valueOf);
  const ofTypes = (categories: readonly string[]) => ({ codes: all(({ type }) => type), categories });
  const symbolsOf = (ofType: Int32Array) =>
    Array.from(ofType, (row) => symbols[row] ?? String(row)).join(';');
  const references = markers.types.map(({ reference }) => reference);
  return {
    group: { codes: all(({ group }) => group), categories: groups.names },
    rank: all(({ place }) => place + 1),
    cell_type: ofTypes(markers.types.map(({ type }) => type)),
    suggestion: all(({ group, place }) => (place === 0 ? (suggestions[group]!.suggestion ?? unclear) : '')),
    ulm_score: all(({ linear, type }) => linear.scores[type]!),
    ulm_pval: all(({ linear, type }) => linear.pValues[type]!),
    ulm_padj: all(({ linear, type }) => linear.adjustedPs[type]!),
    ora_score: all(({ top, type }) => top.scores[type]!),
    ora_pval: all(({ top, type }) => top.pValues[type]!),
    ora_padj: all(({ top, type }) => top.adjustedPs[type]!),
    markers: all(({ type }) => suggested.inProfile[type]!),
    expressed: all(({ expressed, type }) => expressed[type]!),
    genes: ofTypes(markers.resolved.types.map(({ rows: ofType }) => symbolsOf(ofType))),
    lineage: ofTypes(markers.types.map(({ lineage }) => lineage)),
    ...(markers.list.entries.some(({ reference }) => reference !== '') && { reference: ofTypes(references) }),
  };
}

type Coded = CodedCaution<(typeof cellTypes)['cautions']>;

function cautionsOf(
  { groupby: column, min_cells: minCells, min_markers: minMarkers }: CellTypesRequest,
  { suggestions }: CellTypesResult,
  { markers, groups, suggested }: Findings,
  { dataset }: Services,
): (Coded | ResultCaution)[] {
  const { head, entries } = markers.list;
  const { length } = suggestions;
  const isUnclear = suggestions.filter(({ suggestion }) => suggestion === null).length;
  const own: Coded[] = [{ code: 'suggestions-only', numbers: { groups: length, unclear: isUnclear } }];
  const mixed = suggestions.filter(({ conflict }) => conflict !== null);
  if (mixed.length > 0) {
    const listed = mixed.slice(0, maxNamesListed);
    own.push({
      code: 'two-types',
      numbers: {
        groupCount: mixed.length,
        groups: listed.map(({ group }) => group),
        both: listed.map(({ conflict }) => conflict!.both_cells),
      },
    });
  }
  const small = suggestions.filter(({ cells }) => cells < fewCells).map(({ group }) => group);
  if (small.length > 0) {
    const numbers = { limit: fewCells, groups: small.slice(0, maxNamesListed), groupCount: small.length };
    own.push({ code: 'small-groups', numbers });
  }
  // Means are centred over the groups, so what all groups share is in none of them.
  if (length <= 3 || new Set(suggestions.map(({ suggestion }) => suggestion)).size === 1) {
    own.push({ code: 'relative-to-other-groups', numbers: { groups: length } });
  }
  if (head.label !== '') {
    const unverifiedReferences = entries.filter(({ checked }) => checked === false).length;
    const withoutReference = entries.filter(({ reference }) => reference === '').length;
    own.push({
      code: 'abridged-markers',
      numbers: { types: head.count, unverifiedReferences, withoutReference },
    });
  }
  return [
    ...valueCautions(dataset, 'means and all scores are of the values as they are'),
    ...own,
    ...otherProgrammes(suggested, groups),
    ...missingMarkers(markers, minMarkers),
    ...markers.list.cautions('Orthologous genes need not mark the same cells.'),
    ...leftOutCautions(groups, { minCells, column, nowhere: 'mean' }),
  ];
}

function otherProgrammes({ groups: suggested }: SuggestedTypes, { names }: ComparedGroups): ResultCaution[] {
  return programmes.flatMap(({ name }, programme): ResultCaution[] => {
    const explained = suggested.flatMap(({ programmes: scores, linear, order }, group) => {
      const best = order[0] === undefined ? 0 : Math.max(0, linear.scores[order[0]]!);
      return scores[programme]! > Math.max(best, 2) ? [names[group]!] : [];
    });
    if (explained.length === 0) return [];
    return [
      {
        code: 'explained-by-programme',
        message: `${listedNames(explained, maxNamesListed)} ${pluralWord(explained.length, 'differs', 'differ')} from the other groups by ${name} more than by the markers of any type: ${name === 'mitochondrial genes' ? 'these cells may be dying' : 'that is a state, not a type'}. Check its markers.`,
        numbers: {
          programme: name,
          groupCount: explained.length,
          groups: explained.slice(0, maxNamesListed),
        },
      },
    ];
  });
}

function missingMarkers({ resolved, list }: DatasetMarkers, minMarkers: number): ResultCaution[] {
  const { markers, missing, leftOut } = resolved;
  if (missing === 0) return [];
  const names = leftOut.map((type) => list.entries[type]!.type);
  const left =
    names.length === 0
      ? ''
      : ` Types with fewer than ${minMarkers} markers cannot be suggested: ${listedNames(names, maxNamesListed)}.`;
  const why =
    missing >= manyMissing * markers
      ? ' Most are missing: check that the dataset has all genes, under these names.'
      : '';
  return [
    {
      code: 'markers-missing',
      message: `${countText(missing)} of ${countText(markers)} markers are not among the genes of the dataset.${why}${left}`,
      numbers: { markers, missing, typesLeftOut: leftOut.length },
    },
  ];
}
