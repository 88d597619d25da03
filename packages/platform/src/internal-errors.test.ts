import fastify, { type FastifyInstance } from 'fastify';
import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { answerInEnvelope } from './auth/auth-error.ts';
import { answerErrorsAsJson } from './functions/function-error.ts';
import { answerInStorageEnvelope } from './storage/storage-error.ts';

const words = 'could not extend file "base/16384/17001": No space left on device';

const services: [string, (app: FastifyInstance) => void, string][] = [
  ['accounts', answerInEnvelope, 'disk_full'],
  ['files', answerInStorageEnvelope, 'DiskFull'],
  ['functions', answerErrorsAsJson, 'disk_full'],
];

async function answer(mount: (app: FastifyInstance) => void, code: string) {
  const app = fastify();
  mount(app);
  app.get('/', async () => {
    throw Object.assign(new DatabaseError(words, 1, 'error'), { code, hint: 'Check free disk space.' });
  });
  const { statusCode, headers, body } = await app.inject({ url: '/' });
  await app.close();
  return { status: statusCode, again: headers['retry-after'], body };
}

test.each(services)('the %s service reports a full disk with Retry-After', async (_, mount, code) => {
  const response = await answer(mount, '53100');
  expect(response).toMatchObject({ status: 507, again: '30' });
  expect(response.body).toContain(code);
});

test.each(services)('the %s service does not reveal database files', async (_, mount) => {
  for (const code of ['53100', '53200', '58030', 'XX000', 'XX001']) {
    const { status, body } = await answer(mount, code);
    expect(status).toBeGreaterThanOrEqual(500);
    expect(body).not.toMatch(/extend|base\/|device|Check free/);
  }
});
