import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientsOn, clientVersions } from './clients.ts';
import { databases } from './databases.ts';
import { openedForTests } from './opened-for-tests.ts';
import { type PlatformServer, startPlatform } from './platform-server.ts';

const password = 'correct horse';

describe.each(databases)('on the $name database', ({ name, open }) => {
  const opened = openedForTests(open);

  describe.each(clientsOn(name, clientVersions))('supabase-js $version', ({ version, make }) => {
    const messages: { to: string; text: string }[] = [];
    let server: PlatformServer;
    let phoneless: PlatformServer;
    beforeAll(async () => {
      const sms = { send: async (message: { to: string; text: string }) => void messages.push(message) };
      server = await startPlatform(opened.database, { phoneEnabled: true }, { sms });
      phoneless = await startPlatform(opened.database, { totpEnabled: false });
    });
    afterAll(async () => {
      await server?.close();
      await phoneless?.close();
    });

    const client = (to = server) => make(to.url, to.keys.publishableKey);
    let people = 0;
    const signedUp = async (to = server) => {
      const email = `s${(people += 1)}.${to === server ? 'a' : 'b'}.${version}@example.org`;
      const mine = client(to);
      const { data, error } = await mine.auth.signUp({ email, password });
      if (error || !data.session || !data.user) throw error ?? new Error('no session');
      return { email, client: mine, session: data.session, user: data.user };
    };
    const signedInAgain = async (email: string) => {
      const mine = client();
      const { data, error } = await mine.auth.signInWithPassword({ email, password });
      if (error) throw error;
      return { client: mine, session: data.session };
    };
    /** The next code of the authenticator app, as each is accepted once. */
    const codeOf = (secret: string) => {
      server.clock.advance(30);
      return new TOTP({ secret }).generate({ timestamp: server.clock.now() });
    };
    const enrol = async (mine: Client, friendlyName?: string) => {
      const { data, error } = await mine.auth.mfa.enroll({
        factorType: 'totp',
        ...(friendlyName !== undefined && { friendlyName }),
      });
      if (error) throw error;
      return { factorId: data.id, secret: data.totp.secret, totp: data.totp };
    };
    const take = async (mine: Client, { factorId, secret }: { factorId: string; secret: string }) => {
      const { data, error } = await mine.auth.mfa.challenge({ factorId });
      if (error) throw error;
      return mine.auth.mfa.verify({ factorId, challengeId: data.id, code: codeOf(secret) });
    };
    const withSecondStep = async () => {
      const one = await signedUp();
      const factor = await enrol(one.client);
      const { error } = await take(one.client, factor);
      if (error) throw error;
      return { ...one, factor };
    };

    test('an authenticator app is set up by its first code and raises the session', async () => {
      const { client: mine, session, email } = await signedUp();
      const events: string[] = [];
      mine.auth.onAuthStateChange((event) => void events.push(event));
      const factor = await enrol(mine, 'my phone');
      expect(factor.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/);
      expect(factor.totp.uri).toBe(
        `otpauth://totp/Cellfolio:${encodeURIComponent(email)}?issuer=Cellfolio&secret=${factor.secret}&algorithm=SHA1&digits=6&period=30`,
      );
      const before = await mine.auth.mfa.listFactors();
      expect(before.data).toMatchObject({
        totp: [],
        all: [{ friendly_name: 'my phone', status: 'unverified' }],
      });
      const { data, error } = await take(mine, factor);
      expect(error).toBeNull();
      expect(data?.refresh_token).not.toBe(session.refresh_token);
      const { data: level } = await mine.auth.mfa.getAuthenticatorAssuranceLevel();
      expect(level).toMatchObject({
        currentLevel: 'aal2',
        nextLevel: 'aal2',
        currentAuthenticationMethods: [{ method: 'totp' }, { method: 'password' }],
      });
      const after = await mine.auth.mfa.listFactors();
      expect(after.data?.totp).toMatchObject([{ id: factor.factorId, status: 'verified' }]);
      expect(events).toContain('MFA_CHALLENGE_VERIFIED');
      // The refresh token from before the second step is invalid.
      const old = await client().auth.refreshSession({ refresh_token: session.refresh_token });
      expect(old.error).toMatchObject({ status: 400, code: 'refresh_token_already_used' });
      expect((await mine.auth.refreshSession()).data.session).not.toBeNull();
      expect((await mine.auth.getClaims()).data?.claims.aal).toBe('aal2');
    });

    test('verifying a factor ends sessions without it, and unfinished enrolments', async () => {
      const { email, client: mine } = await signedUp();
      const other = await signedInAgain(email);
      await enrol(mine, 'left behind');
      await take(mine, await enrol(mine, 'used'));
      expect((await other.client.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
      expect((await mine.auth.mfa.listFactors()).data?.all).toMatchObject([{ friendly_name: 'used' }]);
    });

    test('a password alone gives aal1, which cannot change factors', async () => {
      const { email, factor } = await withSecondStep();
      const { client: mine } = await signedInAgain(email);
      const { data: level } = await mine.auth.mfa.getAuthenticatorAssuranceLevel();
      expect(level).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
      expect((await mine.auth.updateUser({ password: 'a thief' })).error).toMatchObject({
        status: 401,
        code: 'insufficient_aal',
      });
      expect((await mine.auth.updateUser({ email: `thief.${email}` })).error?.code).toBe('insufficient_aal');
      expect((await mine.auth.updateUser({ data: { lab: 'B2' } })).error).toBeNull();
      expect((await mine.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'thief' })).error).toMatchObject(
        {
          status: 403,
          code: 'insufficient_aal',
        },
      );
      const { factorId } = factor;
      expect((await mine.auth.mfa.unenroll({ factorId })).error).toMatchObject({
        status: 422,
        code: 'insufficient_aal',
      });
      expect((await take(mine, factor)).error).toBeNull();
      expect((await mine.auth.updateUser({ password: 'another horse' })).error).toBeNull();
    });

    test('a password alone reads and writes no rows, and ends no session but its own', async () => {
      const { email, client: mine, user } = await withSecondStep();
      const row = { user_id: user.id, subset_name: 'mine' };
      expect((await mine.from('subset_metadata').insert(row as never)).error).toBeNull();
      const { client: thief, session } = await signedInAgain(email);
      const refusal = { code: 'insufficient_aal', message: expect.stringContaining('second sign-in step') };
      const rows = () => thief.from('subset_metadata');
      for (const answer of [
        await rows().select(),
        await rows().insert({ ...row, subset_name: 'theirs' } as never),
        await rows().delete().eq('user_id', user.id),
        await thief.rpc('list_api_keys'),
      ]) {
        expect(answer).toMatchObject({ status: 403, data: null, error: refusal });
      }
      expect((await mine.from('subset_metadata').select('subset_name')).data).toEqual([
        { subset_name: 'mine' },
      ]);
      const logout = async (scope: string) => {
        const answer = await fetch(`${server.url}/auth/v1/logout?scope=${scope}`, {
          method: 'POST',
          headers: {
            apikey: server.keys.publishableKey,
            authorization: `Bearer ${session.access_token}`,
          },
        });
        return [answer.status, ((await answer.json()) as { error_code: unknown }).error_code];
      };
      expect(await logout('others')).toEqual([403, 'insufficient_aal']);
      expect((await thief.auth.getUser()).error).toBeNull();
      expect(await logout('global')).toEqual([403, 'insufficient_aal']);
      expect((await thief.auth.getUser()).error).not.toBeNull();
      expect((await mine.auth.getUser()).error).toBeNull();
    });

    test('wrong, used and expired codes are refused', async () => {
      const { client: mine, factor } = await withSecondStep();
      const { factorId, secret } = factor;
      const challenge = async () => (await mine.auth.mfa.challenge({ factorId })).data?.id ?? '';
      const code = codeOf(secret);
      const wrong = code === '000000' ? '000001' : '000000';
      const verify = async (typedCode: string) =>
        (await mine.auth.mfa.verify({ factorId, challengeId: await challenge(), code: typedCode })).error;
      const refusal = { status: 422, code: 'mfa_verification_failed' };
      expect(await verify(wrong)).toMatchObject(refusal);
      expect(await verify('12345')).toMatchObject(refusal);
      expect(await verify(code)).toBeNull();
      // A code that was observed cannot be reused.
      expect(await verify(code)).toMatchObject(refusal);
      const old = codeOf(secret);
      server.clock.advance(90);
      expect(await verify(old)).toMatchObject(refusal);
    });

    test('a code is accepted once, also with concurrent requests', async () => {
      const { client: mine, factor } = await withSecondStep();
      const { factorId, secret } = factor;
      const challenges = [];
      for (let time = 0; time < 5; time += 1) challenges.push(await mine.auth.mfa.challenge({ factorId }));
      const { data } = await mine.auth.getSession();
      const code = codeOf(secret);
      const statuses = await Promise.all(
        challenges.map(async ({ data: challenge }) => {
          const answer = await fetch(`${server.url}/auth/v1/factors/${factorId}/verify`, {
            method: 'POST',
            headers: {
              apikey: server.keys.publishableKey,
              authorization: `Bearer ${data.session?.access_token}`,
              'content-type': 'application/json',
            },
            body: JSON.stringify({ challenge_id: challenge?.id, code }),
          });
          return answer.status;
        }),
      );
      expect(statuses.toSorted()).toEqual([200, 422, 422, 422, 422]);
    });

    test('a challenge expires after five minutes, works once and belongs to its factor', async () => {
      const { client: mine, factor } = await withSecondStep();
      const { factorId, secret } = factor;
      const { data: late } = await mine.auth.mfa.challenge({ factorId });
      expect(late?.type).toBe('totp');
      server.clock.advance(301);
      expect(
        (await mine.auth.mfa.verify({ factorId, challengeId: late?.id ?? '', code: codeOf(secret) })).error,
      ).toMatchObject({ status: 422, code: 'mfa_challenge_expired' });
      const { data: good } = await mine.auth.mfa.challenge({ factorId });
      const challengeId = good?.id ?? '';
      expect((await mine.auth.mfa.verify({ factorId, challengeId, code: codeOf(secret) })).error).toBeNull();
      for (const id of [challengeId, 'nothing', "' or 1=1 --"]) {
        expect(
          (await mine.auth.mfa.verify({ factorId, challengeId: id, code: codeOf(secret) })).error,
        ).toMatchObject({ status: 422, code: 'mfa_factor_not_found' });
      }
      const { data: empty } = await mine.auth.mfa.challenge({ factorId });
      expect(
        (await mine.auth.mfa.verify({ factorId, challengeId: empty?.id ?? '', code: '' })).error,
      ).toMatchObject({ status: 400, code: 'validation_failed' });
    });

    test('users cannot access factors of others', async () => {
      const { factor } = await withSecondStep();
      const { client: stranger } = await signedUp();
      const { factorId } = factor;
      const refusal = { status: 404, code: 'mfa_factor_not_found' };
      expect((await stranger.auth.mfa.challenge({ factorId })).error).toMatchObject(refusal);
      expect(
        (await stranger.auth.mfa.verify({ factorId, challengeId: factorId, code: codeOf(factor.secret) }))
          .error,
      ).toMatchObject(refusal);
      expect((await stranger.auth.mfa.unenroll({ factorId })).error).toMatchObject(refusal);
    });

    test('names of factors are unique, and there are at most ten', async () => {
      const { client: mine } = await signedUp();
      await enrol(mine);
      expect((await mine.auth.mfa.enroll({ factorType: 'totp' })).error).toMatchObject({
        status: 422,
        code: 'mfa_factor_name_conflict',
      });
      for (let at = 1; at < 10; at += 1) await enrol(mine, `factor ${at}`);
      const eleventh = () => mine.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'one more' });
      expect((await eleventh()).error).toMatchObject({ status: 422, code: 'too_many_enrolled_mfa_factors' });
      // Unfinished enrolments expire.
      server.clock.advance(301);
      expect((await eleventh()).error).toBeNull();
    });

    test('removing the factor lowers the level of its sessions', async () => {
      const { client: mine, factor } = await withSecondStep();
      const { factorId } = factor;
      const { data, error } = await mine.auth.mfa.unenroll({ factorId });
      expect(error).toBeNull();
      expect(data?.id).toBe(factorId);
      await mine.auth.refreshSession();
      const { data: level } = await mine.auth.mfa.getAuthenticatorAssuranceLevel();
      expect(level).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
      expect((await mine.auth.updateUser({ password: 'another horse' })).error).toBeNull();
    });

    test('a phone gets the code of the second step as a text message', async () => {
      const { client: mine } = await signedUp();
      const phone = `+4915${String(100_000_000 + people)}`;
      const { data: enrolled, error } = await mine.auth.mfa.enroll({ factorType: 'phone', phone });
      expect(error).toBeNull();
      const factorId = enrolled?.id ?? '';
      const { data } = await mine.auth.mfa.challenge({ factorId, channel: 'sms' });
      const message = messages.findLast(({ to }) => to === phone.slice(1));
      const code = /\d{6}/.exec(message?.text ?? '')?.[0] ?? '';
      const challengeId = data?.id ?? '';
      const wrong = code === '000000' ? '000001' : '000000';
      expect((await mine.auth.mfa.verify({ factorId, challengeId, code: wrong })).error?.code).toBe(
        'mfa_verification_failed',
      );
      expect((await mine.auth.mfa.verify({ factorId, challengeId, code })).error).toBeNull();
      expect((await mine.auth.getClaims()).data?.claims).toMatchObject({
        aal: 'aal2',
        amr: [{ method: 'mfa/phone' }, { method: 'password' }],
      });
      const twice = await mine.auth.mfa.enroll({ factorType: 'phone', phone, friendlyName: 'again' });
      expect(twice.error).toMatchObject({ status: 422, code: 'mfa_verified_factor_exists' });
    });

    test('disabled features have their own error', async () => {
      const { client: mine } = await signedUp(phoneless);
      expect((await mine.auth.mfa.enroll({ factorType: 'totp' })).error).toMatchObject({
        status: 422,
        code: 'mfa_totp_enroll_not_enabled',
      });
      expect((await mine.auth.mfa.enroll({ factorType: 'phone', phone: '+49151' })).error).toMatchObject({
        status: 422,
        code: 'mfa_phone_enroll_not_enabled',
      });
      const codes = await fetch(`${phoneless.url}/auth/v1/factors/recovery-codes`, {
        headers: { apikey: phoneless.keys.publishableKey, 'x-supabase-api-version': '2024-01-01' },
      });
      expect([codes.status, await codes.json()]).toMatchObject([404, { code: 'feature_disabled' }]);
    });

    test('users sign up, sign in and change their number with codes in text messages', async () => {
      people += 1;
      const phone = `4917${String(100_000_000 + people + (version === '2.109.0' ? 5_000 : 0))}`;
      const mine = client();
      const codeTo = (number: string) =>
        /\d{6}/.exec(messages.findLast(({ to }) => to === number)?.text ?? '')?.[0] ?? '';
      const { data, error } = await mine.auth.signUp({ phone: `+${phone}`, password });
      expect(error).toBeNull();
      expect(data).toMatchObject({ session: null, user: { phone } });
      expect((await mine.auth.signInWithPassword({ phone, password })).error?.code).toBe(
        'phone_not_confirmed',
      );
      const verified = await mine.auth.verifyOtp({ phone, token: codeTo(phone), type: 'sms' });
      expect(verified.data.user).toMatchObject({ phone, phone_confirmed_at: expect.any(String) });
      expect((await client().auth.signInWithPassword({ phone, password })).error).toBeNull();
      const next = `${phone.slice(0, -1)}9`;
      expect((await mine.auth.updateUser({ phone: next })).data.user).toMatchObject({
        phone,
        new_phone: next,
      });
      const changed = await mine.auth.verifyOtp({ phone: next, token: codeTo(next), type: 'phone_change' });
      expect(changed.data.user?.phone).toBe(next);
      expect((await client().auth.signInWithOtp({ phone: next })).error).toBeNull();
      const again = await client().auth.verifyOtp({ phone: next, token: codeTo(next), type: 'sms' });
      expect(again.data.user?.id).toBe(data.user?.id);
      expect((await client().auth.signInWithOtp({ phone: '12' })).error?.code).toBe('validation_failed');
    });
  });
});
