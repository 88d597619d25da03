import { columnTitle, partTitles } from '@cellfolio/contract';
import type { Caution, ColumnRoles } from '@cellfolio/model';
import type { Drawing, Markers } from '../../compute/task.ts';
import { fewCells } from './marker-cautions.ts';

type DotPlotInput = Extract<Drawing, { kind: 'dot-plot' }>['input'];

/** The markers of each group as scanpy's `rank_genes_groups_dotplot` arranges them: genes bracketed by group. */
export function dotPlotInput(
  { groups, dots }: Markers,
  {
    symbols,
    label,
    cautions,
  }: { symbols: readonly string[]; label: ColumnLabel; cautions: readonly Caution[] },
): DotPlotInput {
  const genes = groups.flatMap(({ name, rows }) =>
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
    title: `Markers by ${label.inTitle}`,
    groupTitle: label.alone,
    groups: dots.groups.map(({ name, cells }) => ({ label: name, cells })),
    genes: genes.map(({ symbol, group }) => ({ symbol, group })),
    mean,
    fraction,
    fewCells,
    cautions,
  };
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
