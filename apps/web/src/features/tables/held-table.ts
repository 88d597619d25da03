import type { FormatId } from './files/table-file.ts';
import type { JoinedSide } from './joined-table.ts';
import type { FoundRows, RowQuery } from './row-order.ts';
import type { ColumnKind, TableColumns } from './table-columns.ts';
import { type AnswerTo, type TableAnswers, TableHost, type TableQuestion } from './table-host.ts';
import type { ThreadAnswer, ThreadQuestion } from './table-thread.ts';

/** A table whose columns are on the page, while a worker searches, sorts and writes it. */
export interface HeldTable extends TableColumns {
  whole: FoundRows;
  /** Rows of the file: more than are loaded if the page has no room for all. */
  fileRows: number;
  rows(query: RowQuery): Promise<FoundRows>;
  /** `rows`: row indices in the table; absent for all rows of the file. `notes`: lines above the table. */
  file(format: FormatId, rows: Int32Array | undefined, notes: readonly string[]): Promise<Blob>;
  id: number;
  close(): void;
}

/** Proxy of the worker, which starts with the first request. If no worker can run, the page itself answers. */
class TableWorker {
  #worker: Worker | undefined;
  #failed = typeof Worker === 'undefined';
  #host: TableHost | undefined;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  ask<Question extends TableQuestion>(question: Question): Promise<AnswerTo<Question>> {
    if (this.#failed) return (this.#host ??= new TableHost()).answer(question);
    this.#worker ??= this.#start();
    const pending = Promise.withResolvers<unknown>();
    const id = ++this.#lastId;
    this.#waiting.set(id, pending);
    this.#worker.postMessage({ id, question } satisfies ThreadQuestion);
    return pending.promise as Promise<AnswerTo<Question>>;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./table-thread.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<ThreadAnswer>) => {
      const pending = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ('error' in data) pending?.reject(new Error(data.error));
      else pending?.resolve(data.answer);
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      worker.terminate();
      // Tables that it held are gone with it: what is asked of them fails, and new ones are held by the page.
      this.#failed = true;
      for (const { reject } of this.#waiting.values()) {
        reject(new Error('The browser stopped processing this table. Run the analysis again.'));
      }
      this.#waiting.clear();
    });
    return worker;
  }
}

const worker = new TableWorker();
let lastTable = 0;

/**
 * Reads an answer in the worker: its table, which may have millions of rows, never becomes a string on the page.
 * `field`: the field that has the table as CSV; it is empty in the result. `kinds`: column kinds by heading.
 */
export async function readAnswerTable(
  file: Blob,
  field: string,
  kinds: ReadonlyMap<string, ColumnKind>,
): Promise<{ answer: unknown; table: HeldTable }> {
  const table = ++lastTable;
  const reply = await worker.ask({ ask: 'read', table, file, field, kinds: [...kinds] });
  return { answer: reply.answer, table: heldTable(table, reply, reply.fileRows) };
}

export async function joinTables(sides: readonly [JoinedSide, JoinedSide]): Promise<HeldTable> {
  const table = ++lastTable;
  const reply = await worker.ask({ ask: 'join', table, sides });
  return heldTable(table, reply, reply.columns.rowCount);
}

function heldTable(table: number, { columns, whole }: TableAnswers['join'], fileRows: number): HeldTable {
  return {
    ...columns,
    whole,
    fileRows,
    id: table,
    rows: (query) => worker.ask({ ask: 'rows', table, query }),
    file: (format, rows, notes) => worker.ask({ ask: 'file', table, format, rows, notes }),
    close: () => void worker.ask({ ask: 'close', table }),
  };
}
