import swagger from '@fastify/swagger';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { openApiOptions } from './openapi.ts';
import { versionHeadersPlugin } from './version-headers.ts';

test('a deprecated call answers since when and until when, also when it refuses, and the OpenAPI document marks it', async () => {
  const app = fastify();
  await app.register(versionHeadersPlugin);
  await app.register(swagger, openApiOptions);
  const schema = { summary: 'Do something', tags: ['server'] };
  const deprecated = { since: '2027-01-31', sunset: '2027-07-31' };
  app.get('/api/old', { config: { access: 'public', deprecated }, schema }, async (_request, reply) =>
    reply.status(400).send({}),
  );
  app.get('/api/new', { config: { access: 'public' }, schema }, async () => ({}));
  await app.ready();
  const datesOf = async (url: string) => {
    const { deprecation, sunset } = (await app.inject(url)).headers;
    return [deprecation, sunset];
  };
  expect(await datesOf('/api/old')).toEqual(['@1801353600', 'Sat, 31 Jul 2027 00:00:00 GMT']);
  expect(await datesOf('/api/new')).toEqual([undefined, undefined]);
  expect(await datesOf('/api/none')).toEqual([undefined, undefined]);
  const { paths } = app.swagger() as { paths: Record<string, { get: { deprecated?: boolean } }> };
  expect([paths['/api/old']!.get.deprecated, paths['/api/new']!.get.deprecated]).toEqual([true, undefined]);
  await app.close();
});
