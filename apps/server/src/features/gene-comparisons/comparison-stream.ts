import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tabSessionOf } from '../../runtime/http/access.ts';
import { jsonWithTable, nextTurn, streamAnswer } from '../../runtime/http/stream-answer.ts';
import { jsonCharacters } from '../../runtime/tables/result-csv.ts';
import type { SelectionServices } from '../selection/index.ts';
import type { ComparedAnswer } from './comparison-analysis.ts';

/** The response of a comparison as JSON. Tables of further groups are generated while those before them are sent. */
export function comparisonStream(
  { admission }: Pick<SelectionServices, 'admission'>,
  request: FastifyRequest,
  reply: Pick<FastifyReply, 'raw'>,
  { answer, head, first, others }: ComparedAnswer,
): Readable {
  const { userId } = tabSessionOf(request);
  const signal = request.clientGone;
  async function* lines(): AsyncGenerator<Uint8Array> {
    yield jsonCharacters(head);
    yield first;
    for (const linesOf of others) {
      const leave = await nextTurn(admission, userId, signal);
      let lineBytes: Uint8Array;
      try {
        lineBytes = await linesOf({ signal, users: () => [userId] });
      } finally {
        leave();
      }
      yield lineBytes;
    }
  }
  return streamAnswer(request, reply, jsonWithTable('deg_csv', lines(), answer));
}
