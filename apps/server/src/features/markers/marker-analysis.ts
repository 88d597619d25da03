import {
  cellTestWords,
  foldChangeWords,
  type MarkerAnalysisAnswer,
  type MarkerParameters,
} from '@cellfolio/contract';
import { countText, maxNameLength, type ResultCaution, resultNotes } from '@cellfolio/model';
import type { InputValues, PlotInput } from '@cellfolio/figures';
import { namesNote } from '../../runtime/compute/category-display.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { groupLabel } from './groups-in-order.ts';
import type { Markers, NamedGroup } from './rank-markers.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { type ColumnLabel, columnLabel } from '../../runtime/column-names.ts';
import { fewCells } from '../../runtime/p-value-cautions.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { type ResultTable, toCsv } from '../../runtime/tables/result-csv.ts';
import { previewTable } from '../../runtime/tables/preview-table.ts';
import { cutWords } from './marker-question.ts';
import type { MarkerTests, MarkerResult } from './marker-tests.ts';
import { type FigureService, figureFields } from '../explore/index.ts';
import { definitionLines, notesOf, type Selection, sourceOf } from '../selection/index.ts';

export interface MarkerAnalysisDeps {
  datasets: OpenDatasets;
  figures: FigureService;
  markerTests: MarkerTests;
}

export async function analyseMarkers(
  { datasets, figures, markerTests }: MarkerAnalysisDeps,
  selection: Selection,
  request: MarkerParameters,
  call: CallContext,
): Promise<MarkerAnalysisAnswer> {
  const result = await markerTests.run(selection, request, call);
  const { markers, column, bins, split, cautions, unlabelledCells, displays } = result;
  const labelled = markers.dots.groups.reduce((sum, { cells }) => sum + cells, 0);
  // A column of an earlier import may have a name that no call takes.
  const nameOf = (columnName: string, name: string) =>
    columnName.length > maxNameLength ? name : columnName;
  const { bins: _, ...others } = request;
  const parameters = {
    ...others,
    groupby: nameOf(column, request.groupby),
    ...(bins && { bins }),
    ...(split && { split: { ...split, column: nameOf(split.column, request.split?.column ?? '') } }),
  };
  const { genes } = await datasets.get(selection.manifest);
  refuseOversize(markers, genes.symbols);
  const table = markerTable(markers, genes.symbols);
  const content = { kind: 'dot-plot', ...parameters } as const;
  // A dot plot of no genes shows nothing.
  const figure =
    table.rows.length === 0
      ? undefined
      : await figures.draw(selection, content, call, {
          markers: dotPlotOf(result, selection, genes.symbols),
        });
  return {
    marker_csv: toCsv(table, cautions, [
      ...headLines(selection, parameters, titlesOf(selection, result), result.depthLines),
      ...[displays.group, displays.part].flatMap(namesNote),
    ]),
    marker_preview_table_html: previewTable(
      shown(table, markers, groupLabel(displays)),
      'No gene passes the filters.',
    ),
    ...figureFields('dotplot', figure),
    source: figure ? sourceOf(selection, content) : null,
    parameters,
    group_title: titlesOf(selection, result).alone,
    groups: markers.groups.map(({ name, cells, others, rows, of: { group, part } }) => ({
      name,
      cells,
      markers: rows.length,
      reference_cells: others,
      few_cells: cells < fewCells,
      ...(part !== undefined && { of: { group, category: part } }),
    })),
    passing: {
      tested: markers.groups.reduce((sum, { tested }) => sum + tested, 0),
      pvals_adj: markers.groups.reduce((sum, { significant }) => sum + significant, 0),
      logfoldchanges: markers.groups.reduce((sum, { changed }) => sum + changed, 0),
      both: markers.groups.reduce((sum, { markerCount }) => sum + markerCount, 0),
    },
    cell_count: labelled,
    unlabelled_count: unlabelledCells,
    gene_count: selection.manifest.geneCount,
    ...notesOf(selection, cautions),
  };
}

function headLines(
  selection: Selection,
  parameters: MarkerParameters,
  { inTitle }: ColumnLabel,
  depthLines: readonly string[],
): string[] {
  const { n_genes: maxGenes, pvals_adj: p, logfoldchanges: change, min_cells: cells } = parameters;
  return [
    ...definitionLines(selection, { call: 'perform-marker-analysis', parameters }),
    `Test: ${cellTestWords(parameters)}, of each group by ${inTitle} against the others; p-values adjusted by Benjamini and Hochberg over all genes of a group`,
    ...depthLines,
    `Fold changes: ${foldChangeWords(parameters, ['the group', 'the others'])}`,
    `Limits: adjusted p < ${p}, log2 fold change > ${change}, at most ${maxGenes} genes a group, groups of ${cells} cells or more`,
  ];
}

/** Maximum characters of a table of markers: it goes into one response. */
const maxCharacters = 64 * 1024 * 1024;
const numbersLength = 120;

/** Throws ApiFailure 422 when the table would exceed the size of a response. */
export function refuseOversize({ groups }: Pick<Markers, 'groups'>, symbols: readonly string[]): void {
  let characters = 0;
  for (const { name, rows } of groups) {
    for (const row of rows) characters += name.length + numbersLength + (symbols[row]?.length ?? 0);
  }
  if (characters <= maxCharacters) return;
  throw new ApiFailure(
    422,
    'result_too_large',
    `The table of markers would exceed ${countText(maxCharacters)} characters. Choose fewer genes per group, or stricter thresholds.`,
  );
}

function markerTable({ groups }: Markers, symbols: readonly string[]): ResultTable {
  return {
    columns: [
      'group',
      'names',
      'scores',
      'logfoldchanges',
      'pvals',
      'pvals_adj',
      'pct_nz_group',
      'pct_nz_reference',
    ],
    rows: groups.flatMap((group) =>
      Array.from(group.rows, (row, place) => [
        group.name,
        symbols[row] ?? String(row),
        group.scores[place]!,
        group.logfoldchanges[place]!,
        group.pvals[place]!,
        group.pvals_adj[place]!,
        group.pctInGroup[place]!,
        group.pctOutside[place]!,
      ]),
    ),
  };
}

function shown(
  table: ResultTable,
  { groups }: Markers,
  labelOf: (of: NamedGroup['of']) => string,
): ResultTable {
  const called = new Map(
    groups.map(({ name, cells, of }) => [name, cells < fewCells ? `${labelOf(of)}*` : labelOf(of)]),
  );
  return {
    ...table,
    rows: table.rows.map(([group, ...cells]) => [called.get(String(group)) ?? String(group), ...cells]),
  };
}

type MarkerInput = Extract<PlotInput, { from: 'markers' }>;

export function markerInputs({ tests, datasets }: { tests: MarkerTests; datasets: OpenDatasets }) {
  return {
    version: () => Promise.resolve(''),
    async find(
      selection: Selection,
      { parameters, markers: markerChoice }: MarkerInput,
      call: CallContext,
    ): Promise<InputValues['markers']> {
      const result = await tests.run(selection, parameters, call);
      const { symbols } = (await datasets.get(selection.manifest)).genes;
      return dotPlotOf(result, selection, symbols, markerChoice);
    },
  };
}

/** Dot plot input of a result; only the `markerChoice` markers if given. */
function dotPlotOf(
  result: MarkerResult,
  selection: Selection,
  symbols: readonly string[],
  markerChoice?: MarkerInput['markers'],
): InputValues['markers'] {
  const { markers, cautions } = result;
  const chosen = markerChoice && chosenMarkers(markers, symbols, markerChoice);
  return dotPlotInput(markers, {
    symbols,
    label: titlesOf(selection, result),
    labelOf: groupLabel(result.displays),
    cautions,
    ...(chosen && { chosen }),
  });
}

/** Rows in var of the markers of a group, in drawing order. */
interface GroupRows extends Pick<NamedGroup, 'name' | 'of'> {
  rows: ArrayLike<number>;
}

/**
 * The markers of each group as scanpy's `rank_genes_groups_dotplot` arranges them: genes bracketed by group. With
 * chosen markers, only these, still over the cells of all groups.
 */
function dotPlotInput(
  { groups, dots }: Markers,
  {
    symbols,
    label,
    labelOf,
    cautions,
    chosen = groups,
  }: {
    symbols: readonly string[];
    label: ColumnLabel;
    labelOf: (of: NamedGroup['of']) => string;
    cautions: readonly ResultCaution[];
    chosen?: readonly GroupRows[];
  },
): InputValues['markers'] {
  const genes = chosen.flatMap(({ of, rows }) =>
    Array.from(rows, (row) => ({ row, symbol: symbols[row] ?? String(row), group: labelOf(of) })),
  );
  const placeOf = new Map(Array.from(dots.rows, (row, place) => [row, place]));
  const groupCount = dots.groups.length;
  const mean = new Float64Array(groupCount * genes.length);
  const fraction = new Float64Array(groupCount * genes.length);
  for (let group = 0; group < groupCount; group++) {
    for (let gene = 0; gene < genes.length; gene++) {
      const from = placeOf.get(genes[gene]!.row)! * groupCount + group;
      mean[group * genes.length + gene] = dots.means[from]!;
      fraction[group * genes.length + gene] = dots.fractions[from]!;
    }
  }
  return {
    title: `${titleOf(groups, chosen, labelOf)} by ${label.inTitle}`,
    groupTitle: label.alone,
    groups: dots.groups.map(({ of, cells }) => ({ label: labelOf(of), cells })),
    genes: genes.map(({ symbol, group }) => ({ symbol, group })),
    mean,
    fraction,
    fewCells,
    cautions: resultNotes(cautions).warnings,
  };
}

function titleOf(
  groups: readonly GroupRows[],
  chosen: readonly GroupRows[],
  labelOf: (of: NamedGroup['of']) => string,
): string {
  const count = (of: readonly GroupRows[]) => of.reduce((sum, { rows }) => sum + rows.length, 0);
  const [only] = chosen;
  if (count(chosen) === count(groups)) return 'Markers';
  const whole = only && groups.find(({ name }) => name === only.name);
  return chosen.length === 1 && only?.rows.length === whole?.rows.length
    ? `Markers of ${labelOf(only!.of)}`
    : `${countText(count(chosen))} of ${countText(count(groups))} markers`;
}

/**
 * The markers requested by name, ordered by group and then by requested name; names that are not markers are skipped.
 * Throws ApiFailure 422 when none is left.
 */
function chosenMarkers(
  { groups }: Pick<Markers, 'groups'>,
  symbols: readonly string[],
  markerChoice: readonly { group: string; genes: readonly string[] }[],
): GroupRows[] {
  const genesOf = new Map(markerChoice.map(({ group, genes }) => [group, genes]));
  const chosen = groups.flatMap(({ name, of, rows }) => {
    const rowOf = new Map(Array.from(rows, (row) => [symbols[row] ?? String(row), row]));
    const markerRows = (genesOf.get(name) ?? []).flatMap((gene) => rowOf.get(gene) ?? []);
    return markerRows.length === 0 ? [] : [{ name, of, rows: [...new Set(markerRows)] }];
  });
  if (chosen.length > 0) return chosen;
  throw new ApiFailure(422, 'markers_not_found', 'None of the chosen genes is a marker of its group.');
}

/** The name of a selection is not a column, whatever it is. */
function titlesOf(
  { manifest: { roles }, own }: Selection,
  { column, bins, ofSelection, split }: Pick<MarkerResult, 'column' | 'bins' | 'ofSelection' | 'split'>,
): ColumnLabel {
  const { alone, inTitle } = ofSelection
    ? { alone: column, inTitle: column }
    : columnLabel(roles, column, own);
  const within = split
    ? `, split by ${columnLabel(roles, split.column, own).inTitle}${cutWords(split.bins)}`
    : '';
  const how = cutWords(bins);
  return { alone: `${alone}${how}${within}`, inTitle: `${inTitle}${how}${within}` };
}
