import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { leadAway, withError } from '../lead-away.ts';
import { browserOf, keepBrowser } from '../oauth/browser-cookie.ts';
import { challengeFields, originOf, parseInput, redirectOf } from '../request-input.ts';
import { authenticate } from '../services/authenticate.ts';
import { codeChallengeOf } from '../services/code-challenge.ts';
import { depart, providerNamed, randomBrowser } from '../services/provider-departure.ts';

const query = z.object({
  provider: z.string().max(100).default(''),
  scopes: z.string().max(1_000).default(''),
  skip_http_redirect: z.string().optional(),
  ...challengeFields,
});

/** A browser leaves for a provider. */
export function getAuthorize(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'GET',
    url: '/authorize',
    config: { open: true },
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      await context.limits.countRequest('oauth', originOf(request, context.settings).address);
      const given = parseInput(query, request.query);
      providerNamed(context, given.provider);
      const challenge = codeChallengeOf(given);
      const redirectTo = redirectOf(request, context);
      const browser = browserOf(request) ?? randomBrowser();
      try {
        const { provider, scopes } = given;
        const wish = { provider, scopes, redirectTo, challenge, extras: extrasOf(request), browser };
        const url = await depart(context, wish, request.log);
        keepBrowser(reply, context.publicUrl, browser);
        return leadAway(reply, 302, url);
      } catch (error) {
        if (!(error instanceof AuthError)) throw error;
        return leadAway(reply, 302, withError(redirectTo, error, { inQuery: true }));
      }
    },
  });
}

/** The same for somebody signed in who wants to join a provider's account to theirs; answers the address as JSON. */
export function getIdentitiesAuthorize(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'GET',
    url: '/user/identities/authorize',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      await context.limits.countRequest('oauth', originOf(request, context.settings).address);
      const { user } = await authenticate(context, request.headers.authorization);
      if (!context.settings.manualLinking) {
        throw new AuthError(404, 'manual_linking_disabled', 'Manual linking is disabled');
      }
      const { provider, scopes, ...given } = parseInput(query, request.query);
      const browser = browserOf(request) ?? randomBrowser();
      const wish = {
        provider,
        scopes,
        redirectTo: redirectOf(request, context),
        challenge: codeChallengeOf(given),
        extras: extrasOf(request),
        browser,
        linkingUserId: user.id,
      };
      const url = await depart(context, wish, request.log);
      // Kept where the web app is of our own origin; on another one, it has to bring a challenge.
      keepBrowser(reply, context.publicUrl, browser);
      if (given.skip_http_redirect === 'true') return { url: url.href };
      return leadAway(reply, 302, url);
    },
  });
}

// Ours, and those of the protocol: a page must not choose them.
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
