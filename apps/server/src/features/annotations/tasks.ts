import { isUtf8 } from 'node:buffer';
import { csvText, maxAnnotationGroups } from '@cellfolio/contract';
import { countText, maxNameLength, type PackedStrings, stringAt, termColumnOf } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { parse } from 'csv-parse/sync';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { BarcodeMatcher, type Matching } from './match-barcodes.ts';
import { packBarcodes, unpackBarcodes } from './packed-barcodes.ts';

/** Barcodes of all cells of a dataset, as encoded by `packBarcodes`. */
export interface BarcodesTask extends Task<Uint8Array> {
  kind: 'barcodes';
  dataset: DatasetRef;
}

export interface ReadLabelsTask extends Task<ReadLabels> {
  kind: 'read-labels';
  isLong: true;
  dataset: DatasetRef;
  table: Uint8Array;
  /** Header of the label column; default: the second column. */
  column?: string;
}

export interface CarryLabelsTask extends Task<{ codes: Int32Array; match: Matching }> {
  kind: 'carry-labels';
  isLong: true;
  dataset: DatasetRef;
  /** Barcodes of the cells that the labels belong to. */
  barcodes: Uint8Array;
  codes: Int8Array | Int16Array | Int32Array;
}

type ReadLabels =
  | {
      groups: readonly string[];
      codes: Int32Array;
      match: Matching;
      /** Ontology ids of groups, of the column of ids of the table. */
      ids: ReadonlyMap<string, string>;
      /** Groups that have several ids, and so none in `ids`. */
      several: number;
    }
  /** Says what is wrong with the table. */
  | { problem: string };

async function barcodesOf(dataset: Dataset, signal: AbortSignal): Promise<PackedStrings> {
  const range = { from: 0, to: dataset.manifest.cellCount };
  return (await dataset.cellRows(range, { columns: [], embeddings: [] }, signal)).names;
}

/**
 * A field takes about half a microsecond, whatever its content; a table of 80 columns and 100,000 cells has this many.
 */
const maxFields = 8_000_000;

/** Upper bound: separators within quotes count too. */
function fieldCount(table: Uint8Array): number {
  let count = 1;
  for (const byte of table) if (byte === 44 || byte === 9 || byte === 59 || byte === 10) count++;
  return count;
}

function readLabels({ table, column }: ReadLabelsTask, names: PackedStrings): ReadLabels {
  if (fieldCount(table) > maxFields) {
    return {
      problem: `The table has more than ${countText(maxFields)} fields. Keep the columns of barcodes and labels, and import it again.`,
    };
  }
  if (!isUtf8(table))
    return {
      problem: 'The table is not UTF-8. Save it as UTF-8 (“CSV UTF-8” in Excel), then choose it again.',
    };
  const text = new TextDecoder().decode(table);
  const matcher = new BarcodeMatcher(names);
  const groups = new Map<string, number>();
  let label: number | undefined;
  let idColumn = -1;
  /** Null for several. */
  const ids = new Map<string, string | null>();
  let problem: string | undefined;
  const take = (fields: readonly string[]): void => {
    const barcode = csvText(fields[0] ?? '');
    if (label === undefined) {
      const isHeader = column !== undefined || !matcher.knows(barcode);
      label = column === undefined ? 1 : fields.findIndex((name) => name.trim() === column.trim());
      if (label < 0)
        problem = `The table has no column “${column}”; its first line is: ${fields.join(', ').slice(0, 300)}.`;
      else if (fields.length < 2)
        problem = 'The table has one column: each line needs a barcode and a label.';
      const idName = termColumnOf(csvText((fields[label] ?? '').trim()));
      if (isHeader) idColumn = fields.findIndex((name) => csvText(name.trim()) === idName);
      if (isHeader) return;
    }
    const name = csvText((fields[label] ?? '').trim());
    if (name === '' || problem !== undefined) return;
    if (name.length > maxNameLength)
      problem = `A label has ${name.length} characters; the maximum is ${maxNameLength}.`;
    if (!groups.has(name) && groups.size === maxAnnotationGroups) {
      problem = `The column has more than ${maxAnnotationGroups} different labels: choose one with names of groups.`;
      return;
    }
    if (!groups.has(name)) groups.set(name, groups.size);
    matcher.add(barcode, groups.get(name)!);
    const id = fields[idColumn]?.trim() ?? '';
    const before = ids.get(name);
    if (id !== '') ids.set(name, before === undefined || before === id ? id : null);
  };
  try {
    parse(text, {
      bom: true,
      comment: '#',
      comment_no_infix: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
      // A line is done with when it is read: a million of them are not kept.
      on_record: (fields: string[]) => {
        take(fields);
        // The rest of a table that is refused is not read.
        if (problem !== undefined) throw new Error(problem);
        return undefined;
      },
    });
  } catch (error) {
    if (problem !== undefined) return { problem };
    return { problem: `The table cannot be read: ${(error as Error).message}.` };
  }
  const { codes, match } = matcher.finish();
  if (match.given === 0) return { problem: 'The table has no line with a barcode and a label.' };
  if (match.matched === 0) {
    return {
      problem: `None of the ${match.given} barcodes is in the dataset. The table has, for example, ${match.examples.join(', ')}; the dataset has ${stringAt(names, 0)}.`,
    };
  }
  const used = usedGroups([...groups.keys()], codes);
  const several = used.groups.filter((name) => ids.get(name) === null).length;
  const single = new Map([...ids].filter((entry): entry is [string, string] => entry[1] !== null));
  return { ...used, match, ids: single, several };
}

/** Groups that have cells, ordered by name; numeric names by value. */
function usedGroups(groups: readonly string[], codes: Int32Array): { groups: string[]; codes: Int32Array } {
  const used = new Set(codes);
  const { compare } = new Intl.Collator('en', { numeric: true });
  const order = groups
    .map((_, code) => code)
    .filter((code) => used.has(code))
    .sort((a, b) => compare(groups[a]!, groups[b]!));
  const places = new Map(order.map((code, place) => [code, place]));
  return { groups: order.map((code) => groups[code]!), codes: codes.map((code) => places.get(code) ?? -1) };
}

/** Delimiter of the first line that is not a comment. */
function delimiterOf(text: string): string {
  const line = /^(?!#).+$/m.exec(text)?.[0] ?? '';
  return ['\t', ',', ';'].find((one) => line.includes(one)) ?? ',';
}

function carryLabels({ barcodes, codes }: CarryLabelsTask, names: PackedStrings) {
  const matcher = new BarcodeMatcher(names);
  const before = unpackBarcodes(barcodes);
  for (let cell = 0; cell < codes.length; cell++) {
    if (codes[cell]! >= 0) matcher.add(stringAt(before, cell), codes[cell]!);
  }
  return matcher.finish();
}

export const annotationTasks = [
  taskKind<BarcodesTask>('barcodes', async (_task, { dataset, signal }) =>
    packBarcodes(await barcodesOf(dataset, signal)),
  ),
  taskKind<ReadLabelsTask>('read-labels', async (task, { dataset, signal }) =>
    readLabels(task, await barcodesOf(dataset, signal)),
  ),
  taskKind<CarryLabelsTask>('carry-labels', async (task, { dataset, signal }) =>
    carryLabels(task, await barcodesOf(dataset, signal)),
  ),
];
