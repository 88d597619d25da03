import {
  type Bins,
  binsWords,
  cellTestWords,
  foldChangeWords,
  markerParameters,
  maxGroups,
} from '@cellfolio/analysis/parameters';
import { countText, isClustering, maxNameLength } from '@cellfolio/model';
import type { ComparedGroups, Context } from '../context.ts';
import type { CodedTexts, TableOf } from '../declare.ts';
import { thinningLine } from '../depth-cautions.ts';
import { fewCells } from '../p-value-cautions.ts';
import { type Display, type DrawnContent, serve } from '../serve.ts';
import { cautionsOf } from './cautions.ts';
import { allGroups, crossedName, type MarkerChecks, type steps } from './compute.ts';
import {
  type DrawnMarkers,
  type MarkerGroup,
  markers as declared,
  type MarkersFigure,
  type MarkersRequest,
  referenceName,
} from './declare.ts';
import { type RankedMarkers, rankedMarkers, totalOf } from './ranking.ts';

type Services = Context<typeof steps>;
type Table = TableOf<(typeof declared)['table']>;

export const analysis = serve(declared, {
  async run(input, context: Services) {
    const sent = markerParameters.parse(input);
    const compared = await context.comparedGroups(sent);
    const markers = await rankedMarkers(sent, compared, context);
    const checks = await checksOf(sent, { compared, markers }, context);
    const isListed = markers.groups.some(({ rows }) => rows.length > 0);
    const counts = isListed && !compared.thinned ? await context.countsPerCell(compared.strata) : undefined;
    const request = asInDataset(sent, compared);
    const titles = titlesOf(sent, compared, context);
    const { groups } = markers;
    return {
      request,
      result: {
        group_title: titles.alone,
        groups: groups.map(({ name, cells, others, rows, of: { group, part } }) => ({
          name,
          cells,
          markers: rows.length,
          reference_cells: others,
          few_cells: cells < fewCells,
          of: part === undefined ? undefined : { group, category: part },
        })),
        passing: {
          tested: totalOf(groups, 'tested'),
          pvals_adj: totalOf(groups, 'significant'),
          logfoldchanges: totalOf(groups, 'changed'),
          both: totalOf(groups, 'markerCount'),
        },
        cell_count: compared.strata.reduce((total, { groups: { sizes } }) => total + sumOf(sizes), 0),
        unlabelled_count: compared.unlabelledCells,
        gene_count: context.dataset.symbols.length,
      },
      table: tableOf(markers, context),
      head: headOf(request, compared, titles),
      cautions: cautionsOf(
        { request: sent, compared, groups: allGroups(compared.strata), markers, checks, counts },
        context,
      ),
      drawing: drawingOf(markers, request, compared, titles, context),
      isEmpty: !isListed,
    };
  },
  displayed({ result, drawing, table }, _request, display) {
    const shown = displayOf(drawing, display);
    const order = shown.order(drawing.markers);
    const columns = shown.order(drawing.groups);
    const markers = drawing.markers.map(shown.named);
    const ordered = rowsOf(table, drawing.markers, order);
    const categories = markers.map(({ label }, at) => (result.groups[at]!.few_cells ? `${label}*` : label));
    return {
      result: { ...result, groups: order.map((at) => result.groups[at]!) },
      table: ordered,
      preview: { ...ordered, group: { ...(ordered.group as CodedTexts), categories } },
      head: shown.notes,
      drawing: {
        ...drawing,
        markers: order.map((at) => markers[at]!),
        groups: columns.map((at) => shown.named(drawing.groups[at]!)),
        reference: shown.reference,
        means: columnsOf(drawing.means, columns),
        fractions: columnsOf(drawing.fractions, columns),
      },
    };
  },
  facts: () => [],
  input: (drawing, { markers: chosen }, context) =>
    figureOf(drawing, chosen && chosenMarkers(drawing, chosen, context), context),
});

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Diagnostics that a test of cells cannot derive from its own result: one more task, if there is anything to check. */
async function checksOf(
  sent: MarkersRequest,
  { compared, markers }: { readonly compared: ComparedGroups; readonly markers: RankedMarkers },
  context: Services,
): Promise<MarkerChecks> {
  const { dataset } = context;
  const { by, split, strata } = compared;
  const isColumn = sent.selection === undefined;
  const column = (await context.sampleColumn())?.column;
  // Distances mean more in principal components than in the two dimensions of a UMAP.
  const embedding = ['X_pca', dataset.roles.embedding].find((name) =>
    dataset.embeddings.some((one) => one.name === name),
  );
  // A distance to every group of each sampled cell.
  const isSeparated = isColumn && isClustering(dataset, by.column) && compared.order.length <= maxGroups;
  // Who compares batches knows that they are.
  const batches = dataset.batchColumns.filter(
    (name) => name !== split?.column && (!isColumn || name !== by.column),
  );
  const listed = markers.groups.filter(({ rows }) => rows.length > 0);
  if (listed.length === 0 || (!isSeparated && column === undefined && batches.length === 0)) return {};
  context.report('Checking the markers');
  const samples = column === undefined ? undefined : { samples: column, totals: await context.rawTotals() };
  const input = {
    strata: strata.map(({ part, groups, reference }) => ({ part, groups, reference })),
    embedding: isSeparated ? embedding : undefined,
    samples,
    batches,
    markers: listed.map(({ group, rows, logfoldchanges }) => ({ group, rows, logfoldchanges })),
  };
  return context.compute('check', input, { isLong: true });
}

/** With the columns of the dataset, unless one of an earlier import has a name that no call takes. */
function asInDataset(sent: MarkersRequest, { by, split }: ComparedGroups): MarkersRequest {
  const nameOf = (column: string, name: string) => (column.length > maxNameLength ? name : column);
  return {
    ...sent,
    groupby: nameOf(by.column, sent.groupby),
    bins: by.bins,
    split: split && { ...split, column: nameOf(split.column, sent.split?.column ?? '') },
  };
}

interface Titles {
  readonly alone: string;
  readonly inTitle: string;
}

/** The name of a selection is not a column, whatever it is. */
function titlesOf(
  { selection }: MarkersRequest,
  { by: { column, bins }, split }: ComparedGroups,
  { groupTitleOf, groupWordsOf }: Services,
): Titles {
  const within = split ? `, split by ${groupWordsOf(split.column)}${cutWords(split.bins)}` : '';
  const end = `${cutWords(bins)}${within}`;
  if (selection) return { alone: `${column}${end}`, inTitle: `${column}${end}` };
  return { alone: `${groupTitleOf(column)}${end}`, inTitle: `${groupWordsOf(column)}${end}` };
}

const edgesShown = 5;

/** How the numbers of a column are binned, as a suffix to its title: with custom edges by these. Empty for categories. */
export function cutWords(bins: Bins | undefined): string {
  if (bins === undefined) return '';
  if (bins.by !== 'edges') return ` (${binsWords(bins)})`;
  const more = bins.edges.length > edgesShown ? ' and more' : '';
  return ` (cut at ${bins.edges.slice(0, edgesShown).join(', ')}${more})`;
}

function headOf(request: MarkersRequest, { strata, thinned }: ComparedGroups, { inTitle }: Titles): string[] {
  const others = referenceName(request);
  const { n_genes: maxGenes, pvals_adj: p, logfoldchanges: change, min_cells: cells } = request;
  const names = strata.map(({ part, groups }) =>
    [...groups.names, 'other cells'].map((name) => crossedName(name, part)),
  );
  return [
    `Test: ${cellTestWords(request)}, of each group by ${inTitle} against ${others}; p-values adjusted by Benjamini and Hochberg over all genes of a group`,
    ...(thinned ? [thinningLine(thinned, names)] : []),
    `Fold changes: ${foldChangeWords(request, ['the group', others])}`,
    `Limits: adjusted p < ${p}, log2 fold change > ${change}, at most ${maxGenes} genes per group, groups of ${cells} cells or more`,
  ];
}

function tableOf({ groups }: RankedMarkers, { dataset: { symbols } }: Services) {
  const rowCount = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const column = (
    values: 'scores' | 'logfoldchanges' | 'pvals' | 'pvals_adj' | 'pctInGroup' | 'pctOutside',
  ) => joined(groups, new Float64Array(rowCount), (group) => group[values]);
  return {
    group: {
      codes: joined(groups, new Int32Array(rowCount), ({ rows: own }, at) => own.map(() => at)),
      categories: groups.map(({ name }) => name),
    },
    names: groups.flatMap(({ rows }) => Array.from(rows, (row) => symbols[row] ?? String(row))),
    scores: column('scores'),
    logfoldchanges: column('logfoldchanges'),
    pvals: column('pvals'),
    pvals_adj: column('pvals_adj'),
    pct_nz_group: column('pctInGroup'),
    pct_nz_reference: column('pctOutside'),
  };
}

/** The values of all groups, one after the other. */
function joined<Values extends Float64Array | Int32Array>(
  groups: RankedMarkers['groups'],
  into: Values,
  valuesOf: (group: RankedMarkers['groups'][number], at: number) => Values,
): Values {
  let end = 0;
  groups.forEach((group, at) => {
    const values = valuesOf(group, at);
    into.set(values, end);
    end += values.length;
  });
  return into;
}

function drawingOf(
  { groups, dots }: RankedMarkers,
  { selection, reference }: MarkersRequest,
  { strata, order, by, split }: ComparedGroups,
  { alone, inTitle }: Titles,
  { dataset: { symbols } }: Services,
): DrawnMarkers {
  const namesOfAll = strata.flatMap(({ groups: { names } }) => names);
  const placeOf = new Map(Array.from(dots.rows, (row, place) => [row, place]));
  const drawn = new Set(dots.groups.map(({ name }) => name));
  const isCut = drawn.size < order.length;
  return {
    groupTitle: alone,
    groupWords: inTitle,
    reference,
    markers: groups.map(({ name, of, cells, rows, means, pctInGroup: fractions }) => ({
      name,
      label: name,
      of,
      cells,
      genes: rows.map((row) => placeOf.get(row)!),
      ...(isCut && !drawn.has(name) && { own: { means, fractions } }),
    })),
    groups: dots.groups.map(({ name, of, cells }) => ({ name, label: name, of, cells })),
    names: [...new Set(order.map((at) => namesOfAll[at]!))],
    groupCount: order.length,
    parts: strata.flatMap(({ part }) => part ?? []),
    columns: { groups: selection ? undefined : by.column, split: split?.column },
    symbols: Array.from(dots.rows, (row) => symbols[row] ?? String(row)),
    means: dots.means,
    fractions: dots.fractions,
  };
}

/** The order and the names of groups as a user displays the columns that they are of. */
function displayOf({ names, parts, columns, reference }: DrawnMarkers, display: Display) {
  const ranksOf = (of: string | undefined, names: readonly string[]) =>
    new Map(
      (of === undefined ? [...names.keys()] : display.order(of, names)).map((at, rank) => [names[at]!, rank]),
    );
  const groupRanks = ranksOf(columns.groups, names);
  const partRanks = ranksOf(columns.split, parts);
  const rankOf = ({ of: { group, part } }: MarkerGroup) =>
    groupRanks.get(group)! * (parts.length + 1) + (part === undefined ? 0 : partRanks.get(part)!);
  const labelOf = (of: string | undefined, name: string) =>
    of === undefined ? name : display.labelOf(of, name);
  return {
    order: (list: readonly MarkerGroup[]) =>
      [...list.keys()].sort((a, b) => rankOf(list[a]!) - rankOf(list[b]!)),
    named<Group extends MarkerGroup>(one: Group): Group {
      const { group, part } = one.of;
      const label = crossedName(
        labelOf(columns.groups, group),
        part === undefined ? part : labelOf(columns.split, part),
      );
      return { ...one, label };
    },
    reference: reference === undefined ? reference : labelOf(columns.groups, reference),
    notes: [columns.groups, columns.split].flatMap((one) => (one === undefined ? [] : display.notes(one))),
  };
}

/** The rows of the table with the groups in another order. */
function rowsOf(table: Table, groups: DrawnMarkers['markers'], order: readonly number[]): Table {
  if (order.every((at, place) => at === place)) return table;
  let end = 0;
  const ends = groups.map(({ genes }) => (end += genes.length));
  const rows = order.flatMap((at) =>
    Array.from(groups[at]!.genes, (_, place) => ends[at]! - groups[at]!.genes.length + place),
  );
  const moved = <Value>(values: ArrayLike<Value>) => rows.map((row) => values[row]!);
  const columns = Object.entries(table as Readonly<Record<string, ArrayLike<unknown> | CodedTexts>>);
  return Object.fromEntries(
    columns.map(([name, values]) => [
      name,
      'codes' in values ? { ...values, codes: moved(values.codes) } : moved(values),
    ]),
  ) as unknown as Table;
}

/** Columns of a matrix of genes × groups in another order. */
function columnsOf(values: Float64Array, order: readonly number[]): Float64Array {
  return values.map((_, at) => {
    const column = at % order.length;
    return values[at - column + order[column]!]!;
  });
}

type Markers = DrawnMarkers['markers'];

/**
 * The markers of each group as scanpy's `rank_genes_groups_dotplot` arranges them: genes bracketed by group. With
 * chosen markers, only these, still over the cells of all groups, or of those that are drawn. Refuses with 422 where none
 * of the groups is drawn, and several are chosen.
 */
function figureOf(
  drawing: DrawnMarkers,
  chosen: Markers | undefined,
  { refuse }: Pick<Context, 'refuse'>,
): MarkersFigure {
  const { groups, symbols, means, fractions, groupTitle, groupWords, groupCount, reference } = drawing;
  const [only] = chosen ?? [];
  // A group that is not drawn has the values of its own markers alone.
  const added = chosen?.length === 1 && only?.own ? { ...only, own: only.own } : undefined;
  const shown = added ? [added] : (chosen ?? drawing.markers).filter(({ own }) => own === undefined);
  if (shown.length === 0 && chosen)
    refuse(
      'markers_not_found',
      `The figure has ${groups.length} of ${countText(groupCount)} groups, those with the most markers, and none of the chosen ones. Choose the markers of one group, or analyze a subset with fewer groups.`,
    );
  const genes = shown.flatMap(({ label, genes: places }) =>
    Array.from(places, (place) => ({ place, symbol: symbols[place]!, group: label })),
  );
  const ofGroups = (values: Float64Array, own: Float64Array | undefined) =>
    Float64Array.from([
      ...genes.flatMap(({ place }) => (added && own ? [own[added.genes.indexOf(place)]!] : [])),
      ...groups.flatMap((_, group) => genes.map(({ place }) => values[place * groups.length + group]!)),
    ]);
  const against = reference === undefined ? '' : ` against ${reference}`;
  return {
    title: `${titleOf(drawing.markers, chosen && shown)}${against} by ${groupWords}`,
    groupTitle,
    groups: [...(added ? [added] : []), ...groups].map(({ label, cells }) => ({ label, cells })),
    genes: genes.map(({ symbol, group }) => ({ symbol, group })),
    mean: ofGroups(means, added?.own.means),
    fraction: ofGroups(fractions, added?.own.fractions),
    fewCells,
    ...(groups.length < groupCount && {
      ofGroups: {
        count: groupCount,
        which: `${added ? 'the chosen one, ' : ''}those with the most markers${reference === undefined ? '' : ', and the reference'}`,
      },
    }),
  };
}

function titleOf(all: Markers, chosen: Markers | undefined): string {
  const count = (of: Markers) => of.reduce((sum, { genes }) => sum + genes.length, 0);
  if (chosen === undefined || count(chosen) === count(all)) return 'Markers';
  const [only] = chosen;
  const whole = only && all.find(({ name }) => name === only.name);
  return chosen.length === 1 && only?.genes.length === whole?.genes.length
    ? `Markers of ${only!.label}`
    : `${countText(count(chosen))} of ${countText(count(all))} markers`;
}

/**
 * The markers requested by name, ordered by group and then by requested name; names that are not markers are skipped.
 * Refuses with 422 when none is left.
 */
function chosenMarkers(
  { markers, symbols }: DrawnMarkers,
  named: NonNullable<DrawnContent['markers']>,
  { refuse }: Pick<Context, 'refuse'>,
): DrawnMarkers['markers'] {
  const genesOf = new Map(named.map(({ group, genes }) => [group, genes]));
  const chosen = markers.flatMap((one) => {
    const placeOf = new Map(Array.from(one.genes, (place) => [symbols[place]!, place]));
    const places = new Set((genesOf.get(one.name) ?? []).flatMap((gene) => placeOf.get(gene) ?? []));
    if (places.size === 0) return [];
    const genes = Int32Array.from(places);
    const ofGenes = (values: Float64Array) =>
      Float64Array.from(genes, (place) => values[one.genes.indexOf(place)]!);
    const own = one.own && { means: ofGenes(one.own.means), fractions: ofGenes(one.own.fractions) };
    return [{ ...one, genes, ...(own && { own }) }];
  });
  return chosen.length > 0
    ? chosen
    : refuse('markers_not_found', 'None of the chosen genes is a marker of its group.');
}
