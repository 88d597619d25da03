import { columnTitle, partTitles } from '@cellfolio/contract';
import { type ColumnRoles, proteinUnit, quotedHead } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';

/** All names that a caller can use as a column: those of obs, then the proteins. */
export function columnNames({
  obsColumnNames,
  proteins,
}: Pick<Dataset, 'obsColumnNames' | 'proteins'>): readonly string[] {
  return proteins === undefined
    ? obsColumnNames
    : [...obsColumnNames, ...proteins.columns.map(({ column }) => column)];
}

/** Unit of a column; undefined when only its title says so. */
export function columnUnit({ proteins }: Pick<Dataset, 'proteins'>, name: string): string | undefined {
  return proteins?.columns.some(({ column }) => column === name) ? proteinUnit(proteins.scale) : undefined;
}

/**
 * Name of a column in an error: the title shown by pages, where it was chosen. An unknown name is quoted as typed.
 * `own` are the user's columns, with their own titles.
 */
export function quotedColumn(column: string, own?: Parameters<typeof columnTitle>[1]): string {
  return quotedHead(columnTitle(column, own), 80);
}

export interface ColumnLabel {
  alone: string;
  inTitle: string;
}

/** The title of a column that groups cells, by itself and within a title. */
export function columnLabel(
  { cellType, cluster, metadata }: ColumnRoles,
  column: string,
  own: Parameters<typeof columnTitle>[1],
): ColumnLabel {
  const part =
    column === cluster ? partTitles.cluster : column === cellType ? partTitles.cellType : undefined;
  if (part !== undefined) return { alone: part, inTitle: part.toLowerCase() };
  const title = columnTitle(Object.entries(metadata).find(([, of]) => of === column)?.[0] ?? column, own);
  return { alone: title, inTitle: title };
}
