import { proteinUnit } from '@cellfolio/model';
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
