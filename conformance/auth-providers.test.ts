import type { Database } from '@cellfolio/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, TestIdentityProvider } from './auth-identity-provider.ts';
import { Mailboxes, openLink } from './mailboxes.ts';
import { type Client, clientsOn, clientVersions } from './clients.ts';
import { databases } from './databases.ts';
import { type PlatformServer, startPlatform } from './platform-server.ts';

const password = 'correct horse';

describe.each(databases)('on the $name database', ({ name, open }) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let database: Database;
  const provider = new TestIdentityProvider();
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
    await provider.start();
  });
  afterAll(async () => {
    await provider.close();
    await opened?.close();
  });

  describe.each(clientsOn(name, clientVersions))('supabase-js $version', ({ version, make }) => {
    const boxes = new Mailboxes();
    let server: PlatformServer;
    let closed: PlatformServer;
    beforeAll(async () => {
      const { clientId, clientSecret, url } = provider;
      const credentials = { clientId, clientSecret };
      const providers = [
        { kind: 'oidc' as const, name: 'institute', label: 'The Institute', issuer: url, ...credentials },
        { kind: 'github' as const, siteUrl: url, apiUrl: `${url}/api`, ...credentials },
        { kind: 'oidc' as const, name: 'nowhere', issuer: 'http://127.0.0.1:9', ...credentials },
      ];
      server = await startPlatform(database, { autoConfirm: false, providers }, { mailer: boxes });
      closed = await startPlatform(database, {
        providers: providers.slice(0, 1),
        signUpEnabled: false,
        manualLinking: false,
      });
    });
    afterAll(async () => {
      await server?.close();
      await closed?.close();
    });

    const client = (flowType: 'implicit' | 'pkce' = 'pkce') =>
      make(server.url, server.keys.publishableKey, { flowType });
    let people = 0;
    const newEmail = () => `o${(people += 1)}.${version}@example.org`;
    const newPerson = (more: Partial<Person> = {}): Person => ({
      subject: String((people += 1) * 1_000 + Number(version.split('.')[1])),
      email: newEmail(),
      emailVerified: true,
      name: 'Ada Lovelace',
      ...more,
    });
    const confirmed = async (email = newEmail()) => {
      const mine = client();
      await mine.auth.signUp({ email, password });
      const { data } = await mine.auth.verifyOtp({ email, token: boxes.code(email), type: 'signup' });
      if (!data.user) throw new Error('no user');
      return { client: mine, user: data.user, email };
    };
    const travel = async (start: string, { cookies = true } = {}) => {
      const left = await openLink(start);
      const there = await openLink(left.target.href);
      return openLink(there.target.href, cookies ? { cookie: left.cookie } : {});
    };
    const addressOf = async (mine: Client, name = 'institute', more: { scopes?: string } = {}) => {
      const { data, error } = await mine.auth.signInWithOAuth({
        provider: name as 'github',
        options: { redirectTo: `${server.url}/dataset-selector`, skipBrowserRedirect: true, ...more },
      });
      if (error || !data.url) throw error ?? new Error('no address');
      return data.url;
    };
    const signIn = async (person: Person, name = 'institute') => {
      provider.person = person;
      const mine = client();
      const back = await travel(await addressOf(mine, name));
      const code = back.query.get('code');
      if (code === null) return { client: mine, back, code: back.query.get('error_code') };
      const { data, error } = await mine.auth.exchangeCodeForSession(code);
      if (error) throw error;
      return { client: mine, back, session: data.session, user: data.user };
    };

    const tokenOf = (iss: string) =>
      ['{"alg":"none"}', JSON.stringify({ iss }), 'x']
        .map((part) => Buffer.from(part).toString('base64url'))
        .join('.');
    test.each([
      ['google', 'x', 'provider_disabled', 'Provider (issuer "https://accounts.google.com") is not enabled'],
      [
        'apple',
        tokenOf('https://appleid.apple.com'),
        'provider_disabled',
        'Provider (issuer "https://appleid.apple.com") is not enabled',
      ],
      ['azure', 'x', 'validation_failed', 'Unable to detect issuer in ID token for Azure provider'],
      [
        'azure',
        tokenOf('https://example.org'),
        'validation_failed',
        'Detected ID token issuer is not an Azure ID token issuer',
      ],
      ['custom:lab', 'x', 'validation_failed', 'Custom OAuth providers are disabled'],
      ['institute', 'x', 'validation_failed', 'Custom OIDC provider "institute" not allowed'],
      ['google', '', 'validation_failed', 'id_token required'],
    ])('an ID token of %s (%s) is refused as %s', async (name, token, code, message) => {
      const { data, error } = await client().auth.signInWithIdToken({ provider: name, token });
      expect(error).toMatchObject({ status: 400, code, message });
      expect(data.session).toBeNull();
    });

    test('signing in with an OpenID Connect provider creates an account and a session', async () => {
      const person = newPerson({ email: `Mixed.${newEmail()}` });
      const { back, user, session, client: mine } = await signIn(person);
      expect([back.status, back.target.pathname]).toEqual([302, '/dataset-selector']);
      expect(user).toMatchObject({
        email: person.email?.toLowerCase(),
        email_confirmed_at: expect.any(String),
        app_metadata: { provider: 'institute', providers: ['institute'] },
        user_metadata: { full_name: 'Ada Lovelace', email_verified: true },
      });
      expect(user?.identities).toMatchObject([{ provider: 'institute', id: person.subject }]);
      expect(session?.provider_token).toMatch(/^at-/);
      expect(session?.provider_refresh_token).toMatch(/^rt-/);
      expect((await mine.auth.getClaims()).data?.claims.amr).toMatchObject([{ method: 'oauth' }]);
      const again = await signIn(person);
      expect(again.user?.id).toBe(user?.id);
    });

    test('the address is requested from the provider if it is not in the token', async () => {
      provider.addressInToken = false;
      try {
        const person = newPerson();
        expect((await signIn(person)).user?.email).toBe(person.email);
      } finally {
        provider.addressInToken = true;
      }
    });

    test('signing in with GitHub uses the account number and the verified address', async () => {
      const person = newPerson();
      const { user } = await signIn(person, 'github');
      expect(user).toMatchObject({ email: person.email, app_metadata: { provider: 'github' } });
      expect(user?.identities).toMatchObject([
        { provider: 'github', id: person.subject, identity_data: { user_name: `login-${person.subject}` } },
      ]);
    });

    test('a client without a challenge gets the session in the fragment', async () => {
      provider.person = newPerson();
      const mine = client('implicit');
      const { fragment, query } = await travel(await addressOf(mine));
      expect(query.has('code')).toBe(false);
      expect(fragment.get('provider_token')).toMatch(/^at-/);
      const { data, error } = await mine.auth.setSession({
        access_token: fragment.get('access_token') ?? '',
        refresh_token: fragment.get('refresh_token') ?? '',
      });
      expect(error).toBeNull();
      expect(data.user?.email).toBe(provider.person.email);
    });

    test('a sign-in started in another browser is refused without a PKCE challenge', async () => {
      provider.person = newPerson();
      const { query, fragment } = await travel(await addressOf(client('implicit')), { cookies: false });
      expect(query.get('error_code')).toBe('bad_oauth_state');
      expect(fragment.has('access_token')).toBe(false);
    });

    test('a state is valid once, for fifteen minutes, and only if we issued it', async () => {
      provider.person = newPerson();
      const left = await openLink(await addressOf(client()));
      const there = await openLink(left.target.href);
      const callback = there.target.href;
      expect((await openLink(callback)).query.has('code')).toBe(true);
      const again = await openLink(callback);
      expect([again.status, again.query.get('error_code')]).toEqual([303, 'bad_oauth_state']);
      expect(again.target.origin).toBe(server.url);
      const forged = new URL(callback);
      forged.searchParams.set('state', 'invented');
      expect((await openLink(forged.href)).query.get('error_code')).toBe('bad_oauth_state');
      const late = await openLink(await addressOf(client()));
      const lateThere = await openLink(late.target.href);
      server.clock.advance(16 * 60);
      expect((await openLink(lateThere.target.href)).query.get('error_code')).toBe('bad_oauth_state');
    });

    test('a page may add query parameters, except those of the protocol', async () => {
      provider.person = newPerson();
      const url = new URL(await addressOf(client(), 'institute', { scopes: 'groups' }));
      const reserved = {
        redirect_uri: 'https://evil.example',
        client_id: 'theirs',
        state: 'theirs',
        prompt: 'login',
      };
      for (const [name, value] of Object.entries(reserved)) url.searchParams.set(name, value);
      const { query } = await openLink(url.href);
      expect(query.get('redirect_uri')).toBe(`${server.url}/auth/v1/callback`);
      expect(query.get('client_id')).toBe(provider.clientId);
      expect(query.get('state')).not.toBe('theirs');
      expect(query.get('prompt')).toBe('login');
      expect(query.get('scope')).toBe('openid email profile groups');
      expect(query.get('nonce')).not.toBeNull();
    });

    test.each([
      ['another nonce', { nonce: 'replayed' }],
      ['another audience', { aud: 'another-client' }],
      ['another issuer', { iss: 'https://evil.example' }],
    ])('an ID token with %s is refused', async (_case, lie) => {
      provider.wrongClaims = lie;
      try {
        expect((await signIn(newPerson())).code).toBe('bad_oauth_callback');
      } finally {
        provider.wrongClaims = {};
      }
    });

    test('cancelling leads back with an error', async () => {
      provider.person = undefined;
      const { query, target } = await travel(await addressOf(client()));
      expect(target.pathname).toBe('/dataset-selector');
      expect([query.get('error'), query.get('error_code')]).toEqual(['access_denied', 'bad_oauth_callback']);
      // With the label of the button, not the name in the settings.
      expect(query.get('error_description')).toBe('Signing in with The Institute was canceled.');
    });

    test('an unknown provider is refused, and an unavailable one leads back with the reason', async () => {
      const unknown = await fetch(await addressOf(client(), 'gitlab'), { redirect: 'manual' });
      expect([unknown.status, await unknown.json()]).toMatchObject([
        400,
        { error_code: 'validation_failed' },
      ]);
      const { query } = await openLink(await addressOf(client(), 'nowhere'));
      expect([query.get('error'), query.get('error_code')]).toEqual(['server_error', 'unexpected_failure']);
    });

    test('a verified address of a provider is linked to the account that has confirmed it', async () => {
      const { user, email } = await confirmed();
      const joined = await signIn(newPerson({ email }));
      expect(joined.user?.id).toBe(user.id);
      expect(joined.user?.app_metadata.providers).toEqual(['email', 'institute']);
      expect((await client().auth.signInWithPassword({ email, password })).error).toBeNull();
    });

    test('an unverified address of a provider is neither linked nor creates an account', async () => {
      const { email } = await confirmed();
      expect((await signIn(newPerson({ email, emailVerified: false }))).code).toBe(
        'provider_email_needs_verification',
      );
      expect((await signIn(newPerson({ emailVerified: false }), 'github')).code).toBe(
        'provider_email_needs_verification',
      );
      const { email: _none, ...silent } = newPerson();
      expect((await signIn(silent)).code).toBe('provider_email_needs_verification');
    });

    test('an unconfirmed account goes to the user who verifies the address, without the password of its creator', async () => {
      const email = newEmail();
      await client().auth.signUp({ email, password: 'of a squatter' });
      const stale = boxes.link(email);
      const { user } = await signIn(newPerson({ email }));
      expect(user?.identities?.map((identity) => identity.provider)).toEqual(['institute']);
      expect((await client().auth.signInWithPassword({ email, password: 'of a squatter' })).error?.code).toBe(
        'invalid_credentials',
      );
      expect((await openLink(stale)).fragment.get('error_code')).toBe('otp_expired');
    });

    test('an auto-confirmed account is not linked by its address alone', async () => {
      const email = newEmail();
      // A server without mail creates it like this, without proof of the address.
      const lax = await startPlatform(database);
      try {
        await make(lax.url, lax.keys.publishableKey).auth.signUp({ email, password });
      } finally {
        await lax.close();
      }
      const person = newPerson({ email });
      expect((await signIn(person)).code).toBe('email_exists');
      // Its owner links the provider; from then on both work.
      const mine = client();
      const { data: owner } = await mine.auth.signInWithPassword({ email, password });
      const { data } = await mine.auth.linkIdentity({
        provider: 'institute' as 'github',
        options: { skipBrowserRedirect: true },
      });
      provider.person = person;
      const there = await openLink(data?.url ?? '');
      const code = (await openLink(there.target.href)).query.get('code') ?? '';
      expect((await mine.auth.exchangeCodeForSession(code)).error).toBeNull();
      expect((await signIn(person)).user?.id).toBe(owner.user?.id);
    });

    test('twenty identities can be linked, and another one when one is unlinked', async () => {
      const { client: mine, user } = await confirmed();
      await database.pool.query(
        `insert into auth.identities (user_id, provider, provider_id)
         select $1::uuid, 'github', $1::uuid || n::text from generate_series(1, 19) n`,
        [user.id],
      );
      provider.person = newPerson();
      const link = async () => {
        const { data } = await mine.auth.linkIdentity({
          provider: 'github',
          options: { skipBrowserRedirect: true },
        });
        const there = await openLink(data?.url ?? '');
        const code = (await openLink(there.target.href)).query.get('code') ?? '';
        return (await mine.auth.exchangeCodeForSession(code)).error;
      };
      expect(await link()).toMatchObject({
        status: 422,
        message: 'At most 20 external accounts can be connected. Disconnect one that you no longer use.',
      });
      await database.pool.query('delete from auth.identities where provider_id = $1', [`${user.id}1`]);
      expect(await link()).toBeNull();
    });

    test('a provider can be linked and unlinked', async () => {
      const { client: mine, user, email } = await confirmed();
      const person = newPerson();
      provider.person = person;
      const { data, error } = await mine.auth.linkIdentity({
        provider: 'github',
        options: { redirectTo: `${server.url}/account`, skipBrowserRedirect: true },
      });
      expect(error).toBeNull();
      const there = await openLink(data?.url ?? '');
      const back = await openLink(there.target.href);
      expect(back.target.pathname).toBe('/account');
      expect((await mine.auth.exchangeCodeForSession(back.query.get('code') ?? '')).data.user?.id).toBe(
        user.id,
      );
      const { data: linked } = await mine.auth.getUserIdentities();
      expect(linked?.identities.map((identity) => identity.provider)).toEqual(['email', 'github']);
      const github = linked?.identities.find((identity) => identity.provider === 'github');
      if (!github) throw new Error('not linked');
      expect((await mine.auth.unlinkIdentity(github)).error).toBeNull();
      expect((await mine.auth.getUser()).data.user?.app_metadata.providers).toEqual(['email']);
      const only = linked?.identities.find((identity) => identity.provider === 'email');
      expect((await mine.auth.unlinkIdentity(only ?? github)).error).toMatchObject({
        status: 422,
        code: 'single_identity_not_deletable',
      });
      expect((await mine.auth.unlinkIdentity(github)).error).toMatchObject({
        status: 422,
        code: 'identity_not_found',
      });
      expect((await client().auth.signInWithPassword({ email, password })).error).toBeNull();
    });

    test('following the link of an attacker to a provider gives the attacker nothing', async () => {
      const { client: thief, user } = await confirmed();
      const { data } = await thief.auth.linkIdentity({
        provider: 'institute' as 'github',
        options: { skipBrowserRedirect: true },
      });
      // The victim has an account at the provider and follows the link.
      const victim = newPerson();
      provider.person = victim;
      const there = await openLink(data?.url ?? '');
      await openLink(there.target.href);
      expect((await thief.auth.getUserIdentities()).data?.identities).toHaveLength(1);
      expect((await signIn(victim)).user?.id).not.toBe(user.id);
      // The same without a challenge: the victim's browser lacks the attacker's cookie.
      const { email } = await confirmed();
      const plain = client('implicit');
      await plain.auth.signInWithPassword({ email, password });
      const { data: bare } = await plain.auth.linkIdentity({
        provider: 'github',
        options: { skipBrowserRedirect: true },
      });
      const away = await openLink(bare?.url ?? '');
      const back = await openLink(away.target.href);
      expect(back.query.get('error_code')).toBe('bad_oauth_state');
      expect(back.fragment.has('access_token')).toBe(false);
    });

    test('an identity belongs to one account', async () => {
      const person = newPerson();
      await signIn(person);
      const { client: mine } = await confirmed();
      provider.person = person;
      const { data } = await mine.auth.linkIdentity({
        provider: 'institute' as 'github',
        options: { skipBrowserRedirect: true },
      });
      const there = await openLink(data?.url ?? '');
      const back = await openLink(there.target.href);
      expect(back.query.get('error_code')).toBe('identity_already_exists');
    });

    test('without its password identity an account keeps the provider, and the password no longer works', async () => {
      const { email } = await confirmed();
      const { client: mine, user } = await signIn(newPerson({ email }));
      const own = user?.identities?.find((identity) => identity.provider === 'email');
      if (!own) throw new Error('not joined');
      expect((await mine.auth.unlinkIdentity(own)).error).toBeNull();
      expect((await client().auth.signInWithPassword({ email, password })).error?.code).toBe(
        'invalid_credentials',
      );
    });

    test('removing two identities concurrently leaves one', async () => {
      const { email } = await confirmed();
      const { client: mine, user } = await signIn(newPerson({ email }));
      const answers = await Promise.all(
        (user?.identities ?? []).map((identity) => mine.auth.unlinkIdentity(identity)),
      );
      expect(answers.map(({ error }) => error?.code).toSorted()).toEqual([
        'single_identity_not_deletable',
        undefined,
      ]);
    });

    test('two concurrent first sign-ins create one account', async () => {
      const person = newPerson();
      const ends = await Promise.all([signIn(person), signIn(person), signIn(person)]);
      const ids = ends.flatMap(({ user }) => (user ? [user.id] : []));
      expect(ids.length).toBeGreaterThan(0);
      expect(new Set(ids).size).toBe(1);
      for (const { code } of ends) expect([undefined, 'conflict']).toContain(code);
      expect((await signIn(person)).user?.id).toBe(ids[0]);
    });

    test('with sign-up disabled providers create no accounts, and linking can be disabled', async () => {
      const mine = make(closed.url, closed.keys.publishableKey, { flowType: 'pkce' });
      const person = newPerson();
      provider.person = person;
      const { data } = await mine.auth.signInWithOAuth({
        provider: 'institute' as 'github',
        options: { skipBrowserRedirect: true },
      });
      const left = await openLink(data.url ?? '');
      const there = await openLink(left.target.href);
      expect((await openLink(there.target.href)).query.get('error_code')).toBe('signup_disabled');
      const { email } = await confirmed();
      const { data: owner } = await mine.auth.signInWithPassword({ email, password });
      const refusal = { status: 404, code: 'manual_linking_disabled' };
      const link = await mine.auth.linkIdentity({ provider: 'institute' as 'github' });
      expect(link.error).toMatchObject(refusal);
      const own = owner.user?.identities?.[0];
      if (!own) throw new Error('no identity');
      expect((await mine.auth.unlinkIdentity(own)).error).toMatchObject(refusal);
    });

    test('a banned account cannot sign in with its provider either', async () => {
      const person = newPerson();
      const { user } = await signIn(person);
      await database.pool.query(
        `update auth.users set banned_until = now() + interval '10 years' where id = $1`,
        [user?.id],
      );
      expect((await signIn(person)).code).toBe('user_banned');
    });

    test('a provider may respond by POST', async () => {
      provider.person = newPerson();
      const mine = client();
      const left = await openLink(await addressOf(mine));
      const there = await openLink(left.target.href);
      const posted = await fetch(`${server.url}/auth/v1/callback`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: there.target.searchParams.toString(),
      });
      expect(posted.status).toBe(303);
      const back = await openLink(posted.headers.get('location') ?? '');
      const { data } = await mine.auth.exchangeCodeForSession(back.query.get('code') ?? '');
      expect(data.user?.email).toBe(provider.person.email);
    });

    test('the settings list the providers', async () => {
      const answer = await fetch(`${server.url}/auth/v1/settings`, {
        headers: { apikey: server.keys.publishableKey },
      });
      expect(await answer.json()).toMatchObject({
        external: {
          institute: true,
          github: true,
          nowhere: true,
          email: true,
          phone: false,
          anonymous_users: false,
        },
      });
    });
  });
});
