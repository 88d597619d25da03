import type { AddressInfo } from 'node:net';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

interface ModelRequest {
  path: string;
  headers: IncomingMessage['headers'];
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape is what tests assert
  body: any;
}

export interface ModelServer {
  url: string;
  received: ModelRequest[];
  /** Number of requests whose client left before the response. */
  left: number;
  text: string;
  /** While set, responds in place of the model; it may leave the request unanswered. */
  instead: ((response: ServerResponse) => void) | undefined;
  close(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  const state = {
    url: '',
    received: [] as ModelRequest[],
    left: 0,
    text: 'Mostly T cells.',
    instead: undefined as ModelServer['instead'],
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('close', () => {
      if (!response.writableFinished) state.left += 1;
    });
    request.on('end', () => {
      const path = request.url ?? '';
      const text = Buffer.concat(chunks).toString('utf8');
      state.received.push({
        path,
        headers: request.headers,
        body: text === '' ? undefined : JSON.parse(text),
      });
      if (state.instead) return state.instead(response);
      const body = JSON.stringify(answerOf(path, state.text));
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

function answerOf(path: string, text: string): object {
  if (path.endsWith('/chat/completions')) {
    return {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    };
  }
  if (path.endsWith('/messages')) {
    return {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      model: 'm',
      content: text === '' ? [] : [{ type: 'text', text }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
  }
  return {
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
}
