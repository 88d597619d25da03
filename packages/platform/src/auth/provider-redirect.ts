import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest, FastifyBaseLogger, FastifyReply } from 'fastify';
import { z } from 'zod';
import { calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { AuthContext } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { sendRedirect, withError } from './redirects.ts';
import { challengeFields, originOf, parseInput, redirectOf } from './request-input.ts';
import { authenticate, requireSecondStep } from './sessions.ts';
import { codeChallengeOf, type CodeChallenge, beginFlow } from './flow-state.ts';
import type { IdentityProvider } from './oauth/identity-provider.ts';

const query = z.object({
  provider: z.string().max(100).default(''),
  scopes: z.string().max(1_000).default(''),
  skip_http_redirect: z.string().optional(),
  ...challengeFields,
});

export function getAuthorize(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'GET',
    url: '/authorize',
    config: { open: true },
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      await context.limits.countRequest('oauth', originOf(request, context.settings).address);
      const input = parseInput(query, request.query);
      providerNamed(context, input.provider);
      const challenge = codeChallengeOf(input);
      const redirectTo = redirectOf(request, context);
      const browser = browserOf(request) ?? randomBrowser();
      try {
        const { provider, scopes } = input;
        const wish = { provider, scopes, redirectTo, challenge, extras: extrasOf(request), browser };
        const url = await authorizationUrl(context, wish, request.log);
        setBrowserCookie(reply, context.publicUrl, browser);
        return sendRedirect(reply, 302, url);
      } catch (error) {
        if (!(error instanceof AuthError)) throw error;
        return sendRedirect(reply, 302, withError(redirectTo, error, { inQuery: true }));
      }
    },
  });
}

/** Starts linking a provider's account to the signed-in one; returns the address as JSON. */
export function getIdentitiesAuthorize(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'GET',
    url: '/user/identities/authorize',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      await context.limits.countRequest('oauth', originOf(request, context.settings).address);
      const signedIn = await authenticate(context, request.headers.authorization);
      requireSecondStep(signedIn);
      if (!context.settings.manualLinking) {
        throw new AuthError(404, 'manual_linking_disabled', 'Manual linking is disabled');
      }
      const { provider, scopes, ...parameters } = parseInput(query, request.query);
      const browser = browserOf(request) ?? randomBrowser();
      const wish = {
        provider,
        scopes,
        redirectTo: redirectOf(request, context),
        challenge: codeChallengeOf(parameters),
        extras: extrasOf(request),
        browser,
        linkingUserId: signedIn.user.id,
      };
      const url = await authorizationUrl(context, wish, request.log);
      // Works if the web app has our origin; from another one it must send a challenge.
      setBrowserCookie(reply, context.publicUrl, browser);
      if (parameters.skip_http_redirect === 'true') return { url: url.href };
      return sendRedirect(reply, 302, url);
    },
  });
}

// Set by us and the protocol: a page must not choose them.
const reserved = new Set([
  'provider',
  'scopes',
  'redirect_to',
  'skip_http_redirect',
  'invite_token',
  'apikey',
  'state',
  'nonce',
  'scope',
  'redirect_uri',
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'response_type',
  'response_mode',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
  'registration',
  'claims',
  'id_token_hint',
]);
const maxExtras = 20;

function extrasOf(request: FastifyRequest): ReadonlyMap<string, string> {
  const extras = new Map<string, string>();
  for (const [name, value] of Object.entries(request.query as Record<string, unknown>)) {
    if (reserved.has(name.toLowerCase()) || typeof value !== 'string' || value.length > 500) continue;
    if (!/^[\w.-]{1,50}$/.test(name) || name === '__proto__' || extras.size >= maxExtras) continue;
    extras.set(name, value);
  }
  return extras;
}

interface ProviderRedirect {
  provider: string;
  scopes: string;
  /** Final target of the browser; already checked against the allow list. */
  redirectTo: string;
  challenge: CodeChallenge | undefined;
  extras: ReadonlyMap<string, string>;
  browser: string;
  linkingUserId?: string;
}

/** Throws AuthError 400 `validation_failed` for an unknown provider. */
function providerNamed(context: AuthContext, name: string): IdentityProvider {
  const provider = context.providers.get(name);
  if (provider) return provider;
  throw new AuthError(400, 'validation_failed', 'Unsupported provider: provider is not enabled');
}

/** Callback address; must be registered with each provider. */
export function callbackUrl(context: AuthContext): string {
  return `${context.publicUrl}/auth/v1/callback`;
}

async function authorizationUrl(
  context: AuthContext,
  request: ProviderRedirect,
  log: FastifyBaseLogger,
): Promise<URL> {
  const provider = providerNamed(context, request.provider);
  const state = randomState();
  const nonce = randomNonce();
  const codeVerifier = randomPKCECodeVerifier();
  const codeChallenge = await calculatePKCECodeChallenge(codeVerifier);
  const { scopes, extras } = request;
  const redirectUri = callbackUrl(context);
  const url = await provider
    .authorizationUrl({ redirectUri, state, nonce, codeChallenge, scopes, extras })
    .catch((cause: unknown) => {
      log.error({ err: cause, provider: request.provider }, 'identity provider cannot be reached');
      throw new AuthError(
        500,
        'unexpected_failure',
        `${request.provider} cannot be reached now. Please try again later, or sign in another way.`,
        { cause },
      );
    });
  await context.database.transaction(async (client) => {
    const { challenge } = request;
    const id = await beginFlow(client, context, { challenge, provider: request.provider, method: 'oauth' });
    await client.query(
      `update auth.flow_state set state_hash = $2, browser_hash = $3, provider_nonce = $4, provider_verifier = $5,
         redirect_to = $6, linking_user_id = $7
       where id = $1`,
      [
        id,
        secretHash(state),
        secretHash(request.browser),
        nonce,
        codeVerifier,
        request.redirectTo,
        request.linkingUserId ?? null,
      ],
    );
  });
  return url;
}

/** Ties a sign-in to the browser that began it. */
function randomBrowser(): string {
  return randomBytes(24).toString('base64url');
}

export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

const name = 'cellfolio-sign-in';
const seconds = 15 * 60;

export function browserOf(request: FastifyRequest): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = part.trim().split('=');
    if (key === name && value !== undefined && /^[\w-]{32}$/.test(value)) return value;
  }
  return undefined;
}

/**
 * Sets the cookie for the callback path only: without it, a browser led there from elsewhere has not started the
 * sign-in.
 */
function setBrowserCookie(reply: FastifyReply, publicUrl: string, browser: string): void {
  const { protocol, pathname } = new URL(publicUrl);
  const path = `${pathname.replace(/\/+$/, '')}/auth/v1`;
  const secure = protocol === 'https:' ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${name}=${browser}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}
