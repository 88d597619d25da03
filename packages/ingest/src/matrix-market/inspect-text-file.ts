import { basename } from 'node:path';
import { guessTable, type TableKind } from './tenx-tables.ts';
import { readMatrixMarketHeader } from './parse-matrix-market.ts';
import { readTable, tableHint } from './read-text.ts';
import { firstLineOf } from '../roles/first-line.ts';
import { windowsText } from '../text-encoding.ts';
import { repeatedNames } from '../roles/detect-gene-names.ts';

/** What a .mtx or .tsv file is, seen alone; each may be packed by gzip. */
type TextFileReport =
  | {
      readonly kind: 'matrix';
      readonly rows: number;
      readonly columns: number;
      readonly entries: number;
      readonly notes: readonly string[];
    }
  | {
      /** `unknown` where neither the name nor the content shows it. */
      readonly kind: TableKind | 'unknown';
      /** Lines, titles included. */
      readonly lines: number;
      /** Whether the first line may hold titles. */
      readonly titles: boolean;
      /** Columns of the first line. */
      readonly columns: number;
      /** The first names, as they are. */
      readonly first: readonly string[];
      /** Why no matrix can be converted with it as it is, in sentences. Empty where it is not known what it lists. */
      readonly obstacles: readonly string[];
      readonly notes: readonly string[];
    };

const shown = 3;

/**
 * Looks at one file: the head of a matrix, the whole of a table. `fileName` is what the user calls it, and decides
 * by its extension. Throws TextFileError.
 */
export async function inspectTextFile(path: string, fileName = basename(path)): Promise<TextFileReport> {
  if (/\.mtx(\.gz)?$/i.test(fileName)) {
    const { rows, columns, entries } = await readMatrixMarketHeader(path);
    return { kind: 'matrix', rows, columns, entries, notes: [] };
  }
  const { rows, encoding } = await readTable(path);
  const guess = guessTable(fileName, rows);
  const notes = [
    ...(guess === undefined ? [] : [`Taken for ${guess.kind}: ${guess.why}.`]),
    ...(holdsValues(rows) ? [`Most of its columns hold numbers. ${tableHint}`] : []),
    ...(encoding === 'windows-1252' ? [`It ${windowsText}`] : []),
  ];
  return {
    kind: guess?.kind ?? 'unknown',
    lines: rows.length,
    titles: firstLineOf(rows) !== 'names',
    columns: rows[0]?.length ?? 0,
    first: rows.slice(0, shown).map((row) => row[0] ?? ''),
    obstacles: guess === undefined ? [] : tableObstacles(guess.kind, rows),
    notes,
  };
}

/** Barcodes may come with some figures of each, genes with hardly any. */
const minValues = 8;

function holdsValues(rows: readonly (readonly string[])[]): boolean {
  const sample = rows.slice(1, 20);
  return (
    sample.length > 0 &&
    sample.every(
      (row) => row.filter((field) => field !== '' && Number.isFinite(Number(field))).length >= minValues,
    )
  );
}

const maxExampleLength = 60;

/**
 * What a conversion would refuse in a table, told before anybody begins one: lines without a name, and barcodes that
 * come again. Takes some bytes a line, however often names come again.
 */
function tableObstacles(kind: TableKind, rows: readonly (readonly string[])[]): string[] {
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
    JSON.stringify(example.slice(0, maxExampleLength)) + (example.length > maxExampleLength ? '…' : '');
  return [
    ...obstacles,
    `${repeated === 1 ? '1 line repeats' : `${repeated.toLocaleString('en-US')} lines repeat`} a barcode of an earlier line, such as ${first}. Each cell needs a barcode of its own; when samples were joined, add the sample to each barcode, then upload it again.`,
  ];
}
