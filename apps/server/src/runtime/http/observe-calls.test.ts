import { NotAdmitted } from '@cellfolio/platform';
import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { logSettings } from '../observability/log-settings.ts';
import { Metrics } from '../observability/metrics.ts';
import { handleError } from './error-handler.ts';
import { observeCallsPlugin } from './observe-calls.ts';

async function appWith(slowMilliseconds: number, onCall?: () => () => void) {
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
    ...(onCall && { onCall }),
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

describe('calls', () => {
  test('are counted by their route, never by values in their address', async () => {
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

  test('slow ones are logged without their address, except streams of progress', async () => {
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

  test('the response has the request id of the log', async () => {
    const { app, lines } = await appWith(60_000);
    for (const url of ['/api/datasets/a', '/busy', '/nowhere']) {
      lines.length = 0;
      const { headers } = await app.inject(url);
      expect(new Set(lines.map(({ reqId }) => reqId))).toEqual(new Set([headers['x-request-id']]));
    }
  });

  test('start and end of each are reported, also of failed ones, but not of health checks', async () => {
    const events: string[] = [];
    const { app } = await appWith(60_000, () => {
      events.push('begun');
      return () => void events.push('ended');
    });
    for (const url of ['/api/datasets/a', '/busy', '/nowhere']) {
      await app.inject(url);
      await expect.poll(() => events.splice(0)).toEqual(['begun', 'ended']);
    }
    await app.inject('/healthz');
    expect(events).toEqual([]);
  });

  test('refused ones get a Retry-After header and are not logged as errors', async () => {
    const { app, lines } = await appWith(60_000);
    const busy = await app.inject('/busy');
    expect([busy.statusCode, busy.headers['retry-after'], busy.json().code]).toEqual([503, '5', 'busy']);
    const mine = await app.inject('/mine');
    expect([mine.statusCode, mine.headers['retry-after'], mine.json().code]).toEqual([
      429,
      '2',
      'too_many_calls',
    ]);
    // Overload must not flood the log.
    expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });
});
