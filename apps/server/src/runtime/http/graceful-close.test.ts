import fastify from 'fastify';
import { expect, test } from 'vitest';
import { gracefulClosePlugin } from './graceful-close.ts';

test('a server closes when its calls are answered, though their callers would keep the connections', async () => {
  const app = fastify();
  await app.register(gracefulClosePlugin);
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const answer = Promise.withResolvers<void>();
  app.get('/slow', async () => {
    begun[0].resolve();
    await answer.promise;
    return 'done';
  });
  app.get('/streamed', async (_request, reply) => {
    reply.hijack();
    // Its head goes out before anybody thinks of closing.
    reply.raw.write('do');
    begun[1].resolve();
    await answer.promise;
    reply.raw.end('ne');
  });
  app.addHook('preClose', async () => answer.resolve());
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const calls = ['/slow', '/streamed'].map(async (path) => {
    const response = await fetch(`${address}${path}`);
    return [await response.text(), response.headers.get('connection')];
  });
  await Promise.all(begun.map(({ promise }) => promise));
  const closed = app.close();
  // Clients keep a connection for as long as the server says, which would be 72 seconds.
  expect(await Promise.all(calls)).toEqual([
    ['done', 'close'],
    ['done', 'keep-alive'],
  ]);
  await closed;
});
