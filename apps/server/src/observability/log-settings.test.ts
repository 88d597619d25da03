import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { logSettings } from './log-settings.ts';

test('of an error the log says what and where, and none of the values of its row', () => {
  let line = '';
  const out = new Writable({
    write(piece: Buffer, _encoding, done) {
      line += piece.toString();
      done();
    },
  });
  const error = Object.assign(new Error('duplicate key value'), {
    code: '23505',
    detail: 'Key (email)=(ada@example.org) already exists.',
    where: 'COPY users, line 1: "ada@example.org"',
    constraint: 'users_email_key',
  });
  pino(logSettings('info'), out).error({ err: error }, 'request failed');
  expect(JSON.parse(line)).toMatchObject({
    msg: 'request failed',
    err: { message: 'duplicate key value', code: '23505', constraint: 'users_email_key' },
  });
  expect(line).toContain('log-settings.test.ts');
  expect(line).not.toContain('ada@');
});
