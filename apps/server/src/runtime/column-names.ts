import { columnTitle } from '@cellfolio/contract';
import { proteinUnit, quotedHead } from '@cellfolio/model';
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
