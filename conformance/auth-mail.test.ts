import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Mailboxes, openLink } from './mailboxes.ts';
import { clientsOn, clientVersions } from './clients.ts';
import { databases } from './databases.ts';
import { openedForTests } from './opened-for-tests.ts';
import { type PlatformServer, startPlatform } from './platform-server.ts';

const password = 'correct horse';

describe.each(databases)('on the $name database', ({ name, open }) => {
  const opened = openedForTests(open);

  describe.each(clientsOn(name, clientVersions))('supabase-js $version', ({ version, make }) => {
    const boxes = new Mailboxes();
    let server: PlatformServer;
    beforeAll(async () => {
      server = await startPlatform(
        opened.database,
        {
          autoConfirm: false,
          requireRecentSignIn: true,
          redirectAllowList: ['https://*.cells.example.org/**', 'cellfolio://back'],
        },
        { mailer: boxes },
      );
    });
    afterAll(() => server?.close());

    const client = (flowType: 'implicit' | 'pkce' = 'implicit') =>
      make(server.url, server.keys.publishableKey, { flowType });
    let people = 0;
    const newEmail = () => `m${(people += 1)}.${version}@example.org`;
    const confirmed = async () => {
      const email = newEmail();
      const mine = client();
      const { error } = await mine.auth.signUp({ email, password });
      if (error) throw error;
      const { data, error: refused } = await mine.auth.verifyOtp({
        email,
        token: boxes.code(email),
        type: 'signup',
      });
      if (refused || !data.session || !data.user) throw refused ?? new Error('no session');
      return { email, client: mine, session: data.session, user: data.user };
    };
    const refusedAsExpired = { status: 403, code: 'otp_expired' };

    test('signing up gives no session until the mailed code is entered, which works once', async () => {
      const email = newEmail();
      const mine = client();
      const { data, error } = await mine.auth.signUp({ email, password });
      expect(error).toBeNull();
      expect(data.session).toBeNull();
      expect(data.user).toMatchObject({ email, confirmation_sent_at: expect.any(String) });
      expect(await mine.auth.signInWithPassword({ email, password })).toMatchObject({
        error: { code: 'email_not_confirmed' },
      });
      const token = boxes.code(email);
      const verified = await mine.auth.verifyOtp({ email, token, type: 'signup' });
      expect(verified.data.user).toMatchObject({ email, email_confirmed_at: expect.any(String) });
      expect(verified.data.session).not.toBeNull();
      expect((await mine.auth.getUser()).data.user?.email).toBe(email);
      const again = await client().auth.verifyOtp({ email, token, type: 'signup' });
      expect(again.error).toMatchObject(refusedAsExpired);
    });

    test('the mailed link leads back with a session', async () => {
      const email = newEmail();
      await client().auth.signUp({
        email,
        password,
        options: { emailRedirectTo: `${server.url}/dataset-selector` },
      });
      const opened = await openLink(boxes.link(email));
      expect([opened.status, opened.target.pathname]).toEqual([303, '/dataset-selector']);
      expect(opened.fragment.get('type')).toBe('signup');
      const mine = client();
      const { data, error } = await mine.auth.setSession({
        access_token: opened.fragment.get('access_token') ?? '',
        refresh_token: opened.fragment.get('refresh_token') ?? '',
      });
      expect(error).toBeNull();
      expect(data.user?.email).toBe(email);
    });

    test('a client with a PKCE challenge gets a code that only it can exchange, once', async () => {
      const email = newEmail();
      const mine = client('pkce');
      await mine.auth.signUp({ email, password });
      const link = boxes.link(email);
      expect(new URL(link).searchParams.get('token')).toMatch(/^pkce_/);
      const { query, fragment } = await openLink(link);
      expect(fragment.has('access_token')).toBe(false);
      const code = query.get('code') ?? '';
      const stranger = client('pkce');
      await stranger.auth.signUp({ email: newEmail(), password });
      expect((await stranger.auth.exchangeCodeForSession(code)).error).toMatchObject({
        status: 400,
        code: 'bad_code_verifier',
      });
      const { data, error } = await mine.auth.exchangeCodeForSession(code);
      expect(error).toBeNull();
      expect(data.user?.email).toBe(email);
      expect((await mine.auth.getClaims()).data?.claims.amr).toMatchObject([{ method: 'email/signup' }]);
      await mine.auth.resetPasswordForEmail(email);
      expect((await mine.auth.exchangeCodeForSession(code)).error).toMatchObject({
        status: 404,
        code: 'flow_state_not_found',
      });
    });

    test('an exchange code expires after five minutes', async () => {
      const email = newEmail();
      const mine = client('pkce');
      await mine.auth.signUp({ email, password });
      const { query } = await openLink(boxes.link(email));
      server.clock.advance(301);
      expect((await mine.auth.exchangeCodeForSession(query.get('code') ?? '')).error).toMatchObject({
        status: 422,
        code: 'flow_state_expired',
      });
    });

    test('the response for an existing address is that of a new one, and its owner gets a mail', async () => {
      const { email, user } = await confirmed();
      server.clock.advance(61);
      const { data, error } = await client().auth.signUp({ email, password: 'of a stranger' });
      expect(error).toBeNull();
      expect(data.session).toBeNull();
      expect(data.user).toMatchObject({ email, identities: [{ provider: 'email' }] });
      expect(data.user?.id).not.toBe(user.id);
      const fresh = await client().auth.signUp({ email: newEmail(), password: 'of a stranger' });
      expect(Object.keys(data.user ?? {})).toEqual(Object.keys(fresh.data.user ?? {}));

      expect(boxes.sentTo(email).at(-1)?.subject).toContain('already have an account');
      const mine = client();
      const token = boxes.code(email);
      expect((await mine.auth.verifyOtp({ email, token, type: 'signup' })).data.user?.id).toBe(user.id);
      expect((await client().auth.signInWithPassword({ email, password })).error).toBeNull();
    });

    test('a forgotten password is replaced through the mailbox', async () => {
      const { email, client: other } = await confirmed();
      const mine = client();
      expect((await mine.auth.resetPasswordForEmail(email)).error).toBeNull();
      const token = boxes.code(email);
      const { data, error } = await mine.auth.verifyOtp({ email, token, type: 'recovery' });
      expect(error).toBeNull();
      expect(data.user?.recovery_sent_at).toBeDefined();
      expect((await mine.auth.updateUser({ password: 'a new horse' })).error).toBeNull();
      expect((await other.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
      expect((await client().auth.signInWithPassword({ email, password })).error?.code).toBe(
        'invalid_credentials',
      );
      expect((await client().auth.signInWithPassword({ email, password: 'a new horse' })).error).toBeNull();
    });

    test('a client with a PKCE challenge recognises a recovery', async () => {
      const { email } = await confirmed();
      const mine = client('pkce');
      await mine.auth.resetPasswordForEmail(email, { redirectTo: `${server.url}/reset` });
      const { query, target } = await openLink(boxes.link(email));
      expect(target.pathname).toBe('/reset');
      const { data, error } = await mine.auth.exchangeCodeForSession(query.get('code') ?? '');
      expect(error).toBeNull();
      expect(data).toMatchObject({ redirectType: 'recovery' });
      expect((await mine.auth.getClaims()).data?.claims.amr).toMatchObject([{ method: 'recovery' }]);
    });

    test('a mail to an unknown address gets the same response and is not sent', async () => {
      const stranger = newEmail();
      expect((await client().auth.resetPasswordForEmail(stranger)).error).toBeNull();
      expect((await client().auth.resend({ type: 'signup', email: stranger })).error).toBeNull();
      expect((await client().auth.resend({ type: 'email_change', email: stranger })).error).toBeNull();
      expect(boxes.sentTo(stranger)).toHaveLength(0);
    });

    test('a confirmation can be mailed again, which invalidates the previous one', async () => {
      const email = newEmail();
      const mine = client();
      await mine.auth.signUp({ email, password });
      const first = boxes.link(email);
      server.clock.advance(61);
      expect((await mine.auth.resend({ type: 'signup', email })).error).toBeNull();
      expect(boxes.sentTo(email)).toHaveLength(2);
      expect((await openLink(first)).fragment.get('error_code')).toBe('otp_expired');
      const second = boxes.code(email);
      expect((await mine.auth.verifyOtp({ email, token: second, type: 'signup' })).error).toBeNull();
      // A confirmed account gets no mail.
      await mine.auth.resend({ type: 'signup', email });
      expect(boxes.sentTo(email)).toHaveLength(2);
    });

    test('a mailed code signs in without a password, and creates the account if needed', async () => {
      const email = newEmail();
      const mine = client();
      expect(
        (await mine.auth.signInWithOtp({ email, options: { data: { lab: 'Curie' } } })).error,
      ).toBeNull();
      const first = await mine.auth.verifyOtp({ email, token: boxes.code(email), type: 'email' });
      expect(first.data.user).toMatchObject({ email, user_metadata: { lab: 'Curie' } });
      expect((await client().auth.signInWithOtp({ email })).error).toBeNull();
      const second = await client().auth.verifyOtp({ email, token: boxes.code(email), type: 'email' });
      expect(second.data.user?.id).toBe(first.data.user?.id);
      const stranger = newEmail();
      const options = { shouldCreateUser: false };
      expect((await client().auth.signInWithOtp({ email: stranger, options })).error).toBeNull();
      expect(boxes.sentTo(stranger)).toHaveLength(0);
    });

    test('a page of the app can verify the token of a link', async () => {
      const { email, user } = await confirmed();
      await client().auth.signInWithOtp({ email });
      const token_hash = new URL(boxes.link(email)).searchParams.get('token') ?? '';
      const { data, error } = await client().auth.verifyOtp({ token_hash, type: 'email' });
      expect(error).toBeNull();
      expect(data.user?.id).toBe(user.id);
      expect((await client().auth.verifyOtp({ token_hash, type: 'email' })).error).toMatchObject(
        refusedAsExpired,
      );
    });

    test('a code, a link and an exchange work once, also with concurrent requests', async () => {
      const { email } = await confirmed();
      const times = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 6 }, work));
      await client().auth.signInWithOtp({ email });
      const token = boxes.code(email);
      const codes = await times(() => client().auth.verifyOtp({ email, token, type: 'email' }));
      expect(codes.filter(({ error }) => error === null)).toHaveLength(1);
      await client().auth.signInWithOtp({ email });
      const link = boxes.link(email);
      const opened = await times(() => openLink(link));
      expect(opened.filter(({ fragment }) => fragment.has('access_token'))).toHaveLength(1);
      const mine = client('pkce');
      await mine.auth.signInWithOtp({ email });
      const code = (await openLink(boxes.link(email))).query.get('code') ?? '';
      const exchanged = await times(() => mine.auth.exchangeCodeForSession(code));
      expect(exchanged.filter(({ error }) => error === null)).toHaveLength(1);
    });

    test('concurrent guesses of a code are all counted', async () => {
      const { email } = await confirmed();
      await client().auth.resetPasswordForEmail(email);
      const token = boxes.code(email);
      const wrong = token === '000000' ? '000001' : '000000';
      await Promise.all(
        Array.from({ length: 12 }, () => client().auth.verifyOtp({ email, token: wrong, type: 'recovery' })),
      );
      expect((await client().auth.verifyOtp({ email, token, type: 'recovery' })).error).toMatchObject(
        refusedAsExpired,
      );
    });

    test('wrong, expired and foreign codes and codes of another kind get the same error', async () => {
      const { email } = await confirmed();
      await client().auth.resetPasswordForEmail(email);
      const token = boxes.code(email);
      const wrong = token === '000000' ? '000001' : '000000';
      const answers = [
        await client().auth.verifyOtp({ email, token: wrong, type: 'recovery' }),
        await client().auth.verifyOtp({ email, token, type: 'signup' }),
        await client().auth.verifyOtp({ email: newEmail(), token, type: 'recovery' }),
      ];
      server.clock.advance(3_601);
      answers.push(await client().auth.verifyOtp({ email, token, type: 'recovery' }));
      const refusal = { ...refusedAsExpired, message: 'Token has expired or is invalid' };
      for (const { error } of answers) expect(error).toMatchObject(refusal);
    });

    test('ten wrong codes invalidate the code, but not the link', async () => {
      const { email } = await confirmed();
      await client().auth.resetPasswordForEmail(email);
      const token = boxes.code(email);
      const wrong = token === '000000' ? '000001' : '000000';
      for (let time = 0; time < 10; time += 1) {
        await client().auth.verifyOtp({ email, token: wrong, type: 'recovery' });
      }
      expect((await client().auth.verifyOtp({ email, token, type: 'recovery' })).error).toMatchObject(
        refusedAsExpired,
      );
      expect((await openLink(boxes.link(email))).fragment.has('access_token')).toBe(true);
    });

    test('a new address takes effect when both mailboxes have confirmed it', async () => {
      const { email, client: mine } = await confirmed();
      const next = newEmail();
      const { data, error } = await mine.auth.updateUser({ email: next });
      expect(error).toBeNull();
      expect(data.user).toMatchObject({ email, new_email: next });
      const first = await openLink(boxes.link(next));
      expect(first.fragment.get('message')).toMatch(/other email/);
      expect(first.fragment.has('access_token')).toBe(false);
      expect((await mine.auth.getUser()).data.user?.email).toBe(email);
      const second = await client().auth.verifyOtp({
        email,
        token: boxes.code(email),
        type: 'email_change',
      });
      expect(second.error).toBeNull();
      expect(second.data.user).toMatchObject({ email: next });
      expect(second.data.user).not.toHaveProperty('new_email');
      expect((await client().auth.signInWithPassword({ email: next, password })).error).toBeNull();
      expect((await client().auth.signInWithPassword({ email, password })).error?.code).toBe(
        'invalid_credentials',
      );
    });

    test('one mailbox cannot confirm for both, also not with a second mail', async () => {
      const { email, client: mine } = await confirmed();
      const next = newEmail();
      await mine.auth.updateUser({ email: next });
      await openLink(boxes.link(next));
      await mine.auth.resend({ type: 'email_change', email });
      expect((await openLink(boxes.link(next))).fragment.get('message')).toMatch(/other email/);
      expect((await mine.auth.getUser()).data.user?.email).toBe(email);
    });

    test('an address in use is refused, also if it was taken meanwhile', async () => {
      const existing = await confirmed();
      const { client: mine, email } = await confirmed();
      expect((await mine.auth.updateUser({ email: existing.email })).error).toMatchObject({
        status: 422,
        code: 'email_exists',
      });
      const contested = newEmail();
      await mine.auth.updateUser({ email: contested });
      const faster = client();
      await faster.auth.signInWithOtp({ email: contested });
      await openLink(boxes.sentTo(contested)[0]?.text.match(/^http\S+$/m)?.[0] ?? '');
      const last = await client().auth.verifyOtp({
        email,
        token: boxes.code(email),
        type: 'email_change',
      });
      expect(last.error).toMatchObject({ status: 422, code: 'email_exists' });
    });

    test('changing the password in an old session requires a mailed code', async () => {
      const { client: mine, email, session } = await confirmed();
      server.clock.advance(25 * 3_600);
      await mine.auth.refreshSession({ refresh_token: session.refresh_token });
      const change = (nonce?: string) =>
        mine.auth.updateUser({ password: 'a fresh horse', ...(nonce !== undefined && { nonce }) });
      expect((await change()).error).toMatchObject({ status: 400, code: 'reauthentication_needed' });
      expect((await mine.auth.reauthenticate()).error).toBeNull();
      const nonce = boxes.code(email);
      const wrong = nonce === '000000' ? '000001' : '000000';
      expect((await change(wrong)).error).toMatchObject({
        status: 422,
        code: 'reauthentication_not_valid',
      });
      expect((await change(nonce)).error).toBeNull();
      expect((await client().auth.signInWithPassword({ email, password: 'a fresh horse' })).error).toBeNull();
    });

    test('a new password invalidates earlier mails', async () => {
      const { email, client: mine } = await confirmed();
      await client().auth.resetPasswordForEmail(email);
      const link = boxes.link(email);
      await mine.auth.updateUser({ password: 'another horse' });
      expect((await openLink(link)).fragment.get('error_code')).toBe('otp_expired');
    });

    test('an unconfirmed account belongs to the mailbox, not to the one who created it', async () => {
      const email = newEmail();
      await client().auth.signUp({ email, password: 'of a squatter' });
      await client().auth.signInWithOtp({ email });
      const { data } = await client().auth.verifyOtp({ email, token: boxes.code(email), type: 'email' });
      expect(data.user?.email).toBe(email);
      expect((await client().auth.signInWithPassword({ email, password: 'of a squatter' })).error?.code).toBe(
        'invalid_credentials',
      );
    });

    test.each([
      ['https://evil.example/steal', (site: string) => `${site}/`],
      ['https://lab.cells.example.org/reset?a=b', () => 'https://lab.cells.example.org/reset?a=b'],
      ['https://a.lab.cells.example.org/', (site: string) => `${site}/`],
      ['cellfolio://back', () => 'cellfolio://back'],
      ['javascript:alert(1)', (site: string) => `${site}/`],
    ])('a link with the redirect %s leads to an allowed address', async (redirect, expected) => {
      const { email } = await confirmed();
      await client().auth.resetPasswordForEmail(email, { redirectTo: redirect });
      const { target } = await openLink(boxes.link(email));
      target.hash = '';
      expect(target.href).toBe(expected(server.url));
    });

    test('the database contains neither codes nor tokens', async () => {
      const email = newEmail();
      await client('pkce').auth.signUp({ email, password });
      const token = new URL(boxes.link(email)).searchParams.get('token') ?? '';
      const { rows } = await opened.database.pool.query<{ row: string }>(
        `select row_to_json(t)::text as row from auth.one_time_tokens t where relates_to = $1`,
        [email],
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]?.row).not.toContain(token);
      expect(rows[0]?.row).not.toContain(`"${boxes.code(email)}"`);
    });
  });
});
