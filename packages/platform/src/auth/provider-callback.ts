import type { FastifyInstance, FastifyBaseLogger } from 'fastify';
import type { AuthContext, ClientOrigin } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { sendRedirect, withError, withSession, withQuery } from './redirects.ts';
import { browserOf, callbackUrl, secretHash } from './provider-redirect.ts';
import { originOf } from './request-input.ts';
import type { ProviderSignIn } from './oauth/identity-provider.ts';
import { findUser, isBanned } from './user-record.ts';
import { issueAuthCode } from './flow-state.ts';
import { accountOf, postponeLink } from './identities.ts';
import { beginSession, sessionAnswer } from './sessions.ts';

export function callback(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'GET',
    url: '/callback',
    config: { open: true },
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const origin = originOf(request, context.settings);
      try {
        await context.limits.countRequest('oauth', origin.address);
        const parameters = new URLSearchParams(request.url.split('?').slice(1).join('?'));
        const next = await completeSignIn(
          context,
          { parameters, browser: browserOf(request) },
          origin,
          request.log,
        );
        if (next) return sendRedirect(reply, 302, next);
        return sendRedirect(reply, 303, withError(context.siteUrl, strayed(), { inQuery: true }));
      } catch (error) {
        if (!(error instanceof AuthError)) throw error;
        return sendRedirect(reply, 303, withError(context.siteUrl, error, { inQuery: true }));
      }
    },
  });
  // Some providers post a form. Browsers keep our cookie from it, as it comes from another site, but send it with
  // the GET that follows.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 64_000 },
      (_request, body, done) => done(null, new URLSearchParams(String(body)).toString()),
    );
    scope.route({
      method: 'POST',
      url: '/callback',
      config: { open: true },
      handler: async (request, reply) => {
        const url = new URL(callbackUrl(context));
        url.search = typeof request.body === 'string' ? request.body : '';
        return sendRedirect(reply, 303, url);
      },
    });
  });
}

/** Maximum time spent at the provider. */
const absenceMs = 15 * 60_000;

interface FlowRow {
  id: string;
  code_challenge: string | null;
  provider_type: string;
  browser_hash: string | null;
  provider_nonce: string;
  provider_verifier: string;
  redirect_to: string;
  linking_user_id: string | null;
}

/**
 * Handles a browser that returns from a provider; returns its next address, with a session, code or error. Undefined
 * for a state that is not ours or has expired.
 */
async function completeSignIn(
  context: AuthContext,
  { parameters, browser }: { parameters: URLSearchParams; browser: string | undefined },
  origin: ClientOrigin,
  log: FastifyBaseLogger,
): Promise<URL | undefined> {
  const state = parameters.get('state') ?? '';
  const flow = await takeFlow(context, state);
  if (!flow) return undefined;
  try {
    // Only the client that began can exchange the code; without a challenge the cookie proves it.
    const sameBrowser = browser !== undefined && flow.browser_hash === secretHash(browser);
    if (flow.code_challenge === null && !sameBrowser) throw strayed();
    const elsewhere = await fetchProviderUser(context, flow, { parameters, state }, log);
    return await conclude(context, flow, elsewhere, origin);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    return withError(flow.redirect_to, error, { inQuery: true });
  }
}

/** Takes the flow of a state, which works once. */
async function takeFlow(context: AuthContext, state: string): Promise<FlowRow | undefined> {
  if (!state) return undefined;
  const now = context.now();
  const { rows } = await context.database.pool.query<FlowRow>(
    `update auth.flow_state set state_hash = null, updated_at = $2
     where state_hash = $1 and created_at > $3
     returning id, code_challenge, provider_type, browser_hash, provider_nonce, provider_verifier, redirect_to,
       linking_user_id`,
    [secretHash(state), new Date(now), new Date(now - absenceMs)],
  );
  return rows[0];
}

async function fetchProviderUser(
  context: AuthContext,
  flow: FlowRow,
  { parameters, state }: { parameters: URLSearchParams; state: string },
  log: FastifyBaseLogger,
): Promise<ProviderSignIn> {
  const name = flow.provider_type;
  const provider = context.providers.get(name);
  const label = provider?.label ?? name;
  if (parameters.get('error') === 'access_denied') {
    throw new AuthError(403, 'bad_oauth_callback', `Signing in with ${label} was canceled.`);
  }
  if (!provider)
    throw new AuthError(400, 'bad_oauth_callback', `Signing in with ${name} is not offered here.`);
  const url = new URL(callbackUrl(context));
  url.search = parameters.toString();
  const nonce = flow.provider_nonce;
  return provider
    .exchange({ url, state, nonce, codeVerifier: flow.provider_verifier })
    .catch((cause: unknown) => {
      // The reason may quote the provider: for the log only.
      log.warn({ err: cause, provider: name }, 'sign-in at an identity provider failed');
      throw new AuthError(
        400,
        'bad_oauth_callback',
        `Signing in with ${label} did not work. Please try again, or sign in another way.`,
        { cause },
      );
    });
}

async function conclude(
  context: AuthContext,
  flow: FlowRow,
  elsewhere: ProviderSignIn,
  origin: ClientOrigin,
): Promise<URL> {
  const { profile, accessToken, refreshToken } = elsewhere;
  const outcome = await context.database
    .transaction(async (client) => {
      const arrived = {
        provider: flow.provider_type,
        profile,
        linkingUserId: flow.linking_user_id ?? undefined,
      };
      const later = arrived.linkingUserId !== undefined && flow.code_challenge !== null;
      const userId = await (later ? postponeLink : accountOf)(client, context, arrived, flow.id);
      const user = await findUser(client, userId);
      if (!user) throw new AuthError(403, 'user_not_found', 'The account no longer exists.');
      if (isBanned(user, context.now()))
        throw new AuthError(403, 'user_banned', 'This account is suspended.');
      if (flow.code_challenge !== null) {
        return { code: await issueAuthCode(client, context, flow.id, userId, { accessToken, refreshToken }) };
      }
      await client.query(`delete from auth.flow_state where id = $1`, [flow.id]);
      return { begun: await beginSession(client, context, userId, { ...origin, method: 'oauth' }) };
    })
    .catch((cause: unknown) => {
      // SQLSTATE 23505, unique_violation: the same user signed in concurrently in another window.
      if (cause instanceof Error && 'code' in cause && cause.code === '23505') {
        throw new AuthError(409, 'conflict', 'Another sign-in ran at the same time. Please try again.', {
          cause,
        });
      }
      throw cause;
    });
  if (outcome.begun) {
    const session = await sessionAnswer(context, outcome.begun.user, outcome.begun.session);
    return withSession(flow.redirect_to, session, {
      provider_token: accessToken,
      ...(refreshToken !== undefined && { provider_refresh_token: refreshToken }),
    });
  }
  if (outcome.code === undefined) throw strayed();
  return withQuery(flow.redirect_to, { code: outcome.code });
}

function strayed(): AuthError {
  return new AuthError(
    400,
    'bad_oauth_state',
    'This sign-in was started in another browser, or has expired. Please start again.',
  );
}
