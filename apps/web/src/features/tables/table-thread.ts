import { copied, TableHost, type TableAnswers, type TableQuestion } from './table-host.ts';

export interface ThreadQuestion {
  readonly id: number;
  readonly question: TableQuestion;
}

export type ThreadAnswer =
  | { readonly id: number; readonly answer: TableAnswers[keyof TableAnswers] }
  | { readonly id: number; readonly error: string };

const host = new TableHost();

async function answer({ id, question }: ThreadQuestion): Promise<void> {
  try {
    const found = await host.answer(question);
    self.postMessage(...handedOver(id, question, found));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    self.postMessage({ id, error: message } satisfies ThreadAnswer);
  }
}

/** Memory of columns and rows goes to the page instead of being copied while it waits. */
function handedOver(
  id: number,
  { ask }: TableQuestion,
  found: TableAnswers[keyof TableAnswers],
): [ThreadAnswer, { transfer: ArrayBuffer[] }] {
  if (ask === 'read') {
    const { answer, columns } = found as TableAnswers['read'];
    const { table, memory } = copied(columns);
    return [{ id, answer: { answer, columns: table } }, { transfer: memory }];
  }
  if (ask === 'join') {
    const { table, memory } = copied(found as TableAnswers['join']);
    return [{ id, answer: table }, { transfer: memory }];
  }
  return [{ id, answer: found }, { transfer: found instanceof Int32Array ? [found.buffer] : [] }];
}

self.addEventListener('message', ({ data }: MessageEvent<ThreadQuestion>) => void answer(data));
