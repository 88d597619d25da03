import type { AddressInfo } from 'node:net';

import fastify, { type FastifyInstance } from 'fastify';
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
        { anonymousEnabled: true, autoConfirm: false },
        { mailer: boxes },
      );
    });
    afterAll(() => server?.close());

    const client = () => make(server.url, server.keys.publishableKey);
    const operator = () => make(server.url, server.keys.secretKey).auth.admin;
    let people = 0;
    const newEmail = () => `a${(people += 1)}.${version}@example.org`;
    const addUser = async (more: object = {}) => {
      const email = newEmail();
      const { data, error } = await operator().createUser({ email, password, email_confirm: true, ...more });
      if (error || !data.user) throw error ?? new Error('no user');
      return { email, user: data.user };
    };

    test('an operator adds an account that signs in at once', async () => {
      const { email, user } = await addUser({
        user_metadata: { lab: 'Curie' },
        app_metadata: { plan: 'trial' },
      });
      expect(user).toMatchObject({
        email,
        email_confirmed_at: expect.any(String),
        user_metadata: { lab: 'Curie', email_verified: true },
        app_metadata: { plan: 'trial', provider: 'email' },
      });
      expect((await client().auth.signInWithPassword({ email, password })).error).toBeNull();
      const twice = await operator().createUser({ email, password });
      expect(twice.error).toMatchObject({ status: 422, code: 'email_exists' });
      expect((await operator().createUser({ password })).error).toMatchObject({
        status: 400,
        code: 'validation_failed',
      });
    });

    test('an operator reads, pages through, changes and removes accounts', async () => {
      const { email, user } = await addUser();
      expect((await operator().getUserById(user.id)).data.user?.email).toBe(email);
      await addUser();
      expect((await operator().listUsers({ page: -1 })).error).toMatchObject({ status: 400 });
      expect((await operator().listUsers()).data.users.map((one) => one.email)).toContain(email);
      const { data: page } = await operator().listUsers({ page: 1, perPage: 1 });
      expect(page.users).toHaveLength(1);
      expect(page).toMatchObject({ total: expect.any(Number), nextPage: 2 });
      const next = newEmail();
      const changed = await operator().updateUserById(user.id, {
        email: next,
        email_confirm: true,
        password: 'a new horse',
        user_metadata: { lab: null },
      });
      expect(changed.error).toBeNull();
      expect(changed.data.user).toMatchObject({ email: next });
      expect(
        (await client().auth.signInWithPassword({ email: next, password: 'a new horse' })).error,
      ).toBeNull();
      expect((await operator().deleteUser(user.id)).error).toBeNull();
      expect((await operator().getUserById(user.id)).error).toMatchObject({
        status: 404,
        code: 'user_not_found',
      });
    });

    test('an operator can search accounts by a part of their address or full name', async () => {
      const lab = `lab-${version}`;
      const { email } = await addUser({ user_metadata: { full_name: `Marie_${lab}` } });
      const { email: other } = await addUser();
      const emailsMatching = async (filter: string) => {
        const answer = await fetch(
          `${server.url}/auth/v1/admin/users?per_page=1000&filter=${encodeURIComponent(filter)}`,
          // The key without a token is the operator, too.
          { headers: { apikey: server.keys.secretKey } },
        );
        const { users } = (await answer.json()) as { users: { email: string }[] };
        expect(answer.headers.get('x-total-count')).toBe(String(users.length));
        return users.map((user) => user.email);
      };
      expect(await emailsMatching(email.slice(0, -4).toUpperCase())).toEqual([email]);
      expect(await emailsMatching(`marie_${lab}`)).toEqual([email]);
      // Not a pattern, although it looks like one.
      expect(await emailsMatching(`marie%${lab}`)).toEqual([]);
      expect(await emailsMatching('')).toEqual(expect.arrayContaining([email, other]));
    });

    test('an account can be imported with its id and password hash', async () => {
      const id = crypto.randomUUID();
      const email = newEmail();
      // The hash of the password by another implementation of argon2.
      const passwordHash =
        '$argon2id$v=19$m=64,t=1,p=1$PebUbDSNNE2rrQOVcIi4lg$EgbXQLGwPxzkyjnX5/TNlw/I/bV5RmpvCCdxAFErbOw';
      const added = await operator().createUser({
        id,
        email,
        email_confirm: true,
        password_hash: passwordHash,
      });
      expect(added.error).toBeNull();
      expect(added.data.user?.id).toBe(id);
      expect((await client().auth.signInWithPassword({ email, password })).data.user?.id).toBe(id);
      expect((await operator().createUser({ id, email: newEmail() })).error).toMatchObject({
        status: 422,
        code: 'user_already_exists',
      });
      for (const bad of [
        '$2b$10$abcdefghijklmnopqrstuv',
        '$argon2id$v=19$m=9999999,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA',
      ]) {
        const refused = await operator().createUser({ email: newEmail(), password_hash: bad });
        expect(refused.error).toMatchObject({ status: 400, code: 'validation_failed' });
      }
    });

    test('changes by an operator need no confirmation, and keep the confirmed state', async () => {
      const { user } = await addUser();
      const email = newEmail();
      await operator().updateUserById(user.id, { email });
      expect((await client().auth.signInWithPassword({ email, password })).error).toBeNull();
      await operator().updateUserById(user.id, { email_confirm: false });
      expect((await client().auth.signInWithPassword({ email, password })).error?.code).toBe(
        'email_not_confirmed',
      );
    });

    test('a banned account signs in again once the ban is lifted', async () => {
      const { email, user } = await addUser();
      const signIn = async () => (await client().auth.signInWithPassword({ email, password })).error?.code;
      await operator().updateUserById(user.id, { ban_duration: '1h30m' });
      expect(await signIn()).toBe('user_banned');
      await operator().updateUserById(user.id, { ban_duration: 'none' });
      expect(await signIn()).toBeUndefined();
      expect((await operator().updateUserById(user.id, { ban_duration: 'forever' })).error?.code).toBe(
        'validation_failed',
      );
    });

    test('a soft deletion leaves no personal data and frees the address', async () => {
      const { email, user } = await addUser({ user_metadata: { name: 'Ada Lovelace' } });
      expect((await operator().deleteUser(user.id, true)).error).toBeNull();
      const { rows } = await opened.database.pool.query<{ row: string }>(
        `select row_to_json(u)::text as row from auth.users u where id = $1`,
        [user.id],
      );
      expect(rows[0]?.row).not.toContain(email);
      expect(rows[0]?.row).not.toContain('Lovelace');
      expect((await operator().createUser({ email, password })).error).toBeNull();
    });

    test('only the secret key may manage accounts', async () => {
      const { email } = await addUser();
      const mine = client();
      const { data } = await mine.auth.signInWithPassword({ email, password });
      const answers: unknown[] = [];
      for (const headers of [
        { apikey: server.keys.publishableKey },
        { apikey: server.keys.publishableKey, authorization: `Bearer ${server.keys.publishableKey}` },
        { apikey: server.keys.publishableKey, authorization: `Bearer ${data.session?.access_token}` },
        { apikey: server.keys.secretKey, authorization: `Bearer ${data.session?.access_token}` },
        { apikey: server.keys.publishableKey, authorization: `Bearer ${server.keys.secretKey}` },
      ]) {
        for (const [method, path] of [
          ['GET', '/admin/users'],
          ['POST', '/admin/users'],
          ['DELETE', `/admin/users/${crypto.randomUUID()}`],
          ['POST', '/admin/generate_link'],
          ['POST', '/invite'],
        ] as const) {
          const answer = await fetch(`${server.url}/auth/v1${path}`, { method, headers });
          answers.push(answer.status);
        }
      }
      expect(answers).toEqual([
        ...Array(5).fill(401),
        ...Array(5).fill(403),
        ...Array(5).fill(403),
        ...Array(5).fill(403),
        ...Array(5).fill(403),
      ]);
    });

    test('an operator can generate the links of mails', async () => {
      const { email, user } = await addUser();
      const recovery = await operator().generateLink({ type: 'recovery', email });
      expect(recovery.data.properties).toMatchObject({
        verification_type: 'recovery',
        hashed_token: expect.any(String),
        email_otp: expect.stringMatching(/^\d{6}$/),
      });
      const mine = client();
      const token_hash = recovery.data.properties?.hashed_token ?? '';
      expect((await mine.auth.verifyOtp({ type: 'recovery', token_hash })).data.user?.id).toBe(user.id);

      const site = `${server.url}/welcome`;
      const led = await operator().generateLink({ type: 'recovery', email, options: { redirectTo: site } });
      // Readable, as in hosted projects.
      expect(led.data.properties?.action_link).toContain(`redirect_to=${site}`);

      const fresh = newEmail();
      const signup = await operator().generateLink({ type: 'signup', email: fresh, password });
      expect(signup.data.user).toMatchObject({ email: fresh });
      const opened = await openLink(signup.data.properties?.action_link ?? '');
      expect(opened.fragment.has('access_token')).toBe(true);
      expect((await client().auth.signInWithPassword({ email: fresh, password })).error).toBeNull();

      const magic = await operator().generateLink({ type: 'magiclink', email: newEmail() });
      expect(magic.data.properties?.verification_type).toBe('signup');
      const next = newEmail();
      const change = await operator().generateLink({ type: 'email_change_new', email, newEmail: next });
      const current = await operator().generateLink({ type: 'email_change_current', email, newEmail: next });
      // Two links of one change, in any order.
      await openLink(change.data.properties?.action_link ?? '');
      await openLink(current.data.properties?.action_link ?? '');
      expect((await client().auth.signInWithPassword({ email: next, password })).data.user?.id).toBe(user.id);
      expect((await operator().generateLink({ type: 'recovery', email: newEmail() })).error).toMatchObject({
        status: 404,
        code: 'user_not_found',
      });
      expect(boxes.sentTo(email)).toHaveLength(0);
    });

    test('an invitation creates an account that the mailbox confirms', async () => {
      const email = newEmail();
      const { data, error } = await operator().inviteUserByEmail(email, { data: { lab: 'Curie' } });
      expect(error).toBeNull();
      expect(data.user).toMatchObject({ email, invited_at: expect.any(String) });
      const mine = client();
      const token = boxes.code(email);
      expect((await mine.auth.verifyOtp({ email, token, type: 'invite' })).error).toBeNull();
      expect((await mine.auth.updateUser({ password })).error).toBeNull();
      expect((await client().auth.signInWithPassword({ email, password })).error).toBeNull();
      expect((await operator().inviteUserByEmail(email)).error).toMatchObject({
        status: 422,
        code: 'email_exists',
      });
    });

    test('an operator can remove a lost second step', async () => {
      const { email, user } = await addUser();
      const mine = client();
      await mine.auth.signInWithPassword({ email, password });
      await mine.auth.mfa.enroll({ factorType: 'totp' });
      const { data } = await operator().mfa.listFactors({ userId: user.id });
      const id = data?.factors[0]?.id ?? '';
      expect((await operator().mfa.deleteFactor({ userId: user.id, id })).error).toBeNull();
      expect((await mine.auth.mfa.listFactors()).data?.all).toEqual([]);
    });

    test('an anonymous user can add an address later', async () => {
      const mine = client();
      const { data, error } = await mine.auth.signInAnonymously({ options: { data: { tour: 1 } } });
      expect(error).toBeNull();
      expect(data.user).toMatchObject({ is_anonymous: true, email: '', user_metadata: { tour: 1 } });
      expect((await mine.auth.getClaims()).data?.claims).toMatchObject({
        is_anonymous: true,
        amr: [{ method: 'anonymous' }],
      });
      expect((await mine.auth.updateUser({ password })).error).toMatchObject({
        status: 422,
        code: 'validation_failed',
      });
      expect((await mine.auth.reauthenticate()).error).toMatchObject({
        status: 400,
        message: expect.stringContaining('Reauthentication requires'),
      });
      const email = newEmail();
      expect((await mine.auth.updateUser({ email })).data.user).toMatchObject({ new_email: email });
      const token = boxes.code(email);
      const verified = await mine.auth.verifyOtp({ email, token, type: 'email_change' });
      expect(verified.data.user).toMatchObject({ id: data.user?.id, email, is_anonymous: false });
      expect(verified.data.user?.identities).toMatchObject([{ provider: 'email' }]);
      expect((await mine.auth.updateUser({ password })).error).toBeNull();
      expect((await client().auth.signInWithPassword({ email, password })).data.user?.id).toBe(data.user?.id);
    });

    describe('with a captcha', () => {
      const captchaCalls: Record<string, string>[] = [];
      let judge: FastifyInstance;
      let guarded: PlatformServer;
      let out = false;
      beforeAll(async () => {
        judge = fastify();
        judge.addContentTypeParser(
          'application/x-www-form-urlencoded',
          { parseAs: 'string' },
          (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
        );
        judge.post('/siteverify', async (request, reply) => {
          const fields = request.body as Record<string, string>;
          captchaCalls.push(fields);
          if (out) return reply.code(503).send('<h1>Out of order</h1>');
          return { success: fields.secret === 'captcha secret' && fields.response === 'human' };
        });
        await judge.listen({ host: '127.0.0.1', port: 0 });
        const { port } = judge.server.address() as AddressInfo;
        guarded = await startPlatform(
          opened.database,
          {
            captcha: {
              provider: 'turnstile',
              verifyUrl: `http://127.0.0.1:${port}/siteverify`,
              secret: 'captcha secret',
            },
          },
          { mailer: boxes },
        );
      });
      afterAll(async () => {
        await guarded?.close();
        await judge?.close();
      });
      const visitor = () => make(guarded.url, guarded.keys.publishableKey).auth;

      test('forms require a solved captcha', async () => {
        const email = newEmail();
        const forms = (captchaToken?: string) => {
          const options = captchaToken === undefined ? {} : { captchaToken };
          return [
            visitor().signUp({ email, password, options }),
            visitor().signInWithPassword({ email, password, options }),
            visitor().signInWithOtp({ email, options }),
            visitor().resetPasswordForEmail(email, options),
            visitor().resend({ type: 'signup', email, options }),
          ];
        };
        const refusal = { status: 400, code: 'captcha_failed' };
        for (const token of [undefined, '', 'robot']) {
          for (const answer of await Promise.all(forms(token))) expect(answer.error).toMatchObject(refusal);
        }
        const { error } = await visitor().signUp({ email, password, options: { captchaToken: 'human' } });
        expect(error).toBeNull();
        expect(captchaCalls.at(-1)).toMatchObject({ remoteip: expect.stringContaining('127.0.0.1') });
        for (const answer of (await Promise.all(forms('human'))).slice(1)) expect(answer.error).toBeNull();
      });

      test('refreshing and the secret key need no captcha', async () => {
        const options = { captchaToken: 'human' };
        const mine = visitor();
        await mine.signUp({ email: newEmail(), password, options });
        expect((await mine.refreshSession()).error).toBeNull();
        const own = make(guarded.url, guarded.keys.secretKey).auth;
        expect((await own.signUp({ email: newEmail(), password })).error).toBeNull();
      });

      test('an outage of the captcha service is a server error', async () => {
        out = true;
        try {
          const answer = await visitor().signUp({
            email: newEmail(),
            password,
            options: { captchaToken: 'human' },
          });
          expect(answer.error).toMatchObject({ name: 'AuthRetryableFetchError', status: 500 });
        } finally {
          out = false;
        }
      });
    });
  });
});
