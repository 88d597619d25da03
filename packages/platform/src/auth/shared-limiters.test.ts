import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slowMs, type TestDatabase, testedDatabases } from '../database/test-databases.ts';
import { createRateLimits, sharedLimiters } from './rate-limits.ts';

const numbers = {
  signUp: 3,
  anonymous: 3,
  token: 3,
  updateUser: 3,
  verify: 3,
  recover: 3,
  resend: 3,
  otp: 3,
  oauth: 3,
  mfaChallenge: 3,
  mfaVerify: 3,
  passwordFailures: 3,
  accountSignIns: 30,
  accountFailures: 5,
  mfaFailures: 3,
  mailsPerHour: 4,
  smsPerHour: 4,
  sendIntervalSeconds: 60,
};

describe.each(testedDatabases())('counted in the %s database', (_kind, open) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await open();
  }, slowMs);
  afterAll(() => opened?.remove());

  const processes = () =>
    [0, 1].map(() => createRateLimits(numbers, sharedLimiters(opened.database.pool))) as [
      ReturnType<typeof createRateLimits>,
      ReturnType<typeof createRateLimits>,
    ];
  const over = (code: string) => expect.objectContaining({ status: 429, code });

  test('a limit holds across processes and for concurrent requests', async () => {
    const [one, two] = processes();
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => (at % 2 ? one : two).countRequest('signUp', '192.0.2.1')),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    await expect(one.countRequest('signUp', '192.0.2.2')).resolves.toBeUndefined();
    await expect(two.countRequest('token', '192.0.2.1')).resolves.toBeUndefined();
  });

  test('wrong passwords are counted across processes, and a right one in none', async () => {
    const [one, two] = processes();
    const email = `${'long.'.repeat(49)}name@example.org`;
    await one.countPasswordAttempt(email, '192.0.2.3');
    await two.countPasswordAttempt(email, '192.0.2.3');
    const right = await one.countPasswordAttempt(email, '192.0.2.3');
    await expect(two.countPasswordAttempt(email, '192.0.2.3')).rejects.toEqual(
      over('over_request_rate_limit'),
    );
    await right.succeeded();
    await expect(two.countPasswordAttempt(email, '192.0.2.3')).resolves.toBeDefined();
  });

  test('mails are counted per address and kind, and for everybody together', async () => {
    const [one, two] = processes();
    await one.countMail('recover', 'a@example.org');
    await expect(two.countMail('recover', 'a@example.org')).rejects.toEqual(
      over('over_email_send_rate_limit'),
    );
    await two.countMail('signup', 'a@example.org');
    await one.countMail(undefined, 'b@example.org');
    await two.countMail('recover', 'c@example.org');
    await expect(one.countMail('recover', 'd@example.org')).rejects.toEqual(
      over('over_email_send_rate_limit'),
    );
    await one.countSms('code', '4915112345678');
    await expect(two.countSms('code', '4915112345678')).rejects.toEqual(over('over_sms_send_rate_limit'));
  });

  test('the counter table holds no e-mail addresses', async () => {
    const { rows } = await opened.database.pool.query<{ key: string }>('select key from auth.rate_limits');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ key }) => key.includes('@'))).toEqual([]);
  });
});
