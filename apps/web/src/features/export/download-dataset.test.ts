import { expect, test, vi } from 'vitest';
import { createApiClient } from '@/lib/api-client.ts';
import { downloadDataset } from './download-dataset.ts';

const file = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);

function server(breaks: readonly number[], refusals: readonly Response[] = []) {
  const requests: { from?: number; etag?: string }[] = [];
  const ends = [...breaks];
  const refused = [...refusals];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const body = JSON.parse(String(init?.body)) as { from?: number; etag?: string };
    requests.push(body);
    if (requests.length > 1 && refused.length > 0) return refused.shift()!;
    const from = body.from ?? 0;
    const end = ends.shift();
    return new Response(end === undefined ? file.slice(from) : broken(file.slice(from, end)), {
      headers: { 'content-length': String(file.length - from), etag: '"v"' },
    });
  };
  const api = createApiClient({
    analysisUrl: 'http://server',
    apiKey: 'k',
    accessToken: async () => 't',
    sessionId: async () => 's',
    fetch: fetch as typeof globalThis.fetch,
  });
  return { api, requests };
}

function broken(piece: Uint8Array): ReadableStream<Uint8Array> {
  let rest = piece.length > 0;
  return new ReadableStream({
    pull: (to) => {
      if (rest) to.enqueue(piece);
      else to.error(new TypeError('network error'));
      rest = false;
    },
  });
}

const handle = () => ({ signal: new AbortController().signal, onProgress: vi.fn() });
const soon = [0, 0, 0];

test('a download that broke off twice goes on behind the last byte, and the file is whole', async () => {
  const { api, requests } = server([300, 700]);
  const { signal, onProgress } = handle();
  const blob = await downloadDataset(api, { counts: true }, { signal, onProgress }, soon);
  expect(new Uint8Array(await blob.arrayBuffer())).toEqual(file);
  expect(requests).toEqual([
    { counts: true },
    { counts: true, from: 300, etag: '"v"' },
    { counts: true, from: 700, etag: '"v"' },
  ]);
  expect(onProgress).toHaveBeenLastCalledWith({ stage: 'Downloading', done: 1000, total: 1000 });
});

test('a busy server is waited for, and a file that has changed is not gone on with', async () => {
  const refusal = (status: number, code: string) =>
    new Response(JSON.stringify({ code, message: `${code}!` }), { status });
  const busy = server([300], [refusal(429, 'too_busy')]);
  const blob = await downloadDataset(busy.api, {}, handle(), soon);
  expect(blob.size).toBe(1000);
  const changed = server([300], [refusal(412, 'export_changed')]);
  await expect(downloadDataset(changed.api, {}, handle(), soon)).rejects.toThrow(
    'Failed to export the dataset: export_changed!',
  );
  expect(changed.requests).toHaveLength(2);
});

test('what never began, and what brings nothing again and again, is a failure', async () => {
  const none = server([0]);
  await expect(downloadDataset(none.api, {}, handle(), soon)).rejects.toThrow('Failed to export the dataset');
  expect(none.requests).toHaveLength(1);
  const stuck = server([300, 300, 300, 300, 300, 300]);
  await expect(downloadDataset(stuck.api, {}, handle(), soon)).rejects.toThrow(
    'Failed to export the dataset',
  );
  expect(stuck.requests.map(({ from }) => from)).toEqual([undefined, 300, 300, 300]);
});

test('a download that is cancelled in a pause sends no more requests', async () => {
  const { api, requests } = server([300, 700]);
  const controller = new AbortController();
  const running = downloadDataset(api, {}, { signal: controller.signal, onProgress: () => {} }, [60_000]);
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  setTimeout(() => controller.abort(), 50);
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  expect(requests).toHaveLength(1);
});
