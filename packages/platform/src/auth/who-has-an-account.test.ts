import * as argon2 from '@node-rs/argon2';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { countingQueries, type CountedQueries } from '../counting-queries.ts';
import { openTestDatabase, passwordCost } from '../database/test-databases.ts';
import { type PlatformOptions, platformPlugin } from '../platform-plugin.ts';
import type { Mail, SmsSender } from './mail/mailer.ts';

vi.mock('@node-rs/argon2', { spy: true });

type TextMessage = Parameters<SmsSender['send']>[0];

const url = 'http://127.0.0.1:3000';
const headers = { apikey: 'sb_publishable_test', 'x-supabase-api-version': '2024-01-01' };
const password = 'correct horse';

let counted: CountedQueries;
const mails: Mail[] = [];
const messages: TextMessage[] = [];
let aheadMs = 0;
let app: FastifyInstance;
const built: FastifyInstance[] = [];

async function build(settings: PlatformOptions['settings']): Promise<FastifyInstance> {
  const instance = fastify();
  await instance.register(platformPlugin, {
    database: counted.database,
    siteUrl: url,
    publicUrl: url,
    publishableKey: headers.apikey,
    secretKey: 'sb_secret_test',
    mailer: { send: async (mail) => void mails.push(mail) },
    sms: { send: async (message) => void messages.push(message) },
    now: () => Date.now() + aheadMs,
    settings: { rateLimits: false, phoneEnabled: true, passwordCost, ...settings },
  });
  built.push(instance);
  return instance;
}

beforeAll(async () => {
  const database = await openTestDatabase();
  counted = countingQueries(database);
  app = await build({ autoConfirm: false });
});
afterAll(async () => {
  for (const one of built) await one.close();
  await counted?.database.close();
});

const post = (path: string, payload: object, by = app) =>
  by.inject({ method: 'POST', url: `/auth/v1${path}`, headers, payload });

/** Addresses have equal length, since a response that repeats them reveals its length too. */
let people = 0;
const newEmail = () => `person.${String((people += 1)).padStart(4, '0')}@example.org`;
const newPhone = () => `4915112${String((people += 1)).padStart(4, '0')}`;

const linkIn = (mail: Mail | undefined) => /^http\S+$/m.exec(mail?.text ?? '')?.[0] ?? '';
const codeIn = (mail: TextMessage | undefined) => /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '';
const newest = <T extends TextMessage>(sent: readonly T[], to: string) =>
  sent.findLast((mail) => mail.to === to);

/** The states of an address, each created now and a day ago. */
const states = {
  unknown: async () => newEmail(),
  unconfirmed: async () => {
    const email = newEmail();
    await post('/signup', { email, password, data: { full_name: 'Ada of the first sign-up' } });
    aheadMs += 86_400_000;
    return email;
  },
  confirmed: async () => {
    const email = newEmail();
    await post('/signup', { email, password });
    await app.inject({ url: linkIn(newest(mails, email)).slice(url.length) });
    aheadMs += 86_400_000;
    return email;
  },
} as const;
type State = keyof typeof states;
const everyState = Object.keys(states) as State[];

/** End of the database's log; a transaction that has written waits for it. */
async function endOfLog(): Promise<string> {
  const { rows } = await counted.database.pool.query<{ end: string }>(
    'select pg_current_wal_insert_lsn()::text as end',
  );
  return rows[0]?.end ?? '';
}

async function observed(path: string, payload: object, name: string) {
  const log = await endOfLog();
  const before = counted.statements().length;
  vi.clearAllMocks();
  const { statusCode, headers: answered, body } = await post(path, payload);
  return {
    statusCode,
    headers: { ...answered, date: '' },
    body: body
      .replaceAll(name, 'address')
      .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'uuid')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time'),
    hashes: [vi.mocked(argon2.hash).mock.calls.length, vi.mocked(argon2.verify).mock.calls.length],
    statements: counted
      .statements()
      .slice(before)
      .map((text) => text.replace(/set \w+_sent_at/, 'set sent_at')),
    wrote: (await endOfLog()) !== log,
  };
}

describe('where addresses are confirmed by mail', () => {
  test.each([
    ['/signup', { password: 'of a stranger', data: { lab: 'Curie', b: 1, a: [2] } }, [1, 1, 1]],
    [
      '/signup',
      { password: 'of a stranger', code_challenge: 'c'.repeat(43), code_challenge_method: 's256' },
      [1, 1, 1],
    ],
    ['/otp', {}, [1, 1, 1]],
    ['/magiclink', {}, [1, 1, 1]],
    ['/otp', { create_user: false }, [0, 1, 1]],
    ['/recover', {}, [0, 1, 1]],
    ['/resend', { type: 'signup' }, [0, 1, 0]],
    ['/resend', { type: 'email_change' }, [0, 0, 0]],
  ])('POST %s with %o does not reveal who has an account, by answer or work', async (path, fields, sent) => {
    const observations: Partial<Record<State, unknown>> = {};
    const mailed: number[] = [];
    for (const state of everyState) {
      const email = await states[state]();
      const before = mails.length;
      observations[state] = await observed(path, { email, ...fields }, email);
      mailed.push(mails.length - before);
    }
    expect(observations.unconfirmed).toEqual(observations.unknown);
    expect(observations.confirmed).toEqual(observations.unknown);
    expect(observations.unknown).toMatchObject({
      statusCode: 200,
      hashes: [path === '/signup' ? 1 : 0, 0],
      wrote: true,
    });
    expect(mailed).toEqual(sent);
  });

  test('a pending change of address is not revealed by the requests of a stranger', async () => {
    const email = await states.confirmed();
    const unknown = await observed('/resend', { type: 'email_change', email: newEmail() }, email);
    const link = linkIn((await post('/otp', { email }), newest(mails, email)));
    const opened = await app.inject({ url: link.slice(url.length) });
    const token = new URLSearchParams(new URL(opened.headers.location ?? '').hash.slice(1)).get(
      'access_token',
    );
    const to = newEmail();
    const changed = await app.inject({
      method: 'PUT',
      url: '/auth/v1/user',
      headers: { ...headers, authorization: `Bearer ${token}` },
      payload: { email: to },
    });
    expect(changed.statusCode).toBe(200);
    const before = mails.length;
    expect(await observed('/resend', { type: 'email_change', email }, email)).toEqual(unknown);
    expect(
      mails
        .slice(before)
        .map((mail) => mail.to)
        .sort(),
    ).toEqual([email, to].sort());
  });

  test('what a sign-up is answered is what the new account holds', async () => {
    const email = newEmail();
    const data = { full_name: 'Ada', ranks: { b: 1, a: [2, null] } };
    const answered = (await post('/signup', { email, password, data })).json();
    const { users } = (
      await app.inject({
        url: `/auth/v1/admin/users?filter=${encodeURIComponent(email)}`,
        headers: { apikey: 'sb_secret_test', authorization: 'Bearer sb_secret_test' },
      })
    ).json();
    // Stamped when the link is made, some milliseconds later.
    expect(users).toEqual([{ ...answered, confirmation_sent_at: expect.any(String) }]);
  });

  test('a second sign-up of an address gets another id and makes no account', async () => {
    for (const state of everyState) {
      const email = await states[state]();
      const ids = [];
      for (let time = 0; time < 2; time += 1)
        ids.push((await post('/signup', { email, password })).json().id);
      expect(new Set(ids).size).toBe(2);
    }
  });

  test('a sign-up for an existing account mails its owner a sign-in link', async () => {
    const email = await states.confirmed();
    await post('/signup?redirect_to=' + encodeURIComponent(`${url}/dataset-selector`), {
      email,
      password: 'another',
    });
    const mail = newest(mails, email);
    expect(mail?.subject).toBe('You already have an account at Cellfolio');
    const opened = await app.inject({ url: linkIn(mail).slice(url.length) });
    const target = new URL(opened.headers.location ?? '');
    expect(target.pathname).toBe('/dataset-selector');
    const fragment = new URLSearchParams(target.hash.slice(1));
    const user = await app.inject({
      url: '/auth/v1/user',
      headers: { ...headers, authorization: `Bearer ${fragment.get('access_token')}` },
    });
    expect(user.json().email).toBe(email);
    const signIn = async (enteredPassword: string) =>
      (await post('/token?grant_type=password', { email, password: enteredPassword })).statusCode;
    expect([await signIn('another'), await signIn(password)]).toEqual([400, 200]);
  });

  test('the code of that mail fits the page that waits for one, and the mail is sent again on request', async () => {
    const email = await states.confirmed();
    await post('/signup', { email, password: 'another' });
    aheadMs += 61_000;
    const before = mails.length;
    await post('/resend', { type: 'signup', email });
    expect(mails.slice(before).map(({ to, subject }) => [to, subject])).toEqual([
      [email, 'You already have an account at Cellfolio'],
    ]);
    const token = codeIn(newest(mails, email));
    const verified = await post('/verify', { type: 'signup', email, token });
    expect(verified.json()).toMatchObject({ access_token: expect.any(String), user: { email } });
  });

  test('no address gets more than one mail of sign-ups in a minute, confirmed or not', async () => {
    for (const state of everyState) {
      const email = await states[state]();
      const before = mails.length;
      for (let time = 0; time < 3; time += 1) await post('/signup', { email, password });
      expect(mails.slice(before).map(({ to }) => to)).toEqual([email]);
      aheadMs += 61_000;
      await post('/signup', { email, password });
      expect(mails.length - before).toBe(2);
    }
  });

  test('the limit of mails in an hour counts and refuses every address alike, and makes no account', async () => {
    const emails = [await states.confirmed(), await states.unconfirmed(), newEmail()];
    for (const email of emails) {
      const limited = await build({ autoConfirm: false, rateLimits: { mailsPerHour: 1 } });
      const statuses = [];
      for (let time = 0; time < 2; time += 1) {
        statuses.push((await post('/signup', { email, password }, limited)).statusCode);
      }
      expect(statuses).toEqual([200, 429]);
      const other = newEmail();
      expect((await post('/signup', { email: other, password }, limited)).statusCode).toBe(429);
      const { rowCount } = await counted.database.pool.query('select from auth.users where email = $1', [
        other,
      ]);
      expect(rowCount).toBe(0);
    }
  });

  test('is not revealed by the limit of mails to one address', async () => {
    const limited = await build({ rateLimits: { sendIntervalSeconds: 60 } });
    const email = await states.confirmed();
    const answers = [];
    const waits = [];
    for (const address of [email, newEmail()]) {
      for (let time = 0; time < 2; time += 1) {
        const answer = await post('/recover', { email: address }, limited);
        answers.push([answer.statusCode, answer.json().code]);
        waits.push(answer.headers['retry-after']);
      }
    }
    const refused = [429, 'over_email_send_rate_limit'];
    expect(answers).toEqual([[200, undefined], refused, [200, undefined], refused]);
    const seconds = expect.stringMatching(/^[1-9]\d*$/);
    expect(waits).toEqual([undefined, seconds, undefined, seconds]);
  });
});

describe('where numbers are confirmed by message', () => {
  const phones = {
    unknown: async () => newPhone(),
    unconfirmed: async () => {
      const phone = newPhone();
      await post('/signup', { phone, password, data: { full_name: 'Ada of the first sign-up' } });
      return phone;
    },
    confirmed: async () => {
      const phone = newPhone();
      await post('/signup', { phone, password });
      await post('/verify', { type: 'sms', phone, token: codeIn(newest(messages, phone)) });
      return phone;
    },
  } as const satisfies Record<State, () => Promise<string>>;

  test.each([
    ['/signup', { password: 'of a stranger', data: { lab: 'Curie' } }, [1, 1, 1]],
    ['/otp', {}, [1, 1, 1]],
    ['/otp', { create_user: false }, [0, 1, 1]],
    ['/resend', { type: 'sms' }, [0, 1, 0]],
  ])('POST %s with %o does not reveal who has an account, by answer or work', async (path, fields, sent) => {
    const observations: Partial<Record<State, unknown>> = {};
    const sentTo: number[] = [];
    for (const state of everyState) {
      const phone = await phones[state]();
      const before = messages.length;
      observations[state] = await observed(path, { phone, ...fields }, phone);
      sentTo.push(messages.length - before);
    }
    expect(observations.unconfirmed).toEqual(observations.unknown);
    expect(observations.confirmed).toEqual(observations.unknown);
    expect(observations.unknown).toMatchObject({
      statusCode: 200,
      hashes: [path === '/signup' ? 1 : 0, 0],
      wrote: true,
    });
    expect(sentTo).toEqual(sent);
  });

  test('what a sign-up is answered is what the new account holds', async () => {
    const phone = newPhone();
    const answered = (await post('/signup', { phone, password, data: { full_name: 'Ada' } })).json();
    const { users } = (
      await app.inject({
        url: `/auth/v1/admin/users?filter=${phone}`,
        headers: { apikey: 'sb_secret_test', authorization: 'Bearer sb_secret_test' },
      })
    ).json();
    expect(users).toEqual([answered]);
  });

  test('the owner of a number signs in with the code that a second sign-up sent', async () => {
    const phone = await phones.confirmed();
    await post('/signup', { phone, password: 'another' });
    const verified = await post('/verify', { type: 'sms', phone, token: codeIn(newest(messages, phone)) });
    expect(verified.json()).toMatchObject({ access_token: expect.any(String), user: { phone } });
  });
});

describe('a way in without a password, for an address that may get no account', () => {
  test.each([
    [{ signUpEnabled: true, autoConfirm: true }, 422, 'otp_disabled'],
    [{ signUpEnabled: false, autoConfirm: true }, 200, undefined],
    [{ signUpEnabled: false, autoConfirm: false }, 200, undefined],
  ])('with %o is answered %i, revealing no more than sign-up', async (settings, status, code) => {
    const by = await build(settings);
    const before = mails.length;
    const answer = await post('/otp', { email: newEmail(), create_user: false }, by);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    expect(mails).toHaveLength(before);
  });
});
