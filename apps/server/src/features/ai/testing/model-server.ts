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
  /** While set, writes the text of each response by the body of its request. */
  script: ((body: ModelRequest['body']) => string) | undefined;
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
    script: undefined as ModelServer['script'],
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
      const sent = state.received.at(-1)!.body;
      const written = state.script?.(sent) ?? state.text;
      if (sent?.stream === true) return streamed(response, written);
      const body = JSON.stringify(answerOf(path, written));
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

/** A chat in pieces of seven characters, as openai-compatible providers stream it. */
function streamed(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (chunk: object) =>
    response.write(`data: ${JSON.stringify({ id: '1', created: 1, model: 'm', ...chunk })}\n\n`);
  for (const [content] of text.matchAll(/[^]{1,7}/g))
    send({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  send({ choices: [], usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 } });
  response.end('data: [DONE]\n\n');
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
