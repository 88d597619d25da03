import { columnTitle, partTitles } from '@cellfolio/contract';
import { type Caution, type ColumnRoles, countText } from '@cellfolio/model';
import type { InputValues, PlotInput } from '@cellfolio/plots';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { Waiting } from '../../runtime/compute/analysis-work.ts';
import type { MarkerResult, MarkerTests } from './marker-tests.ts';
import type { Markers } from './rank-markers.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { fewCells } from './marker-cautions.ts';
import type { Selection } from '../selection/index.ts';

type MarkerInput = Extract<PlotInput, { from: 'markers' }>;

/** For figures: the markers of groups, tested where they are not known. */
export function markerInputs({ tests, datasets }: { tests: MarkerTests; datasets: OpenDatasets }) {
  return {
    version: () => Promise.resolve(''),
    async find(
      selection: Selection,
      { parameters, markers: asked }: MarkerInput,
      waiting: Waiting,
    ): Promise<InputValues['markers']> {
      const { manifest } = selection;
      const result = await tests.run(selection, parameters, waiting);
      const { symbols } = (await datasets.get(manifest)).genes;
      return dotPlotOf(result, manifest.roles, symbols, asked);
    },
  };
}

/** What a dot plot shows of a result; of the `asked` markers alone where some are named. */
export function dotPlotOf(
  { markers, column, cautions }: MarkerResult,
  roles: ColumnRoles,
  symbols: readonly string[],
  asked?: MarkerInput['markers'],
): InputValues['markers'] {
  const chosen = asked && chosenMarkers(markers, symbols, asked);
  return dotPlotInput(markers, {
    symbols,
    label: columnLabel(roles, column),
    cautions,
    ...(chosen && { chosen }),
  });
}

/** Rows in var of the markers of a group, in the order to draw them. */
interface GroupRows {
  readonly name: string;
  readonly rows: ArrayLike<number>;
}

/**
 * The markers of each group as scanpy's `rank_genes_groups_dotplot` arranges them: genes bracketed by group. Where some
 * are chosen, these alone, over the cells of all groups as before.
 */
export function dotPlotInput(
  { groups, dots }: Markers,
  {
    symbols,
    label,
    cautions,
    chosen = groups,
  }: {
    symbols: readonly string[];
    label: ColumnLabel;
    cautions: readonly Caution[];
    chosen?: readonly GroupRows[];
  },
): InputValues['markers'] {
  const genes = chosen.flatMap(({ name, rows }) =>
    Array.from(rows, (row) => ({ row, symbol: symbols[row] ?? String(row), group: name })),
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
    title: `${titleOf(groups, chosen)} by ${label.inTitle}`,
    groupTitle: label.alone,
    groups: dots.groups.map(({ name, cells }) => ({ label: name, cells })),
    genes: genes.map(({ symbol, group }) => ({ symbol, group })),
    mean,
    fraction,
    fewCells,
    cautions,
  };
}

function titleOf(groups: readonly GroupRows[], chosen: readonly GroupRows[]): string {
  const count = (of: readonly GroupRows[]) => of.reduce((sum, { rows }) => sum + rows.length, 0);
  const [only] = chosen;
  if (count(chosen) === count(groups)) return 'Markers';
  const whole = only && groups.find(({ name }) => name === only.name);
  return chosen.length === 1 && only?.rows.length === whole?.rows.length
    ? `Markers of ${only!.name}`
    : `${countText(count(chosen))} of ${countText(count(groups))} markers`;
}

/**
 * The markers that are asked for by name, in the order of the groups and, of each, of the names; what is no marker is
 * passed over. Throws ApiFailure 422 where none is left.
 */
export function chosenMarkers(
  { groups }: Pick<Markers, 'groups'>,
  symbols: readonly string[],
  asked: readonly { readonly group: string; readonly genes: readonly string[] }[],
): GroupRows[] {
  const genesOf = new Map(asked.map(({ group, genes }) => [group, genes]));
  const chosen = groups.flatMap(({ name, rows }) => {
    const rowOf = new Map(Array.from(rows, (row) => [symbols[row] ?? String(row), row]));
    const found = (genesOf.get(name) ?? []).flatMap((gene) => rowOf.get(gene) ?? []);
    return found.length === 0 ? [] : [{ name, rows: [...new Set(found)] }];
  });
  if (chosen.length > 0) return chosen;
  throw new ApiFailure(422, 'markers_not_found', 'None of the genes named is a marker of its group.');
}

/** What a column of obs is called where users see it, alone and in a title. */
export interface ColumnLabel {
  readonly alone: string;
  readonly inTitle: string;
}

/** By the part that the column plays, by the name it is shown under, or as it is. */
export function columnLabel({ cellType, cluster, metadata }: ColumnRoles, column: string): ColumnLabel {
  const part =
    column === cluster ? partTitles.cluster : column === cellType ? partTitles.cellType : undefined;
  if (part !== undefined) return { alone: part, inTitle: part.toLowerCase() };
  const title = columnTitle(Object.entries(metadata).find(([, of]) => of === column)?.[0] ?? column);
  return { alone: title, inTitle: title };
}
