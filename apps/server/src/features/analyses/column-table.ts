import type { StreamedTable } from '@cellfolio/analyses/serve';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute, TaskCaller } from '../../runtime/compute/compute-pool.ts';
import { csvHead } from '../../runtime/tables/result-csv.ts';
import type { TableLinesTask, TableTask } from './tasks.ts';

/** A streamed table as far as it is there when the answer begins. */
export interface StartedTable {
  /** Comments and names of the columns. */
  readonly head: string;
  readonly first: Uint8Array;
  readonly others: ReturnType<StreamedTable['parts']>;
}

/** Rows of a table beyond which it is written while it is sent, in parts of as many. */
const defaultPartRows = 100_000;

/** A table of columns as one text, or a long one as parts with the same text. */
export async function columnTable(
  compute: Pick<Compute, 'run'>,
  task: TableTask,
  call: CallContext,
  partRows = defaultPartRows,
): Promise<string | StartedTable> {
  const { columns, lists, cautions, head } = task;
  const rowCount = rowCountOf(lists);
  if (rowCount <= partRows) return compute.run<TableTask>(task, call);
  const linesOf = (from: number) => (caller: TaskCaller) => {
    const part = cutLists(lists, from, Math.min(rowCount, from + partRows));
    return compute.run<TableLinesTask>({ kind: 'result-lines', columns, lists: part }, caller);
  };
  const starts = Array.from({ length: Math.ceil(rowCount / partRows) }, (_, part) => part * partRows);
  const [first, ...others] = starts.map(linesOf);
  const hasZero = (place: number) => Array.prototype.includes.call(lists[place], 0);
  return { head: csvHead({ columns, hasZero }, cautions, head), first: await first!(call), others };
}

export function rowCountOf([first]: TableTask['lists']): number {
  if (first === undefined) return 0;
  return 'codes' in first ? first.codes.length : first.length;
}

/** The rows [from, to) of lists. */
export function cutLists(lists: TableTask['lists'], from: number, to: number): TableTask['lists'] {
  const cut = <Value>(values: ArrayLike<Value>): Value[] =>
    Array.prototype.slice.call(values, from, to) as Value[];
  return lists.map((list) =>
    'codes' in list ? { codes: cut(list.codes), categories: list.categories } : cut(list),
  );
}
