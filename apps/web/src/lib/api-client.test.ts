import { describe, expect, test } from 'vitest';
import { datasetMetadataQuery } from '@/features/catalogue/index.ts';
import { fakeServices, json } from '@/testing/fakes.ts';
import { createApiClient } from './api-client.ts';
import { ApiContractBroken, ApiRefusal, ApiUnreachable } from './api-errors.ts';
import { createQueryClient } from './query-client.ts';

const anything = { parse: (value: unknown) => value };

describe('the API client', () => {
  test('sends key, token, tab and request id with every call', async () => {
    const { services, requests, answer } = fakeServices();
    answer('/api/x', () => json({}));
    await services.api({ path: '/api/x', answer: anything });
    await services.api({ path: '/api/x', answer: anything, body: { genes: ['A'] } });
    for (const { headers } of requests) {
      expect(headers.get('x-api-key')).toBe('publishable');
      expect(headers.get('authorization')).toBe('Bearer token');
      expect(headers.get('x-session-id')).toBe('tab');
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    }
    expect(requests.map(({ method, body }) => [method, body])).toEqual([
      ['GET', undefined],
      ['POST', { genes: ['A'] }],
    ]);
    expect(requests[0]?.headers.get('x-request-id')).not.toBe(requests[1]?.headers.get('x-request-id'));
  });

  test('an error status becomes a refusal with its code and words, also where a proxy answers', async () => {
    const { services, answer } = fakeServices();
    answer('/api/a', () => json({ code: 'no_such', message: 'No such thing.', details: { near: 'a' } }, 404));
    answer('/api/b', () => new Response('Bad gateway', { status: 502 }));
    await expect(services.api({ path: '/api/a', answer: anything })).rejects.toMatchObject({
      tag: 'ApiRefusal',
      status: 404,
      code: 'no_such',
      body: 'No such thing.',
      details: { near: 'a' },
    });
    await expect(services.api({ path: '/api/b', answer: anything })).rejects.toEqual(
      new ApiRefusal(502, '', 'Bad gateway'),
    );
  });

  test('a refused token is reported, but not a refusal of a user who is not signed in', async () => {
    let refused = 0;
    const client = (token: string | null) =>
      createApiClient({
        analysisUrl: '',
        apiKey: 'key',
        accessToken: async () => token,
        sessionId: async () => 'tab',
        onTokenRefused: () => void refused++,
        fetch: async () => json({ code: 'invalid_token', message: 'Ended.' }, 401),
      });
    for (const token of ['token', null]) {
      await expect(client(token)({ path: '/api/x', answer: anything })).rejects.toHaveProperty('status', 401);
    }
    expect(refused).toBe(1);
  });

  test('no answer, an answer in the wrong form and a cancelled call are three different errors', async () => {
    const { services, answer } = fakeServices();
    answer('/api/down', () => Promise.reject(new TypeError('Failed to fetch')));
    answer('/api/odd', () => new Response('<html>'));
    await expect(services.api({ path: '/api/down', answer: anything })).rejects.toBeInstanceOf(
      ApiUnreachable,
    );
    await expect(services.api({ path: '/api/odd', answer: anything })).rejects.toBeInstanceOf(
      ApiContractBroken,
    );
    await expect(
      services.api({ path: '/api/odd', answer: anything, signal: AbortSignal.abort() }),
    ).rejects.toHaveProperty('name', 'AbortError');
  });
});

test('the catalogue is requested once, not retried, and kept for seven days', async () => {
  const { services, requests, answer } = fakeServices();
  const client = createQueryClient();
  answer('/api/dataset_metadata', () => json({ code: 'x', message: 'boom' }, 500));
  await expect(client.fetchQuery(datasetMetadataQuery(services.api))).rejects.toThrow(
    'Failed to fetch dataset metadata',
  );
  expect(requests).toHaveLength(1);
  answer('/api/dataset_metadata', () => json({}));
  await client.fetchQuery(datasetMetadataQuery(services.api));
  await client.fetchQuery(datasetMetadataQuery(services.api));
  expect(requests).toHaveLength(2);
  const week = 7 * 24 * 3600 * 1000;
  expect(datasetMetadataQuery(services.api)).toMatchObject({ staleTime: week, gcTime: week });
  expect(client.getDefaultOptions().queries).toMatchObject({ retry: false, refetchOnWindowFocus: false });
});
