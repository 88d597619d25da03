import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Name of the model in the settings of the server. */
export const modelName = 'scripted';

const plan = {
  steps: [
    {
      id: 's1',
      tool: 'analyze_markers',
      arguments: { groupby: 'cell_type' },
      purpose: 'Finds the genes that mark the cell types.',
    },
    {
      id: 's2',
      tool: 'draw_figure',
      arguments: { content: { kind: 'gene-umap', gene: 'MS4A1' } },
      purpose: 'Shows where <b>MS4A1</b> is.',
    },
  ],
  cannot: null,
};

const answer = [
  'The gene [[s1:/rows/0/names]] leads with a score of [[s1:/rows/0/scores]].',
  'It is in 90% of the cells.',
  'The map <img src=x> shows [[s2:/title]].',
].join(' ');

/** Its description of a figure. */
export const description = 'T cells are the largest group.';

interface ChatRequest {
  readonly messages: readonly { readonly content: unknown }[];
  readonly stream?: boolean;
}

/**
 * A model that speaks the protocol of openai-compatible providers: it plans markers and a map, or refuses a question
 * about survival, and describes figures.
 */
export async function startScriptedModel(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    void text(request).then((body) => answerTo(JSON.parse(body) as ChatRequest, response));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

function answerTo({ messages, stream }: ChatRequest, response: ServerResponse): void {
  const content = textFor(messages);
  const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };
  const head = { id: 'chat', created: 1, model: modelName };
  if (stream !== true) {
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (chunk: object) => response.write(`data: ${JSON.stringify({ ...head, ...chunk })}\n\n`);
  send({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  send({ choices: [], usage });
  response.end('data: [DONE]\n\n');
}

function textFor(messages: ChatRequest['messages']): string {
  const [system = '', question = ''] = messages.map((message) => JSON.stringify(message.content));
  if (system.includes('Answer the question by the results')) return answer;
  if (!system.includes('Plan which tools')) return description;
  if (question.includes('survival'))
    return JSON.stringify({ steps: [], cannot: 'The dataset has no survival data.' });
  return JSON.stringify(plan);
}
