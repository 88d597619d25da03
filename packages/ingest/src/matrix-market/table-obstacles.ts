import { repeatedNames } from '../roles/repeated-names.ts';
import type { TableKind } from './guess-table.ts';

const LONGEST_EXAMPLE = 60;

/**
 * What a conversion would refuse in a table, told before anybody begins one: lines without a name, and barcodes that
 * come again. Takes some bytes a line, however often names come again.
 */
export function tableObstacles(kind: TableKind, rows: readonly (readonly string[])[]): string[] {
  const nameOf = ([first = '', second = '']: readonly string[]) =>
    kind === 'features' ? second || first : first;
  // The first line may hold titles, and some tools write none above the names.
  const unnamed = rows.findIndex((row, at) => at > 0 && nameOf(row) === '');
  const what = kind === 'barcodes' ? 'barcode' : 'gene';
  const obstacles =
    unnamed === -1
      ? []
      : [`Line ${unnamed + 1} holds no ${what}. Mend or take away such lines, then upload it again.`];
  if (kind === 'features') return obstacles;
  const named = rows.filter((row) => nameOf(row) !== '');
  const { repeated, examples } = repeatedNames(named.length, (at) => nameOf(named[at]!));
  if (repeated === 0) return obstacles;
  const [example = ''] = examples;
  const first =
    JSON.stringify(example.slice(0, LONGEST_EXAMPLE)) + (example.length > LONGEST_EXAMPLE ? '…' : '');
  return [
    ...obstacles,
    `${repeated === 1 ? '1 line repeats' : `${repeated.toLocaleString('en-US')} lines repeat`} a barcode of an earlier line, such as ${first}. Each cell needs a barcode of its own; when samples were joined, add the sample to each barcode, then upload it again.`,
  ];
}
