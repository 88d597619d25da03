import { copied, TableHost, type TableAnswers, type TableQuestion } from './table-host.ts';

export interface ThreadQuestion {
  id: number;
  question: TableQuestion;
}

export type ThreadAnswer =
  | { id: number; answer: TableAnswers[keyof TableAnswers] }
  | { id: number; error: string };

const host = new TableHost();

async function answer({ id, question }: ThreadQuestion): Promise<void> {
  try {
    const reply = await host.answer(question);
    self.postMessage(...handedOver(id, question, reply));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    self.postMessage({ id, error: message } satisfies ThreadAnswer);
  }
}

/** Transfers the memory of columns and rows to the page; copying would make it wait. */
function handedOver(
  id: number,
  { ask }: TableQuestion,
  reply: TableAnswers[keyof TableAnswers],
): [ThreadAnswer, { transfer: ArrayBuffer[] }] {
  if (ask === 'read' || ask === 'join') {
    const answer = reply as TableAnswers['read'] | TableAnswers['join'];
    const { table, memory } = copied(answer.columns);
    return [
      { id, answer: { ...answer, columns: table } },
      { transfer: [...memory, ...memoryOf(answer.whole)] },
    ];
  }
  const transfer = ask === 'rows' ? memoryOf(reply as TableAnswers['rows']) : [];
  return [{ id, answer: reply }, { transfer }];
}

function memoryOf({ rows, geneRows }: TableAnswers['rows']): ArrayBuffer[] {
  return [rows.buffer, geneRows.buffer];
}

self.addEventListener('message', ({ data }: MessageEvent<ThreadQuestion>) => void answer(data));
