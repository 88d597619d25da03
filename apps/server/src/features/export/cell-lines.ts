import { taskKind } from '../../runtime/compute/task.ts';
import type { CellTask } from '../../runtime/compute/task.ts';
import { csvCell } from '@cellfolio/contract';
import { type CategoricalColumn, type Column, type GeneColumn, stringAt } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { csvFloat32 } from '../../runtime/tables/csv.ts';

/** Lines of a CSV file, one for each chosen cell of [from, to). */
export interface CellLinesTask extends CellTask<CellLines> {
  readonly kind: 'cell-lines';
  readonly from: number;
  readonly to: number;
  /** Of obs. */
  readonly columns: readonly string[];
  readonly embeddings: readonly string[];
  /** Rows in var. */
  readonly genes: readonly number[];
  /** Each in shared memory, one value a cell of the dataset. */
  readonly scores: readonly Float64Array[];
}

export interface CellLines {
  /** UTF-8, whole lines. */
  readonly bytes: Uint8Array;
  /** Lines in them. */
  readonly lines: number;
  /** The first cell that was not looked at: before the end of the task where the lines became too long. */
  readonly next: number;
}

/** Lines end here: what is on its way to a client is held in memory. */
const maxBytes = 16 * 1024 * 1024;

/** Text of one cell of the table; counts the cells of the dataset from the first of the task. */
type Field = (cell: number) => string;

/**
 * The chosen cells of a range as lines of CSV: barcode, columns of obs, coordinates, genes, scores. Reads the rows of the
 * range alone, and each gene whole, one after the other. Stops at 16 MiB, or behind the one line that is longer.
 */
export async function cellLines(
  task: CellLinesTask,
  dataset: Dataset,
  signal: AbortSignal,
  most = maxBytes,
): Promise<CellLines> {
  const { from, to, mask } = task;
  const rows = await dataset.cellRows({ from, to }, task, signal);
  const fields: Field[] = [
    (cell) => csvCell(stringAt(rows.names, cell)),
    ...rows.columns.map(fieldOf),
    ...rows.embeddings.flatMap(({ dimensions, values }) =>
      Array.from({ length: dimensions }, (_, dimension) => {
        const text = numberText(values);
        return (cell: number) => text(values[cell * dimensions + dimension]!);
      }),
    ),
  ];
  for (const row of task.genes) {
    const values = valuesIn(await dataset.gene(row, signal), from, to);
    fields.push((cell) => csvFloat32(values[cell]!));
  }
  for (const scores of task.scores) fields.push((cell) => csvCell(scores[from + cell]!));

  const encoder = new TextEncoder();
  let bytes = new Uint8Array(1 << 16);
  let [end, lines, next] = [0, 0, from];
  for (; next < to && (lines === 0 || end < most); next++) {
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

/** Categories that were numbers in the file are numbers here too, a negative one no formula. */
function labelsOf({ categories, categoryType }: CategoricalColumn): string[] {
  const areNumbers = categoryType !== 'string' && categoryType !== 'boolean';
  return categories.map((label) =>
    areNumbers && /^-?[\d.]+(e[+-]?\d+)?$/.test(label) ? label : csvCell(label),
  );
}

function numberText(values: ArrayLike<number>): (value: number) => string {
  return values instanceof Float32Array ? csvFloat32 : csvCell;
}

/** The values of the cells [from, to), with a zero for each that does not express the gene. */
function valuesIn({ cells, values }: GeneColumn, from: number, to: number): Float32Array {
  const dense = new Float32Array(to - from);
  for (let i = firstFrom(cells, from); i < cells.length && cells[i]! < to; i++) {
    dense[cells[i]! - from] = values[i]!;
  }
  return dense;
}

/** Position of the first of some rising numbers that is not below `least`. */
function firstFrom(rising: Int32Array, least: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const exportTasks = [
  taskKind<CellLinesTask>('cell-lines', (task, { dataset, signal }) => cellLines(task, dataset, signal)),
];
