import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ModelSettings } from '../../runtime/functions/functions-settings.ts';
import { type ModelServer, startModelServer } from './testing/model-server.ts';
import { createModelAnalysis } from './model-analysis.ts';
import type { ServerImage } from './image-source.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
afterEach(() => {
  server.instead = undefined;
  server.text = 'Mostly T cells.';
  server.received.length = 0;
});

const image: ServerImage = { bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47), mediaType: 'image/png' };
const base64 = 'iVBORw==';
const prompt = { instructions: 'Read one figure.', text: 'What is this?' };
const settings = (more: Partial<ModelSettings> = {}): ModelSettings => ({
  provider: 'openai-compatible',
  model: 'looker',
  apiKey: 'key-of-ours',
  baseUrl: server.url,
  timeoutSeconds: 30,
  ...more,
});
const ask = (more?: Partial<ModelSettings>, signal = new AbortController().signal) =>
  createModelAnalysis(settings(more), { retries: 0 }).analyse(prompt, image, signal);

describe('each provider is spoken to in its own protocol, with the picture as bytes', () => {
  test.each(['openai', 'openai-compatible'] as const)('%s', async (provider) => {
    expect(await ask({ provider })).toBe('Mostly T cells.');
    expect(server.received).toMatchObject([
      {
        path: '/chat/completions',
        headers: { authorization: 'Bearer key-of-ours' },
        body: {
          model: 'looker',
          messages: [
            { role: 'system', content: 'Read one figure.' },
            {
              role: 'user',
              content: [
                { type: 'text', text: 'What is this?' },
                { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } },
              ],
            },
          ],
        },
      },
    ]);
  });

  test('anthropic', async () => {
    expect(await ask({ provider: 'anthropic' })).toBe('Mostly T cells.');
    expect(server.received).toMatchObject([
      {
        path: '/messages',
        headers: { 'x-api-key': 'key-of-ours' },
        body: {
          model: 'looker',
          system: [{ type: 'text', text: 'Read one figure.' }],
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'What is this?' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } },
              ],
            },
          ],
        },
      },
    ]);
  });

  test('google', async () => {
    expect(await ask({ provider: 'google' })).toBe('Mostly T cells.');
    expect(server.received).toMatchObject([
      {
        path: '/models/looker:generateContent',
        headers: { 'x-goog-api-key': 'key-of-ours' },
        body: {
          systemInstruction: { parts: [{ text: 'Read one figure.' }] },
          contents: [
            {
              role: 'user',
              parts: [{ text: 'What is this?' }, { inlineData: { mimeType: 'image/png', data: base64 } }],
            },
          ],
        },
      },
    ]);
  });

  test('a server of the operator’s own needs no key', async () => {
    const { apiKey: _none, ...open } = settings();
    await createModelAnalysis(open).analyse(prompt, image, new AbortController().signal);
    expect(server.received[0]?.headers).not.toHaveProperty('authorization');
  });
});

const says = (status: number, body: string) => (response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(body);
const refusing = (status: number) => says(status, '{"error":{"message":"key-of-ours is bad","code":"x"}}');

test.each<[string, (response: ServerResponse) => void, number, string]>([
  ['a wrong key', refusing(401), 502, 'model_refused'],
  ['a model that is not there', refusing(404), 502, 'model_refused'],
  ['a picture that the model does not take', refusing(400), 502, 'model_refused'],
  ['an outage', refusing(500), 502, 'model_failed'],
  ['an answer that is no JSON', says(200, '<html>'), 502, 'model_failed'],
  ['an answer of another shape', says(200, '{"choices":"none"}'), 502, 'model_failed'],
  ['a line that is cut', (response) => void response.destroy(), 502, 'model_failed'],
])('%s is an error without the words of the provider', async (_case, instead, status, code) => {
  server.instead = instead;
  const error = await ask().catch((cause: unknown) => cause);
  expect(error).toMatchObject({ name: 'FunctionError', status, code });
  expect((error as Error).message).not.toContain('key-of-ours');
});

test('a model that is busy says when to come again', async () => {
  server.instead = refusing(429);
  await expect(ask()).rejects.toMatchObject({ status: 503, code: 'model_busy', retryAfterSeconds: 60 });
});

test('a temporary fault of the provider is retried', async () => {
  server.instead = (response) => {
    server.instead = undefined;
    response.writeHead(503).end();
  };
  const analysis = createModelAnalysis(settings());
  expect(await analysis.analyse(prompt, image, new AbortController().signal)).toBe('Mostly T cells.');
  expect(server.received).toHaveLength(2);
});

test.each(['', '  \n '])('an empty answer (%j) is none', async (text) => {
  server.text = text;
  await expect(ask()).rejects.toMatchObject({
    status: 502,
    message: 'No analysis returned from the service',
  });
});

test('a model that never answers is given up after the time that the operator set', async () => {
  server.instead = () => {};
  const before = server.left;
  await expect(ask({ timeoutSeconds: 1 })).rejects.toMatchObject({ status: 504, code: 'model_timeout' });
  await expect.poll(() => server.left).toBe(before + 1);
});

test('when the caller goes, the request to the provider is cut', async () => {
  server.instead = () => {};
  const before = server.left;
  const controller = new AbortController();
  const rejection = ask({}, controller.signal).catch((cause: unknown) => cause);
  await expect.poll(() => server.received.length).toBe(1);
  controller.abort(new Error('gone'));
  expect(await rejection).toMatchObject({ message: 'gone' });
  await expect.poll(() => server.left).toBe(before + 1);
});

test('a provider that leads elsewhere is not followed', async () => {
  const elsewhere = await startModelServer();
  try {
    server.instead = (response) =>
      void response.writeHead(307, { location: `${elsewhere.url}/chat/completions` }).end();
    await expect(ask()).rejects.toMatchObject({ status: 502 });
    expect(elsewhere.received).toEqual([]);
  } finally {
    await elsewhere.close();
  }
});

test('an answer without end is cut', async () => {
  server.text = 'x'.repeat(100_000);
  expect((await ask()).length).toBe(20_000);
});
