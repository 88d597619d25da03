import { columnTitle } from '@cellfolio/contract';
import { proteinUnit, quotedHead } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';

/** Everything that a caller can name as a column: those of obs, then the proteins. */
export function columnNames({
  obsColumnNames,
  proteins,
}: Pick<Dataset, 'obsColumnNames' | 'proteins'>): readonly string[] {
  return proteins === undefined
    ? obsColumnNames
    : [...obsColumnNames, ...proteins.columns.map(({ column }) => column)];
}

/** What the numbers of a column are; undefined where nothing but its title says so. */
export function columnUnit({ proteins }: Pick<Dataset, 'proteins'>, name: string): string | undefined {
  return proteins?.columns.some(({ column }) => column === name) ? proteinUnit(proteins.scale) : undefined;
}

/**
 * A column of obs in a refusal: by the title that pages show, since it was chosen there by it. A name that no column has
 * is told as it was typed.
 * @param own columns that the user named, which are called that
 */
export function quotedColumn(column: string, own?: Parameters<typeof columnTitle>[1]): string {
  return quotedHead(columnTitle(column, own), 80);
}
