import type { PoolClient } from 'pg';
import type { BufferedAnswer } from './answer-store.ts';
import type { PacedWork } from './paced-work.ts';
import type { ReadPlan, Slices } from './plan/plan-read.ts';
import type { Statement } from './plan/expressions.ts';
import { tooLarge } from './rest-answer.ts';

/** Approximate bytes of rows fetched at once; a longer row is fetched alone. */
const batchBytes = 1024 * 1024;

interface CopiedInto {
  answer: BufferedAnswer;
  maxBytes: number;
  /** Shared by all long responses. */
  copying: PacedWork;
}

/**
 * Writes the body of a read into `answer`, a long one by rows, a megabyte at a time, so that neither the database nor
 * this process ever holds all of it. `sizes`: approximate bytes of each row. Throws RestError 54000.
 */
export async function copyRows(
  client: PoolClient,
  { body, rows, frame }: ReadPlan,
  sizes: readonly number[],
  { answer, maxBytes, copying }: CopiedInto,
): Promise<void> {
  const write = writerOf(answer, maxBytes);
  const batches = batchesOf(sizes);
  if (batches.length <= 1) {
    const result = await client.query<{ body: string }>(body.text, [...body.values]);
    return write(result.rows[0]!.body);
  }
  await client.query(`declare "answer" no scroll cursor for ${rows.text}`, [...rows.values]);
  await writeRows({ frame, batches, copying }, write, async (count) => {
    const batch = await client.query<{ row: string }>(`fetch ${count} from "answer"`);
    return batch.rows;
  });
}

/** Rows of a read were changed or removed before they were fetched. */
export class RowsChanged extends Error {
  override readonly name = 'RowsChanged';
}

/**
 * Writes the body of a read whose rows are at `places`, each megabyte in a separate transaction, so that others can use
 * a database's only connection in between. Throws RestError 54000; RowsChanged.
 */
export async function copySlices(
  query: (statement: Statement) => Promise<readonly { row: string }[]>,
  { slices, frame, places }: { slices: Slices; frame: ReadPlan['frame']; places: readonly string[] },
  sizes: readonly number[],
  { answer, maxBytes, copying }: CopiedInto,
): Promise<void> {
  const write = writerOf(answer, maxBytes);
  let at = 0;
  await writeRows({ frame, batches: batchesOf(sizes), copying }, write, async (count) => {
    const rows = await query(slices.rowsAt(places.slice(at, at + count)));
    if (rows.length < count) throw new RowsChanged();
    at += count;
    return rows;
  });
}

async function writeRows(
  { frame, batches, copying }: { frame: ReadPlan['frame']; batches: readonly number[]; copying: PacedWork },
  write: (text: string) => Promise<void>,
  next: (count: number) => Promise<readonly { row: string }[]>,
): Promise<void> {
  let before = frame.head;
  for (const count of batches) {
    const between = before;
    await copying.run(async () => {
      const rows = await next(count);
      await write(between + rows.map(({ row }) => row).join(frame.between));
    });
    before = frame.between;
  }
  await write(frame.tail);
}

function writerOf(answer: BufferedAnswer, maxBytes: number): (text: string) => Promise<void> {
  return async (text) => {
    await answer.write(text);
    // Escapes were not counted before.
    if (answer.length > maxBytes) throw tooLarge('answer', maxBytes);
  };
}

export function isLong(sizes: readonly number[]): boolean {
  return batchesOf(sizes).length > 1;
}

function batchesOf(sizes: readonly number[]): number[] {
  const batches: number[] = [];
  let bytes = Infinity;
  for (const size of sizes) {
    bytes += size;
    if (bytes <= batchBytes) batches[batches.length - 1]! += 1;
    else {
      bytes = size;
      batches.push(1);
    }
  }
  return batches;
}
