import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface Person {
  subject: string;
  email?: string;
  emailVerified?: boolean;
  name?: string;
}

interface Grant {
  person: Person;
  redirectUri: string;
  challenge: string;
  nonce: string | undefined;
}

type Fields = Readonly<Record<string, string | undefined>>;

/**
 * A provider with OpenID Connect (discovery, authorization code with PKCE and nonce, RS256, userinfo) and, below
 * `/login/oauth` and `/api`, GitHub's OAuth 2 and API.
 */
export class TestIdentityProvider {
  readonly clientId = 'cellfolio-client';
  readonly clientSecret = 'a secret & more';
  person: Person | undefined;
  wrongClaims: Readonly<Record<string, unknown>> = {};
  addressInToken = true;
  readonly #app: FastifyInstance = fastify();
  readonly #grants = new Map<string, Grant>();
  readonly #tokens = new Map<string, Person>();
  #url = '';

  get url(): string {
    return this.#url;
  }

  async start(): Promise<this> {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    const kid = 'test-key';
    const app = this.#app;
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    app.get('/.well-known/openid-configuration', async () => ({
      issuer: this.#url,
      authorization_endpoint: `${this.#url}/authorize`,
      token_endpoint: `${this.#url}/token`,
      userinfo_endpoint: `${this.#url}/userinfo`,
      jwks_uri: `${this.#url}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
    }));
    app.get('/jwks', async () => ({
      keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }],
    }));
    for (const path of ['/authorize', '/login/oauth/authorize']) {
      app.get(path, async (request, reply) => reply.redirect(this.#consent(request.query as Fields)));
    }
    app.post('/token', async (request, reply) => {
      const grant = this.#redeem(request);
      if (!grant) return reply.code(400).send({ error: 'invalid_grant' });
      const { person, nonce } = grant;
      const claims = {
        ...(this.addressInToken && addressOf(person)),
        name: person.name,
        ...(nonce !== undefined && { nonce }),
        iss: this.#url,
        sub: person.subject,
        aud: this.clientId,
        ...this.wrongClaims,
      };
      const id_token = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid })
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey);
      return { ...this.#accessTo(person), id_token, expires_in: 300 };
    });
    app.post('/login/oauth/access_token', async (request) => {
      const grant = this.#redeem(request);
      // GitHub responds with 200.
      return grant ? this.#accessTo(grant.person) : { error: 'bad_verification_code' };
    });
    app.get('/userinfo', async (request, reply) => {
      const person = this.#bearer(request);
      return person ? { sub: person.subject, ...addressOf(person) } : reply.code(401).send({});
    });
    app.get('/api/user', async (request, reply) => {
      const person = this.#bearer(request);
      if (!person) return reply.code(401).send({});
      return { id: Number(person.subject), login: `login-${person.subject}`, name: person.name ?? null };
    });
    app.get('/api/user/emails', async (request, reply) => {
      const person = this.#bearer(request);
      if (!person) return reply.code(401).send([]);
      return [
        { email: 'second@example.net', primary: false, verified: false },
        ...(person.email === undefined
          ? []
          : [{ email: person.email, primary: true, verified: person.emailVerified === true }]),
      ];
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    this.#url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    return this;
  }

  async close(): Promise<void> {
    await this.#app.close();
  }

  #consent(query: Fields): string {
    if (query.client_id !== this.clientId || query.code_challenge_method !== 'S256' || !query.redirect_uri) {
      throw new Error(`Not a request of our client: ${JSON.stringify(query)}`);
    }
    const back = new URL(query.redirect_uri);
    back.searchParams.set('state', query.state ?? '');
    if (!this.person) {
      back.searchParams.set('error', 'access_denied');
      return back.href;
    }
    const code = randomUUID();
    this.#grants.set(code, {
      person: this.person,
      redirectUri: query.redirect_uri,
      challenge: query.code_challenge ?? '',
      nonce: query.nonce,
    });
    back.searchParams.set('code', code);
    return back.href;
  }

  /** Redeems a code once, if client, redirect and PKCE verifier match. */
  #redeem(request: FastifyRequest): Grant | undefined {
    const body = request.body as Fields;
    const grant = this.#grants.get(body.code ?? '');
    this.#grants.delete(body.code ?? '');
    const proof = createHash('sha256')
      .update(body.code_verifier ?? '')
      .digest('base64url');
    const isValid =
      this.#isOurClient(request, body) &&
      body.grant_type === 'authorization_code' &&
      grant?.redirectUri === body.redirect_uri &&
      grant?.challenge === proof;
    return isValid ? grant : undefined;
  }

  #isOurClient(request: FastifyRequest, body: Fields): boolean {
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const [id, secret] = basic
      ? Buffer.from(basic, 'base64')
          .toString()
          .split(':')
          .map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
      : [body.client_id, body.client_secret];
    return id === this.clientId && secret === this.clientSecret;
  }

  #accessTo(person: Person) {
    const access_token = `at-${randomUUID()}`;
    this.#tokens.set(access_token, person);
    return { access_token, token_type: 'bearer', refresh_token: `rt-${randomUUID()}`, scope: '' };
  }

  #bearer(request: FastifyRequest): Person | undefined {
    return this.#tokens.get((request.headers.authorization ?? '').replace(/^bearer /i, ''));
  }
}

function addressOf({ email, emailVerified }: Person) {
  return email === undefined ? {} : { email, email_verified: emailVerified === true };
}
