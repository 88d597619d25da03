import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { csvLine, jsonCharacters } from '../../runtime/tables/result-csv.ts';
import { type ComparedTable, untestedReasons } from './compared-table.ts';

/** The lines of one part's table, as characters of a JSON string. */
export interface TableLinesTask extends Task<Uint8Array<ArrayBuffer>> {
  kind: 'compare-lines';
  dataset: DatasetRef;
  table: WrittenTable;
  part: string | undefined;
  /** Rows of genes excluded from the test; undefined when the table does not say why a gene was not tested. */
  untested: readonly number[] | undefined;
}

type WrittenTable = Pick<ComparedTable, 'order' | 'columns' | 'pvals'>;

export function tableLines(
  { table: { order, columns, pvals }, part, untested }: Pick<TableLinesTask, 'table' | 'part' | 'untested'>,
  symbols: readonly string[],
): string {
  const group = part === undefined ? [] : [part];
  const untestedRows = new Set(untested);
  const reasonOf = (row: number) =>
    Number.isNaN(pvals[row]!) ? untestedReasons[untestedRows.has(row) ? 'chose' : 'fewCounts'] : '';
  const lines: string[] = [];
  for (const row of order) {
    const values = columns.map((column) => column[row]!);
    const reason = untested === undefined ? [] : [reasonOf(row)];
    lines.push(csvLine([...group, symbols[row] ?? String(row), ...values, ...reason]));
  }
  return lines.join('');
}

export const tableLineTasks = [
  taskKind<TableLinesTask>('compare-lines', (task, { dataset }) =>
    jsonCharacters(tableLines(task, dataset.genes.symbols)),
  ),
];
