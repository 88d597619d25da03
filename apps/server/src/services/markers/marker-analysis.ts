import type { MarkerAnalysisAnswer, MarkerParameters } from '@cellfolio/contract';
import { countText, maxNameLength } from '@cellfolio/model';
import type { OpenDatasets } from '../../compute/open-datasets.ts';
import type { Markers } from '../../compute/task.ts';
import { ApiFailure } from '../api-failure.ts';
import { base64Of, type FigureService, printPixels } from '../figure-service.ts';
import { type Selection, sourceOf, type Waiting } from '../selection.ts';
import { type ResultTable, toCsv } from '../../compute/csv.ts';
import { previewTable } from '../tables/preview-table.ts';
import { columnLabel } from './dot-plot-input.ts';
import { fewCells } from './marker-cautions.ts';
import type { MarkerTests } from './marker-tests.ts';

export interface MarkerAnalysisParts {
  readonly datasets: OpenDatasets;
  readonly figures: FigureService;
  readonly tests: MarkerTests;
}

/** Marker genes as table, preview and dot plot. */
export class MarkerAnalysis {
  readonly #parts: MarkerAnalysisParts;

  constructor(parts: MarkerAnalysisParts) {
    this.#parts = parts;
  }

  async perform(
    selection: Selection,
    asked: MarkerParameters,
    waiting: Waiting,
  ): Promise<MarkerAnalysisAnswer> {
    const { datasets, figures, tests } = this.#parts;
    const result = await tests.run(selection, asked, waiting);
    const { markers, column, cautions, unlabelledCells } = result;
    const labelled = markers.dots.groups.reduce((sum, { cells }) => sum + cells, 0);
    const compared = asked.unlabelled === 'reference' ? unlabelledCells : 0;
    // A column of an earlier import may have a name that no call takes.
    const parameters = { ...asked, groupby: column.length > maxNameLength ? asked.groupby : column };
    const { genes } = await datasets.get(selection.manifest);
    refuseOversize(markers, genes.symbols);
    const table = markerTable(markers, genes.symbols);
    const content = { kind: 'dot-plot', ...parameters } as const;
    // A dot plot of no genes shows nothing.
    const figure =
      table.rows.length === 0
        ? undefined
        : await figures.draw(selection, content, waiting, { markers: result });
    return {
      marker_csv: toCsv(table, cautions),
      marker_preview_table_html: previewTable(marked(table, markers), 'No gene passes the filters.'),
      dotplot_image: figure ? base64Of(figure) : '',
      dotplot_width: figure?.width ?? 0,
      dotplot_height: figure?.height ?? 0,
      ...(figure && { dotplot_print: printPixels(figure) }),
      figure: figure?.spec ?? null,
      source: figure ? sourceOf(selection, content) : null,
      parameters,
      group_title: columnLabel(selection.manifest.roles, column).alone,
      groups: markers.groups.map(({ name, cells, rows }) => ({
        name,
        cells,
        markers: rows.length,
        reference_cells: labelled + compared - cells,
        few_cells: cells < fewCells,
      })),
      passing: {
        tested: markers.groups.reduce((sum, { tested }) => sum + tested, 0),
        pvals_adj: markers.groups.reduce((sum, { significant }) => sum + significant, 0),
        logfoldchanges: markers.groups.reduce((sum, { changed }) => sum + changed, 0),
        both: markers.groups.reduce((sum, { passing }) => sum + passing, 0),
      },
      cell_count: labelled,
      unlabelled_count: unlabelledCells,
      gene_count: selection.manifest.geneCount,
      warnings: [...cautions],
    };
  }
}

/** Characters of a table of markers: it goes into one answer. */
const mostCharacters = 64 * 1024 * 1024;
/** Of the numbers of a row. */
const numbersLength = 120;

/** Throws ApiFailure 422 where the table would take more room than an answer has. */
export function refuseOversize({ groups }: Pick<Markers, 'groups'>, symbols: readonly string[]): void {
  let characters = 0;
  for (const { name, rows } of groups) {
    for (const row of rows) characters += name.length + numbersLength + (symbols[row]?.length ?? 0);
  }
  if (characters <= mostCharacters) return;
  throw new ApiFailure(
    422,
    'result_too_large',
    `The table of markers would have over ${countText(mostCharacters)} characters. Ask for fewer genes a group, or for stricter thresholds.`,
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

/** The same table, for people: groups of few cells have an asterisk. */
function marked(table: ResultTable, { groups }: Markers): ResultTable {
  const small = new Set(groups.filter(({ cells }) => cells < fewCells).map(({ name }) => name));
  if (small.size === 0) return table;
  return {
    ...table,
    rows: table.rows.map(([group, ...cells]) => [small.has(String(group)) ? `${group}*` : group!, ...cells]),
  };
}
