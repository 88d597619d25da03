import { createHash } from 'node:crypto';
import { createUser, SigningKeys } from '@cellfolio/platform';
import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientsOn, clientVersions } from './clients.ts';
import { databases } from './databases.ts';
import { openedForTests } from './opened-for-tests.ts';
import { type PlatformServer, startPlatform } from './platform-server.ts';

const password = 'correct horse';

describe.each(databases)('on the $name database', ({ name, open }) => {
  const opened = openedForTests(open);

  describe.each(clientsOn(name, clientVersions))('supabase-js $version', ({ version, make }) => {
    let server: PlatformServer;
    beforeAll(async () => {
      server = await startPlatform(opened.database, { refreshLockSeconds: 0.5 });
    });
    afterAll(() => server?.close());

    const client = () => make(server.url, server.keys.publishableKey);
    let people = 0;
    const newEmail = () => `p${(people += 1)}.${version}@example.org`;
    const signedUp = async () => {
      const email = newEmail();
      const mine = client();
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
    /** A refresh without the client, which would share requests. */
    const refreshRaw = async (refresh_token: string) => {
      const answer = await fetch(`${server.url}/auth/v1/token?grant_type=refresh_token`, {
        method: 'POST',
        headers: {
          apikey: server.keys.publishableKey,
          'content-type': 'application/json',
          'x-supabase-api-version': '2024-01-01',
        },
        body: JSON.stringify({ refresh_token }),
      });
      const cookieHeader = (name: string) => answer.headers.get(`sb-auth-refresh-token-${name}`);
      return { status: answer.status, body: (await answer.json()) as Record<string, string>, cookieHeader };
    };

    test('signing up gives a session and the user, with the address in lower case', async () => {
      const email = newEmail();
      const events: string[] = [];
      const mine = client();
      mine.auth.onAuthStateChange((event) => void events.push(event));
      const { data, error } = await mine.auth.signUp({
        email: email.toUpperCase(),
        password,
        options: { data: { name: 'Ada' }, emailRedirectTo: `${server.url}/dataset-selector` },
      });
      expect(error).toBeNull();
      expect(data.user).toMatchObject({
        email,
        role: 'authenticated',
        aud: 'authenticated',
        phone: '',
        app_metadata: { provider: 'email', providers: ['email'] },
        user_metadata: { name: 'Ada', email },
        is_anonymous: false,
      });
      expect(data.user?.identities).toHaveLength(1);
      expect(data.user?.identities?.[0]).toMatchObject({ provider: 'email', id: data.user?.id });
      expect(data.user).not.toHaveProperty('encrypted_password');
      expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
      expect(events).toContain('SIGNED_IN');
    });

    test.each([
      ['a taken address', () => ({ password }), 422, 'user_already_exists'],
      ['a short password', () => ({ email: newEmail(), password: '12345' }), 422, 'weak_password'],
      ['no password', () => ({ email: newEmail(), password: '' }), 400, 'validation_failed'],
      ['73 bytes', () => ({ email: newEmail(), password: 'a'.repeat(73) }), 400, 'validation_failed'],
      [
        '37 letters of 2 bytes',
        () => ({ email: newEmail(), password: 'é'.repeat(37) }),
        400,
        'validation_failed',
      ],
      ['something not an address', () => ({ email: 'nobody', password }), 400, 'validation_failed'],
      [
        'an over-long address',
        () => ({ email: `${'a'.repeat(250)}@x.org`, password }),
        400,
        'validation_failed',
      ],
    ])('signing up with %s is refused with its own code', async (_case, makeCredentials, status, code) => {
      const existingEmail = (await signedUp()).email;
      const { data, error } = await client().auth.signUp({ email: existingEmail, ...makeCredentials() });
      expect(data.session).toBeNull();
      expect(error).toMatchObject({ status, code });
    });

    test('a weak password is refused with the reasons', async () => {
      const { error } = await client().auth.signUp({ email: newEmail(), password: '12345' });
      expect(error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['length'] });
    });

    test('signing in gives a new session of the same user', async () => {
      const { email, user, session } = await signedUp();
      const { data, error } = await client().auth.signInWithPassword({
        email: ` ${email.toUpperCase()} `,
        password,
      });
      expect(error).toBeNull();
      expect(data.user?.id).toBe(user.id);
      expect(data.session?.refresh_token).not.toBe(session.refresh_token);
      expect(data.user?.last_sign_in_at).toBeDefined();
    });

    test('a wrong password, an unknown address and an empty password are refused alike', async () => {
      const { email } = await signedUp();
      const answers = [];
      for (const credentials of [
        { email, password: 'wrong horse' },
        { email: newEmail(), password },
        { email, password: '' },
        { email, password: password.padEnd(100, 'x') },
      ]) {
        const { error } = await client().auth.signInWithPassword(credentials);
        answers.push({ status: error?.status, code: error?.code, message: error?.message });
      }
      const refusal = { status: 400, code: 'invalid_credentials', message: 'Invalid login credentials' };
      expect(answers).toEqual([refusal, refusal, refusal, refusal]);
    });

    test('the user can be read from the server when signed in', async () => {
      const { client: mine, user } = await signedUp();
      const { data, error } = await mine.auth.getUser();
      expect(error).toBeNull();
      expect(data.user).toEqual(user);
      expect((await client().auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
    });

    test('refreshing gives new tokens in the same session', async () => {
      const { client: mine, session } = await signedUp();
      const events: string[] = [];
      mine.auth.onAuthStateChange((event) => void events.push(event));
      server.clock.advance(1);
      const { data, error } = await mine.auth.refreshSession();
      expect(error).toBeNull();
      expect(data.session?.refresh_token).not.toBe(session.refresh_token);
      expect(data.session?.access_token).not.toBe(session.access_token);
      const claims = await mine.auth.getClaims();
      expect(claims.data?.claims.session_id).toBe(sessionIdOf(session.access_token));
      expect(events).toContain('TOKEN_REFRESHED');
    });

    test('a client that lost a response gets the current token again, at any time', async () => {
      const { session } = await signedUp();
      const first = await refreshRaw(session.refresh_token);
      server.clock.advance(3_000);
      const again = await refreshRaw(session.refresh_token);
      expect(again.status).toBe(200);
      expect(again.body.refresh_token).toBe(first.body.refresh_token);
      expect([
        first.cookieHeader('rotated'),
        first.cookieHeader('counter'),
        first.cookieHeader('reuse'),
      ]).toEqual(['true', '1', null]);
      expect([
        again.cookieHeader('rotated'),
        again.cookieHeader('counter'),
        again.cookieHeader('reuse-cause'),
      ]).toEqual(['false', '1', 'lost-answer']);
    });

    test('an older token is accepted for ten seconds after the last refresh, as from another tab', async () => {
      const { session } = await signedUp();
      const second = await refreshRaw(session.refresh_token);
      const third = await refreshRaw(second.body.refresh_token ?? '');
      server.clock.advance(9);
      const stale = await refreshRaw(session.refresh_token);
      expect(stale.status).toBe(200);
      expect(stale.body.refresh_token).toBe(third.body.refresh_token);
    });

    test('after that an older token counts as stolen and ends its session only', async () => {
      const { email, client: mine, session, user } = await signedUp();
      const other = await signedInAgain(email);
      const second = await refreshRaw(session.refresh_token);
      const third = await refreshRaw(second.body.refresh_token ?? '');
      server.clock.advance(11);
      const stolen = await refreshRaw(session.refresh_token);
      expect(stolen).toMatchObject({ status: 400, body: { code: 'refresh_token_already_used' } });
      expect(await refreshRaw(third.body.refresh_token ?? '')).toMatchObject({
        status: 400,
        body: { code: 'session_not_found' },
      });
      expect((await mine.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
      expect((await other.client.auth.getUser()).data.user?.id).toBe(user.id);
    });

    test('concurrent refreshes get the same token', async () => {
      const { session } = await signedUp();
      const answers = await Promise.all(Array.from({ length: 8 }, () => refreshRaw(session.refresh_token)));
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
      expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
      const rows = await opened.database.pool.query(
        `select refresh_counter::int as counter from auth.sessions where id = $1`,
        [sessionIdOf(session.access_token)],
      );
      expect(rows.rows).toEqual([{ counter: 1 }]);
    });

    test('a refresh that cannot lock its session in time gets Retry-After', async ({ skip }) => {
      // The embedded database has one connection, for which requests wait instead.
      skip(opened.database.kind === 'embedded');
      const { session } = await signedUp();
      const holder = await opened.database.pool.connect();
      try {
        await holder.query('begin');
        await holder.query('select 1 from auth.sessions where id = $1 for update', [
          sessionIdOf(session.access_token),
        ]);
        expect(await refreshRaw(session.refresh_token)).toMatchObject({
          status: 409,
          body: { code: 'conflict' },
        });
      } finally {
        await holder.query('rollback');
        holder.release();
      }
      expect((await refreshRaw(session.refresh_token)).status).toBe(200);
    });

    test('two calls of one client share a refresh', async () => {
      const { client: mine } = await signedUp();
      const [one, two] = await Promise.all([mine.auth.refreshSession(), mine.auth.refreshSession()]);
      expect(one.error ?? two.error).toBeNull();
      expect(one.data.session?.refresh_token).toBe(two.data.session?.refresh_token);
    });

    test.each([
      ['too short', 'abc', 'validation_failed'],
      ['not in the alphabet', 'not a refresh token!', 'validation_failed'],
      ['well formed but not ours', 'A'.repeat(56), 'refresh_token_not_found'],
      ['of the older short kind', 'abcdefghijkl', 'refresh_token_not_found'],
    ])('a refresh token that is %s is refused', async (_case, token, code) => {
      const { error } = await client().auth.refreshSession({ refresh_token: token });
      expect(error).toMatchObject({ status: 400, code });
    });

    test('an altered refresh token is refused', async () => {
      const { session } = await signedUp();
      for (let at = 0; at < session.refresh_token.length; at += 5) {
        const letter = session.refresh_token[at] === 'A' ? 'B' : 'A';
        const forged = session.refresh_token.slice(0, at) + letter + session.refresh_token.slice(at + 1);
        expect((await refreshRaw(forged)).body.code).toBe('refresh_token_not_found');
      }
      expect((await refreshRaw(session.refresh_token)).status).toBe(200);
    });

    test.each(['local', 'global', 'others'] as const)(
      'signing out with scope %s ends the sessions of that scope',
      async (scope) => {
        const { email, client: mine } = await signedUp();
        const other = await signedInAgain(email);
        const bystander = await signedUp();
        const mySession = (await mine.auth.getSession()).data.session;
        expect((await mine.auth.signOut({ scope })).error).toBeNull();
        const myRefresh = (await refreshRaw(mySession?.refresh_token ?? '')).status;
        const otherRefresh = (await refreshRaw(other.session.refresh_token)).status;
        expect({ myRefresh, otherRefresh }).toEqual({
          myRefresh: scope === 'others' ? 200 : 400,
          otherRefresh: scope === 'local' ? 200 : 400,
        });
        const stillMine = (await mine.auth.getSession()).data.session;
        expect(stillMine === null).toBe(scope !== 'others');
        // The access token of an ended session is invalid at once.
        const userResponse = await client().auth.getUser(mySession?.access_token);
        expect(userResponse.error === null).toBe(scope === 'others');
        expect((await bystander.client.auth.getUser()).error).toBeNull();
      },
    );

    test('a new password replaces the old one and ends the other sessions', async () => {
      const { email, client: mine } = await signedUp();
      const other = await signedInAgain(email);
      const { error } = await mine.auth.updateUser({ password: 'another horse' });
      expect(error).toBeNull();
      expect((await mine.auth.getUser()).error).toBeNull();
      expect((await other.client.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
      expect((await refreshRaw(other.session.refresh_token)).body.code).toBe('session_not_found');
      expect((await client().auth.signInWithPassword({ email, password })).error?.code).toBe(
        'invalid_credentials',
      );
      expect((await client().auth.signInWithPassword({ email, password: 'another horse' })).error).toBeNull();
    });

    test.each([
      ['the same password', { password }, 422, 'same_password'],
      ['a short one', { password: '12345' }, 422, 'weak_password'],
      [
        'a wrong current one',
        { password: 'another', current_password: 'no' },
        400,
        'current_password_invalid',
      ],
    ])('changing the password to %s is refused', async (_case, change, status, code) => {
      const { client: mine, email } = await signedUp();
      expect((await mine.auth.updateUser(change)).error).toMatchObject({ status, code });
      expect((await client().auth.signInWithPassword({ email, password })).error).toBeNull();
    });

    test('user data is merged by field, and null removes a field', async () => {
      const { client: mine } = await signedUp();
      await mine.auth.updateUser({ data: { lab: 'Curie', bench: 4 } });
      const { data } = await mine.auth.updateUser({ data: { bench: null, room: 'B2' } });
      expect(data.user?.user_metadata).toMatchObject({ lab: 'Curie', room: 'B2' });
      expect(data.user?.user_metadata).not.toHaveProperty('bench');
    });

    test('an address can be changed, but not to an existing one', async () => {
      const { client: mine } = await signedUp();
      const existing = await signedUp();
      const free = newEmail();
      expect((await mine.auth.updateUser({ email: existing.email })).error).toMatchObject({
        status: 422,
        code: 'email_exists',
      });
      expect((await mine.auth.updateUser({ email: free })).data.user?.email).toBe(free);
      expect((await client().auth.signInWithPassword({ email: free, password })).error).toBeNull();
    });

    test('the client verifies claims with the published keys', async () => {
      const { client: mine, user, email } = await signedUp();
      const requestedPaths: string[] = [];
      const real = globalThis.fetch;
      globalThis.fetch = (input, init) => {
        requestedPaths.push(new URL(input instanceof Request ? input.url : input).pathname);
        return real(input, init);
      };
      try {
        const { data, error } = await mine.auth.getClaims();
        expect(error).toBeNull();
        expect(data?.header).toMatchObject({ alg: 'ES256', typ: 'JWT' });
        expect(data?.claims).toMatchObject({
          iss: server.issuer,
          sub: user.id,
          aud: 'authenticated',
          role: 'authenticated',
          email,
          phone: '',
          aal: 'aal1',
          is_anonymous: false,
        });
        expect(data?.claims.amr).toMatchObject([{ method: 'password' }]);
        // A fallback to the server would request the user.
        expect(requestedPaths).not.toContain('/auth/v1/user');
      } finally {
        globalThis.fetch = real;
      }
    });

    test('kens from before a key rotation stay valid, and new ones are signed with the new key', async () => {
      const before = await signedUp();
      const keys = new SigningKeys(opened.database, server.clock.now);
      const kid = await keys.rotate(3600);
      server.clock.advance(120);
      const after = await signedUp();
      expect(headerOf(after.session.access_token).kid).toBe(kid);
      expect(headerOf(before.session.access_token).kid).not.toBe(kid);
      for (const one of [before, after]) {
        expect((await one.client.auth.getUser()).error).toBeNull();
        expect((await client().auth.getClaims(one.session.access_token)).error).toBeNull();
      }
    });

    test('an expired token is refused', async () => {
      const { session } = await signedUp();
      server.clock.advance(3_601);
      expect((await client().auth.getUser(session.access_token)).error).toMatchObject({
        status: 403,
        code: 'bad_jwt',
      });
    });

    test('a tampered token is refused by the server and by the client', async () => {
      const { session } = await signedUp();
      const [header = '', body = '', signature = ''] = session.access_token.split('.');
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
      const forgedBody = Buffer.from(JSON.stringify({ ...claims, role: 'service_role' })).toString(
        'base64url',
      );
      const forged = `${header}.${forgedBody}.${signature}`;
      expect((await client().auth.getUser(forged)).error).toMatchObject({ status: 403, code: 'bad_jwt' });
      expect((await client().auth.getClaims(forged)).error).toMatchObject({
        message: 'Invalid JWT signature',
      });
    });

    test('a token of another issuer, with another key or without one is refused', async () => {
      const { session } = await signedUp();
      const claims = claimsOf(session.access_token);
      const { kid } = headerOf(session.access_token);
      const ours = (await new SigningKeys(opened.database).current()).key;
      const theirs = (await generateKeyPair('ES256')).privateKey;
      const sign = (
        body: object,
        header: { alg: string; kid?: string },
        key: Parameters<SignJWT['sign']>[0],
      ) => new SignJWT({ ...body }).setProtectedHeader(header).sign(key);
      const current = (await new SigningKeys(opened.database).current()).kid;
      const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${session.access_token.split('.')[1]}.`;
      const forgeries = {
        'another issuer': await sign(
          { ...claims, iss: 'https://elsewhere.org/auth/v1' },
          { alg: 'ES256', kid: current },
          ours,
        ),
        'another audience': await sign({ ...claims, aud: 'other' }, { alg: 'ES256', kid: current }, ours),
        'another key under our id': await sign(claims, { alg: 'ES256', kid: kid ?? '' }, theirs),
        'an unknown key id': await sign(claims, { alg: 'ES256', kid: 'unknown' }, theirs),
        'no key id': await sign(claims, { alg: 'ES256' }, ours),
        'a shared secret': await sign(
          claims,
          { alg: 'HS256', kid: current },
          createHash('sha256').update('x').digest(),
        ),
        'no signature': unsigned,
      };
      const answers: Record<string, string | undefined> = {};
      for (const [what, token] of Object.entries(forgeries)) {
        answers[what] = (await client().auth.getUser(token)).error?.code;
      }
      expect(answers).toEqual({
        ...Object.fromEntries(Object.keys(forgeries).map((what) => [what, 'bad_jwt'])),
        'another audience': 'validation_failed',
      });
    });

    test('a wrong API key is refused before the password is checked', async () => {
      const { email } = await signedUp();
      const { data, error } = await make(server.url, 'sb_publishable_wrong').auth.signInWithPassword({
        email,
        password,
      });
      expect(data.session).toBeNull();
      expect(error).toMatchObject({ status: 401, message: 'Invalid API key' });
    });

    test('an account created by the operator can sign in; an unconfirmed one gets its error only with the right password', async () => {
      const [confirmed, unconfirmed] = [newEmail(), newEmail()];
      await createUser(opened.database, { email: confirmed, password, confirmed: true });
      await createUser(opened.database, { email: unconfirmed, password, confirmed: false });
      expect((await client().auth.signInWithPassword({ email: confirmed, password })).error).toBeNull();
      expect((await client().auth.signInWithPassword({ email: unconfirmed, password })).error?.code).toBe(
        'email_not_confirmed',
      );
      expect(
        (await client().auth.signInWithPassword({ email: unconfirmed, password: 'wrong' })).error?.code,
      ).toBe('invalid_credentials');
    });

    test('unavailable features have an error code that the client knows', async () => {
      const { error } = await client().auth.resetPasswordForEmail(newEmail());
      expect(error).toMatchObject({ status: 404, code: 'feature_disabled' });
      const { error: storage } = await client().storage.from('user-files').list();
      expect(storage?.message).toMatch(/not available/);
    });
  });
});

function part(token: string, at: number): Record<string, string> {
  return JSON.parse(Buffer.from(token.split('.')[at] ?? '', 'base64url').toString()) as Record<
    string,
    string
  >;
}
const headerOf = (token: string) => part(token, 0);
const claimsOf = (token: string) => part(token, 1);
const sessionIdOf = (token: string) => claimsOf(token).session_id;
