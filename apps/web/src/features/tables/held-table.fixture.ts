import { onTestFinished, vi } from 'vitest';
import type { HeldTable } from './held-table.ts';
import { readCsv } from './read-csv.ts';
import { RowOrder } from './row-order.ts';
import type { ColumnKind } from './table-columns.ts';
import { fileOf, TableHost, wholeOf } from './table-host.ts';

export function heldCsv(csv: string, kinds: ReadonlyMap<string, ColumnKind> = new Map()): HeldTable {
  const table = readCsv(csv, kinds);
  const order = new RowOrder(table);
  return {
    ...table,
    id: 0,
    whole: wholeOf(table),
    fileRows: table.rowCount,
    rows: (query) => Promise.resolve(order.find(query)),
    file: (format, rows, notes) => fileOf({ ...table, notes }, rows, format),
    close: () => {},
  };
}

/**
 * Ids of the tables that are open, of those opened from now on; `closed` has each as often as it was closed. `reading` is
 * awaited before a table that was read is handed over.
 */
export function countTables(reading: () => Promise<void> = async () => {}) {
  const open = new Set<number>();
  const closed: number[] = [];
  const { answer } = TableHost.prototype;
  const spy = vi.spyOn(TableHost.prototype, 'answer').mockImplementation(async function (
    this: TableHost,
    question,
  ) {
    const reply = await answer.call(this, question);
    if (question.ask === 'read' || question.ask === 'join') open.add(question.table);
    if (question.ask === 'read') await reading();
    if (question.ask === 'close') {
      open.delete(question.table);
      closed.push(question.table);
    }
    return reply as never;
  });
  onTestFinished(() => spy.mockRestore());
  return { open, closed };
}
