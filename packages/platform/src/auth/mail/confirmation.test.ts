import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Mail } from './mailer.ts';
import { headers, password, testPlatforms, url } from '../../test-platforms.ts';

const { build, newEmail, database } = testPlatforms();

describe('confirmation by mail', () => {
  let mails: Mail[];
  let app: FastifyInstance;
  let aheadMs: number;
  beforeEach(async () => {
    mails = [];
    aheadMs = 0;
    app = await build({
      mailer: { send: async (mail) => void mails.push(mail) },
      settings: { autoConfirm: false },
      now: () => Date.now() + aheadMs,
    });
  });

  const ask = async (email: string, redirect = `${url}/dataset-selector`) =>
    (
      await app.inject({
        method: 'POST',
        url: `/auth/v1/signup?redirect_to=${encodeURIComponent(redirect)}`,
        headers,
        payload: { email, password },
      })
    ).json();
  const signIn = (email: string) =>
    app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      headers,
      payload: { email, password },
    });
  const linkOf = (mail: Mail | undefined) => /http\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  const open = async (link: string) => {
    const answer = await app.inject({ url: link.slice(url.length) });
    const target = new URL(answer.headers.location ?? '');
    return { status: answer.statusCode, target, fragment: new URLSearchParams(target.hash.slice(1)) };
  };

  test('the account has no session until its link is opened, which works once', async () => {
    const email = newEmail();
    const account = await ask(email);
    expect(account).toMatchObject({
      email,
      id: expect.any(String),
      confirmation_sent_at: expect.any(String),
    });
    expect(account).not.toHaveProperty('access_token');
    expect((await signIn(email)).json().code).toBe('email_not_confirmed');
    expect(mails.map(({ to }) => to)).toEqual([email]);

    // A mail scanner's request must not use up the link.
    await app.inject({ method: 'HEAD', url: linkOf(mails[0]).slice(url.length) });
    const opened = await open(linkOf(mails[0]));
    expect(opened.status).toBe(303);
    expect(opened.target.pathname).toBe('/dataset-selector');
    expect(opened.fragment.get('type')).toBe('signup');
    const user = await app.inject({
      url: '/auth/v1/user',
      headers: { ...headers, authorization: `Bearer ${opened.fragment.get('access_token')}` },
    });
    expect(user.json()).toMatchObject({ email, email_confirmed_at: expect.any(String) });
    expect((await signIn(email)).statusCode).toBe(200);

    const again = await open(linkOf(mails[0]));
    expect(again.fragment.get('error_code')).toBe('otp_expired');
    expect(again.fragment.has('access_token')).toBe(false);
  });

  test('an expired, forged or redirected link gives no session', async () => {
    const email = newEmail();
    await ask(email, 'https://evil.example/steal');
    const link = linkOf(mails[0]);
    expect(link).not.toContain('evil');
    const changed = await open(link.replace(/redirect_to=[^&]*/, 'redirect_to=https%3A%2F%2Fevil.example'));
    expect(changed.target.origin).toBe(url);

    const late = newEmail();
    await ask(late);
    aheadMs = 3_601_000;
    expect((await open(linkOf(mails[1]))).fragment.get('error_code')).toBe('otp_expired');
    expect((await open(`${url}/auth/v1/verify?token=abc&type=signup`)).fragment.get('error_code')).toBe(
      'otp_expired',
    );
    expect((await open(`${url}/auth/v1/verify`)).fragment.get('error_code')).toBe('otp_expired');
  });

  test('the database holds no link that works', async () => {
    const email = newEmail();
    await ask(email);
    const token = new URL(linkOf(mails[0])).searchParams.get('token');
    const { rows } = await database().pool.query(
      'select row_to_json(t)::text as row from auth.one_time_tokens t',
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toContain(token);
  });

  test('a request for a taken address looks like one for a new address', async () => {
    const email = newEmail();
    await ask(email);
    await open(linkOf(mails[0]));
    const strangers = await ask(email);
    const fresh = await ask(newEmail());
    expect(strangers).toMatchObject({ email, identities: [{ provider: 'email', email }] });
    expect(strangers.id).not.toBe((await signIn(email)).json().user.id);
    expect(Object.keys(strangers)).toEqual(Object.keys(fresh));
    expect(mails).toHaveLength(2);
  });

  test('a repeated request mails again after a minute and keeps the first password', async () => {
    const email = newEmail();
    await ask(email);
    const again = () =>
      app.inject({
        method: 'POST',
        url: '/auth/v1/signup',
        headers,
        payload: { email, password: 'of a stranger' },
      });
    await again();
    expect(mails).toHaveLength(1);
    aheadMs = 61_000;
    await again();
    expect(mails).toHaveLength(2);
    expect((await open(linkOf(mails[0]))).fragment.get('error_code')).toBe('otp_expired');
    await open(linkOf(mails[1]));
    expect((await signIn(email)).statusCode).toBe(200);
  });
});
