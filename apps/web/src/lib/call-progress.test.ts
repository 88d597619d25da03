import type { ProgressEvent } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createApiClient } from './api-client.ts';

function server(pieces: readonly string[]) {
  const requests: string[] = [];
  let streamEnded = false;
  const fetch = async (url: unknown, init?: RequestInit) => {
    const path = String(url).replace('http://cellfolio.test', '');
    const id = new Headers(init?.headers).get('x-request-id');
    requests.push(path.replace(id ?? '', '<id>'));
    if (!path.startsWith('/api/progress/')) {
      await new Promise((done) => setTimeout(done, 0));
      return new Response('{"ok":true}');
    }
    init?.signal?.addEventListener('abort', () => (streamEnded = true));
    const encoder = new TextEncoder();
    return new Response(
      new ReadableStream({
        start: (controller) => pieces.forEach((piece) => controller.enqueue(encoder.encode(piece))),
      }),
    );
  };
  return { requests, fetch: fetch as typeof globalThis.fetch, streamEnded: () => streamEnded };
}

const client = (fetch: typeof globalThis.fetch) =>
  createApiClient({
    analysisUrl: 'http://cellfolio.test',
    apiKey: 'key',
    accessToken: async () => 'token',
    sessionId: async () => 'tab',
    fetch,
  });
const answer = z.object({ ok: z.boolean() });

test('a watched call opens its stream first, reports each step however it is cut, and closes the stream', async () => {
  const { requests, fetch, streamEnded } = server([
    ': open\n\ndata: {"stage":"Reading","done":1,"to',
    'tal":4}\n\ndata: nonsense\n\ndata: {"stage":"Reading","done":2,"total":4}\n\n',
  ]);
  const events: ProgressEvent[] = [];
  await client(fetch)({ path: '/api/work', body: {}, answer, onProgress: (event) => events.push(event) });
  expect(requests).toEqual(['/api/progress/<id>', '/api/work']);
  expect(events).toEqual([
    { stage: 'Reading', done: 1, total: 4 },
    { stage: 'Reading', done: 2, total: 4 },
  ]);
  expect(streamEnded()).toBe(true);
});

test('a call whose stream is refused is made all the same', async () => {
  const refused = (async (url: unknown) =>
    String(url).includes('/progress/')
      ? new Response('{}', { status: 500 })
      : new Response('{"ok":true}')) as typeof fetch;
  await expect(
    client(refused)({ path: '/api/work', body: {}, answer, onProgress: () => {} }),
  ).resolves.toEqual({ ok: true });
});

test('a file comes as it is, and a refusal instead of it in words', async () => {
  const file = { parse: (value: unknown) => value as Blob };
  const png = (async () =>
    new Response('bytes', { headers: { 'content-type': 'image/png' } })) as typeof fetch;
  const blob = await client(png)({ path: '/api/render-figure', body: {}, answer: file, expects: 'file' });
  expect([blob.type, blob.size]).toEqual(['image/png', 5]);
  const refusing = (async () =>
    new Response('{"code":"dataset_changed","message":"Open it again."}', { status: 409 })) as typeof fetch;
  await expect(
    client(refusing)({ path: '/api/render-figure', body: {}, answer: file, expects: 'file' }),
  ).rejects.toMatchObject({ tag: 'ApiRefusal', code: 'dataset_changed' });
});
