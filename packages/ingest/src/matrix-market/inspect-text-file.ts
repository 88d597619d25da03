import { basename } from 'node:path';
import { plural } from '@cellfolio/model';
import { guessTable, type TableKind } from './tenx-tables.ts';
import { readMatrixMarketHeader } from './parse-matrix-market.ts';
import { readTable, tableHint } from './read-text.ts';
import { firstLineOf } from '../roles/first-line.ts';
import { windowsText } from '../text-encoding.ts';
import { repeatedNames } from '../roles/detect-gene-names.ts';

type TextFileReport =
  | {
      kind: 'matrix';
      rows: number;
      columns: number;
      entries: number;
      notes: readonly string[];
    }
  | {
      /** `unknown` if neither name nor content shows it. */
      kind: TableKind | 'unknown';
      /** Number of lines, including titles. */
      lines: number;
      titles: boolean;
      columns: number;
      first: readonly string[];
      /** Reasons why the file cannot be part of a conversion, in sentences. Empty if its content is unknown. */
      obstacles: readonly string[];
      notes: readonly string[];
    };

const shown = 3;

/**
 * Inspects one file: the head of a matrix, or a whole table. `fileName` is the user's name for it, whose extension
 * decides. Throws TextFileError.
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

/** Minimum numeric columns of a table of values: barcodes may come with some figures each, genes with hardly any. */
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
 * Problems of a table for which a conversion would fail, reported in advance: lines without a name, and repeated
 * barcodes. Takes some bytes per line, however often names repeat.
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
    `${plural(repeated, 'line repeats', 'lines repeat')} a barcode of an earlier line, such as ${first}. Each cell needs a barcode of its own; when samples were joined, add the sample to each barcode, then upload it again.`,
  ];
}
