import type { AddressInfo } from 'node:net';
import fastify from 'fastify';

export interface Part {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

export interface ChatModel {
  readonly url: string;
  readonly received: { readonly role: string; readonly content: string | readonly Part[] }[][];
  cancelled: number;
  says: string | 'silence';
  status: number;
  close(): Promise<void>;
}

export async function startChatModel(): Promise<ChatModel> {
  const app = fastify({ bodyLimit: 20 * 1024 * 1024, forceCloseConnections: true });
  const state: ChatModel & { url: string } = {
    url: '',
    received: [],
    cancelled: 0,
    says: 'Mostly T cells.',
    status: 200,
    close: () => app.close(),
  };
  app.post('/v1/chat/completions', async (request, reply) => {
    const { messages, model } = request.body as { messages: ChatModel['received'][number]; model: string };
    state.received.push(messages);
    if (state.says === 'silence') {
      await new Promise<void>((resolve) => reply.raw.on('close', resolve));
      state.cancelled += 1;
      return reply;
    }
    if (state.status !== 200) return reply.code(state.status).send({ error: { message: 'key is bad' } });
    return {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model,
      choices: [{ index: 0, message: { role: 'assistant', content: state.says }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  state.url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1`;
  return state;
}

export async function startTripwire() {
  let calls = 0;
  const app = fastify();
  app.all('/*', async (_request, reply) => {
    calls += 1;
    return reply.type('image/png').send(Buffer.from('89504e470d0a1a0a', 'hex'));
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { port, calls: () => calls, close: () => app.close() };
}
