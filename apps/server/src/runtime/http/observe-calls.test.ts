import { NotAdmitted } from '@cellfolio/platform';
import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { logSettings } from '../observability/log-settings.ts';
import { Metrics } from '../observability/metrics.ts';
import { handleError } from './error-handler.ts';
import { observeCallsPlugin } from './observe-calls.ts';

async function appWith(slowMilliseconds: number, called?: () => () => void) {
  const lines: Record<string, unknown>[] = [];
  const metrics = new Metrics();
  const app = fastify({
    logger: {
      ...logSettings('info'),
      stream: { write: (line: string) => void lines.push(JSON.parse(line)) },
    },
  });
  app.setErrorHandler(handleError);
  await app.register(observeCallsPlugin, {
    metrics,
    tracing: undefined,
    slowMilliseconds,
    ...(called && { called }),
  });
  app.get('/api/datasets/:id', async () => 'ok');
  app.get('/healthz', async () => 'ok');
  app.get('/stream', { config: { streams: true } }, async () => 'ok');
  app.get('/busy', async () => {
    throw new NotAdmitted('server', 'The server is busy.', 5);
  });
  app.get('/mine', async () => {
    throw new NotAdmitted('user', 'Too many of your calls.', 2);
  });
  return { app, metrics, lines };
}

describe('watching calls', () => {
  test('they are counted by the pattern of their route, never by what is in their address', async () => {
    const { app, metrics } = await appWith(60_000);
    for (const id of ['a', 'b', 'secret@example.org']) await app.inject(`/api/datasets/${id}?token=hush`);
    await app.inject('/nowhere/secret@example.org');
    const { body } = await metrics.text();
    expect(body).toContain(
      'cellfolio_http_request_duration_seconds_count{method="GET",route="/api/datasets/:id",status="200"} 3',
    );
    expect(body).toContain('route="none",status="404"} 1');
    expect(body).not.toMatch(/secret|hush/);
  });

  test('slow ones are written down without their address; those that tell progress are not', async () => {
    const { app, lines } = await appWith(0);
    await app.inject('/api/datasets/secret@example.org?token=hush');
    await app.inject('/stream');
    const slow = lines.filter(({ msg }) => msg === 'slow call');
    expect(slow).toHaveLength(1);
    expect(slow[0]).toMatchObject({
      route: '/api/datasets/:id',
      method: 'GET',
      status: 200,
    });
    expect(JSON.stringify(lines)).not.toMatch(/secret|hush|127\.0\.0\.1/);
  });

  test('the answer names the id that every line of the call has in the log', async () => {
    const { app, lines } = await appWith(60_000);
    for (const url of ['/api/datasets/a', '/busy', '/nowhere']) {
      lines.length = 0;
      const { headers } = await app.inject(url);
      expect(new Set(lines.map(({ reqId }) => reqId))).toEqual(new Set([headers['x-request-id']]));
    }
  });

  test('each is told when it begins and when it has ended, whatever comes of it; looks at the health are none', async () => {
    const told: string[] = [];
    const { app } = await appWith(60_000, () => {
      told.push('begun');
      return () => void told.push('ended');
    });
    for (const url of ['/api/datasets/a', '/busy', '/nowhere']) {
      await app.inject(url);
      await expect.poll(() => told.splice(0)).toEqual(['begun', 'ended']);
    }
    await app.inject('/healthz');
    expect(told).toEqual([]);
  });

  test('a call that is not let in is told when to come again', async () => {
    const { app, lines } = await appWith(60_000);
    const busy = await app.inject('/busy');
    expect([busy.statusCode, busy.headers['retry-after'], busy.json().code]).toEqual([503, '5', 'busy']);
    const mine = await app.inject('/mine');
    expect([mine.statusCode, mine.headers['retry-after'], mine.json().code]).toEqual([
      429,
      '2',
      'too_many_calls',
    ]);
    // It is no failure of the server, and a flood of them is no flood of the log.
    expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });
});
