import { csvCell } from '@cellfolio/contract';
import { type CategoricalColumn, type Column, stringAt } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { taskKind } from '../../runtime/compute/task.ts';
import { csvFloat32 } from '../../runtime/tables/result-csv.ts';
import { cellColumns, type CellColumnsTask, maxPieceBytes, type WrittenCells } from './cell-columns.ts';

/** CSV lines, one for each chosen cell of [from, to). */
export interface CellLinesTask extends CellColumnsTask<WrittenCells> {
  kind: 'cell-lines';
}

/** Text of one cell of the table; `cell` counts from the first cell of the task. */
type Field = (cell: number) => string;

/** The chosen cells of a range as whole CSV lines. Stops at 16 MiB, or after the one line that is longer. */
export async function cellLines(
  task: CellLinesTask,
  dataset: Dataset,
  signal: AbortSignal,
  maxBytes = maxPieceBytes,
): Promise<WrittenCells> {
  const { from, to, mask } = task;
  const fields = (await cellColumns(task, dataset, signal)).map(fieldOf);
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(1 << 16);
  let [end, lines, next] = [0, 0, from];
  for (; next < to && (lines === 0 || end < maxBytes); next++) {
    if (mask && mask.bits[next] === 0) continue;
    let line = fields[0]!(next - from);
    for (let field = 1; field < fields.length; field++) line += `,${fields[field]!(next - from)}`;
    line += '\n';
    // A UTF-16 unit takes at most three bytes of UTF-8.
    const needed = end + line.length * 3;
    if (needed > bytes.length) {
      const larger = new Uint8Array(Math.max(needed, bytes.length * 2));
      larger.set(bytes.subarray(0, end));
      bytes = larger;
    }
    end += encoder.encodeInto(line, bytes.subarray(end)).written;
    lines++;
  }
  return { bytes: bytes.slice(0, end), lines, next };
}

function fieldOf(column: Column): Field {
  if (column.kind === 'categorical') {
    const labels = labelsOf(column);
    return (cell) => labels[column.codes[cell]!] ?? '';
  }
  const field = presentFieldOf(column);
  const { missing } = column;
  return missing ? (cell) => (missing[cell] === 1 ? '' : field(cell)) : field;
}

function presentFieldOf(column: Exclude<Column, CategoricalColumn>): Field {
  switch (column.kind) {
    case 'string':
      return (cell) => csvCell(stringAt(column.strings, cell));
    case 'boolean':
      return (cell) => (column.values[cell] === 1 ? 'True' : 'False');
    case 'wide-integer':
      return (cell) => String(column.values[cell]!);
    case 'numeric': {
      const text = numberText(column.values);
      return (cell) => text(column.values[cell]!);
    }
  }
}

/** Categories that were numbers in the file are written as numbers; a negative one is not treated as a formula. */
function labelsOf({ categories, categoryType }: CategoricalColumn): string[] {
  const areNumbers = categoryType !== 'string' && categoryType !== 'boolean';
  return categories.map((label) =>
    areNumbers && /^-?[\d.]+(e[+-]?\d+)?$/.test(label) ? label : csvCell(label),
  );
}

function numberText(values: ArrayLike<number>): (value: number) => string {
  return values instanceof Float32Array ? csvFloat32 : csvCell;
}

export const cellLineTasks = [
  taskKind<CellLinesTask>('cell-lines', (task, { dataset, signal }) => cellLines(task, dataset, signal)),
];
