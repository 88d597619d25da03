import fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { platformPlugin } from '../platform-plugin.ts';
import { createUser } from './create-user.ts';
import type { Mail } from './mail/mailer.ts';
import { headers, password, publishableKey, secretKey, testPlatforms, url } from '../test-platforms.ts';

const { build, newEmail, signUp, database } = testPlatforms();

describe('settings', () => {
  const signUpAnswer = async (app: FastifyInstance, more: InjectOptions = {}) =>
    app.inject({
      method: 'POST',
      url: '/auth/v1/signup',
      headers,
      payload: { email: newEmail(), password },
      ...more,
    });

  test('disabled sign-up refuses new accounts and admits existing ones', async () => {
    const { email } = await signUp(await build());
    const app = await build({ settings: { signUpEnabled: false } });
    expect((await signUpAnswer(app)).json()).toMatchObject({ code: 'signup_disabled' });
    const answer = await app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      headers,
      payload: { email, password },
    });
    expect(answer.statusCode).toBe(200);
    expect((await app.inject({ url: '/auth/v1/settings', headers })).json().disable_signup).toBe(true);
  });

  test('a required current password is requested and checked', async () => {
    const app = await build({ settings: { requireCurrentPassword: true } });
    const { access_token } = await signUp(app);
    const change = (payload: object) =>
      app.inject({
        method: 'PUT',
        url: '/auth/v1/user',
        headers: { ...headers, authorization: `Bearer ${access_token}` },
        payload,
      });
    expect((await change({ password: 'another' })).json().code).toBe('current_password_required');
    expect((await change({ password: 'another', current_password: 'no' })).json().code).toBe(
      'current_password_invalid',
    );
    expect((await change({ password: 'another', current_password: password })).statusCode).toBe(200);
  });

  test('past the limit, sign-up answers 429 with the seconds to wait', async () => {
    const app = await build({ settings: { rateLimits: { signUp: 2 } } });
    await signUpAnswer(app);
    await signUpAnswer(app);
    const answer = await signUpAnswer(app);
    expect([answer.statusCode, answer.json().code]).toEqual([429, 'over_request_rate_limit']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('password guessing locks that account, even with the right password, but no other', async () => {
    const app = await build({ settings: { rateLimits: { passwordFailures: 3 } } });
    const [ada, grace] = [await signUp(app), await signUp(app)];
    const signIn = async (email: string, enteredPassword: string) =>
      (
        await app.inject({
          method: 'POST',
          url: '/auth/v1/token?grant_type=password',
          headers,
          payload: { email, password: enteredPassword },
        })
      ).statusCode;
    const guesses = [];
    for (const guess of ['one', 'two', 'three', 'four', password])
      guesses.push(await signIn(ada.email, guess));
    expect(guesses).toEqual([400, 400, 400, 429, 429]);
    expect(await signIn(grace.email, password)).toBe(200);
    // Addresses without an account are limited too, or the limit would reveal who has one.
    const stranger = newEmail();
    const probes = [];
    for (let time = 0; time < 4; time += 1) probes.push(await signIn(stranger, 'guess'));
    expect(probes).toEqual([400, 400, 400, 429]);
  });

  test.each([
    [false, [200, 429]],
    [true, [200, 200]],
  ])('with a trusted proxy %s, two forwarded addresses get %o', async (trustProxy, statuses) => {
    const app = fastify({ trustProxy: true });
    await app.register(platformPlugin, {
      database: database(),
      siteUrl: url,
      publicUrl: url,
      publishableKey,
      secretKey,
      settings: { trustProxy, rateLimits: { signUp: 1 } },
    });
    const answers = [];
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      answers.push(
        (await signUpAnswer(app, { headers: { ...headers, 'x-forwarded-for': address } })).statusCode,
      );
    }
    expect(answers).toEqual(statuses);
  });

  test('an account left unconfirmed is had by its password only, once accounts confirm themselves', async () => {
    const email = newEmail();
    await createUser(database(), { email, password, confirmed: false });
    const app = await build();
    const claim = async (enteredPassword: string) =>
      (await signUpAnswer(app, { payload: { email, password: enteredPassword } })).json();
    expect(await claim('of a stranger')).toMatchObject({ code: 'user_already_exists' });
    expect(await claim(password)).toMatchObject({ access_token: expect.any(String), user: { email } });
    expect(await claim(password)).toMatchObject({ code: 'user_already_exists' });
  });

  test('phone numbers without an SMS sender fail at startup, unless auto-confirmed', async () => {
    await expect(build({ settings: { phoneEnabled: true } })).rejects.toThrow(/without an SmsSender/);
    const app = await build({ settings: { phoneEnabled: true, phoneAutoConfirm: true } });
    const phone = '4915112340001';
    const answer = await signUpAnswer(app, { payload: { phone: `+${phone}`, password } });
    expect(answer.json()).toMatchObject({
      access_token: expect.any(String),
      user: { phone, phone_confirmed_at: expect.any(String), app_metadata: { provider: 'phone' } },
    });
    const again = await signUpAnswer(app, { payload: { phone, password } });
    expect([again.statusCode, again.json().code]).toEqual([422, 'user_already_exists']);
    const otp = await app.inject({ method: 'POST', url: '/auth/v1/otp', headers, payload: { phone } });
    expect([otp.statusCode, otp.json().code]).toEqual([422, 'phone_provider_disabled']);
    expect((await app.inject({ url: '/auth/v1/settings', headers })).json()).toMatchObject({
      external: { phone: true },
      phone_autoconfirm: true,
    });
  });

  test('with a mailbox to confirm alone, a new address needs the new one only', async () => {
    const mails: Mail[] = [];
    const app = await build({
      mailer: { send: async (mail) => void mails.push(mail) },
      settings: { autoConfirm: false, secureEmailChange: false, requireCurrentPassword: true },
    });
    const { email, ...made } = await signUp(await build());
    const authorization = `Bearer ${made.access_token}`;
    const next = newEmail();
    await app.inject({
      method: 'PUT',
      url: '/auth/v1/user',
      headers: { ...headers, authorization },
      payload: { email: next },
    });
    expect(mails.map(({ to }) => to)).toEqual([next]);
    const token = /code: (\d{6})/.exec(mails[0]?.text ?? '')?.[1];
    const answer = await app.inject({
      method: 'POST',
      url: '/auth/v1/verify',
      headers,
      payload: { type: 'email_change', email: next, token },
    });
    expect(answer.json()).toMatchObject({ user: { email: next } });
    // A user signed in by mail may have forgotten the password that others must give.
    const change = (bearer: string) =>
      app.inject({
        method: 'PUT',
        url: '/auth/v1/user',
        headers: { ...headers, authorization: bearer },
        payload: { password: 'another horse' },
      });
    expect((await change(authorization)).json().code).toBe('current_password_required');
    expect((await change(`Bearer ${answer.json().access_token}`)).statusCode).toBe(200);
    expect(email).not.toBe(next);
  });

  test.each(['/recover', '/otp', '/resend', '/magiclink'])(
    'without a mailer POST %s says so',
    async (path) => {
      const answer = await (
        await build()
      ).inject({
        method: 'POST',
        url: `/auth/v1${path}`,
        headers,
        payload: { email: newEmail(), type: 'signup' },
      });
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'feature_disabled']);
    },
  );

  test('confirmation without a mailer fails at startup', async () => {
    await expect(build({ settings: { autoConfirm: false } })).rejects.toThrow(/without a mailer/);
  });
});
