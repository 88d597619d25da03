import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import { expect, test } from 'vitest';
import { logSettings } from './log-settings.ts';

function written(write: (log: Logger) => void): string {
  let line = '';
  const out = new Writable({
    write(piece: Buffer, _encoding, done) {
      line += piece.toString();
      done();
    },
  });
  write(pino(logSettings('info'), out));
  return line;
}

test('mail addresses in messages of other servers are not logged', () => {
  const refusal = "550 5.1.1 <ada.o'hara+cells@mail.example.org>: Recipient rejected";
  const error = Object.assign(new Error(refusal), { rejected: ['ada@example.org'], response: refusal });
  const line = written((log) => {
    log.error({ err: error }, 'request failed');
    log.error(`mail "Hello" could not be sent: ${refusal}`);
  });
  expect(line).toContain('550 5.1.1 <(address)>: Recipient rejected');
  expect(line).not.toMatch(/ada|example\.org/);
});

test('errors are logged without the values of rows', () => {
  const error = Object.assign(new Error('duplicate key value'), {
    code: '23505',
    detail: 'Key (email)=(ada@example.org) already exists.',
    where: 'COPY users, line 1: "ada@example.org"',
    constraint: 'users_email_key',
  });
  const line = written((log) => log.error({ err: error }, 'request failed'));
  expect(JSON.parse(line)).toMatchObject({
    msg: 'request failed',
    err: { message: 'duplicate key value', code: '23505', constraint: 'users_email_key' },
  });
  expect(line).toContain('log-settings.test.ts');
  expect(line).not.toContain('ada@');
});
