import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { PoolClient } from 'pg';
import { decodeJwt } from 'jose';
import type { AuthContext, ClientOrigin } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { captchaFields, originOf, parseInput, refuseRobots } from './request-input.ts';
import { refreshSession } from './refresh-session.ts';
import { type SessionAnswer, beginSession, sessionAnswer } from './sessions.ts';
import { passwordFits } from './passwords.ts';
import { normalisePhone } from './addresses.ts';
import { findUserByEmail, findUserByPhone, isBanned, findUser } from './user-record.ts';
import type { ProviderProfile } from './oauth/identity-provider.ts';
import { codeChallengeOf, verifierFits, authCodeHash, type FlowMethod } from './flow-state.ts';
import { accountOf } from './identities.ts';

const query = z.object({ grant_type: z.string().optional() });
const passwordGrant = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().default(''),
  ...captchaFields,
});
const refreshGrant = z.object({ refresh_token: z.string().default('') });
const providerText = z
  .string()
  .max(500)
  .nullish()
  .transform((input) => input ?? '');
const idTokenGrant = z.object({
  id_token: z.string().default(''),
  provider: providerText,
  client_id: providerText,
  issuer: providerText,
});
const codeGrant = z.object({
  auth_code: z.string().max(200).nullish(),
  code_verifier: z.string().max(200).nullish(),
});

export function postToken(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'POST',
    url: '/token',
    handler: async (request, reply) => {
      const origin = originOf(request, context.settings);
      await context.limits.countRequest('token', origin.address);
      switch (parseInput(query, request.query).grant_type) {
        case 'password': {
          const input = parseInput(passwordGrant, request.body);
          const { email, phone, password } = input;
          if (email && phone) {
            throw new AuthError(
              400,
              'validation_failed',
              'Only an email address or phone number should be provided on login.',
            );
          }
          if (phone && !context.settings.phoneEnabled) {
            throw new AuthError(422, 'phone_provider_disabled', 'Phone logins are disabled');
          }
          if (!email && !phone) throw new AuthError(400, 'validation_failed', 'missing email or phone');
          await refuseRobots(request, context, input);
          const names = { email: email || undefined, phone: phone || undefined };
          return signInWithPassword(context, { ...names, password }, origin);
        }
        case 'refresh_token':
          return refresh(context, reply, parseInput(refreshGrant, request.body).refresh_token);
        case 'pkce': {
          const { auth_code, code_verifier } = parseInput(codeGrant, request.body);
          const grant = { authCode: auth_code ?? '', codeVerifier: code_verifier ?? '' };
          return exchangeAuthCode(context, grant, origin);
        }
        case 'id_token': {
          const { id_token, provider, client_id, issuer } = parseInput(idTokenGrant, request.body);
          throw refuseIdToken({ idToken: id_token, provider, clientId: client_id, issuer });
        }
        case 'web3':
          throw new AuthError(404, 'feature_disabled', 'Web3 provider is disabled');
        default:
          throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type');
      }
    },
  });
}

/** Reports the kind of refresh in headers, for proxies and logs that do not read bodies. */
async function refresh(context: AuthContext, reply: FastifyReply, token: string): Promise<SessionAnswer> {
  const { answer, session, userId, reuse } = await refreshSession(context, token);
  reply.headers({
    'sb-auth-user-id': userId,
    'sb-auth-session-id': session.id,
    'sb-auth-refresh-token-counter': String(session.counter),
    'sb-auth-refresh-token-rotated': String(reuse === undefined),
    ...(reuse && { 'sb-auth-refresh-token-reuse': 'true', 'sb-auth-refresh-token-reuse-cause': reuse }),
  });
  return answer;
}

interface PasswordGrant {
  /** Either this or `phone`. */
  email: string | undefined;
  phone: string | undefined;
  password: string;
}

/**
 * Signs in with address or number and password. An unknown address, an account without a password and a wrong password
 * give the same refusal, in words and timing; other obstacles are revealed only to a caller with the right password.
 * Throws AuthError.
 */
async function signInWithPassword(
  context: AuthContext,
  { email: enteredEmail, phone, password }: PasswordGrant,
  origin: ClientOrigin,
): Promise<SessionAnswer> {
  const name = enteredEmail === undefined ? normalisePhone(phone ?? '') : enteredEmail.trim().toLowerCase();
  const attempt = await context.limits.countPasswordAttempt(name, origin.address);
  const find = enteredEmail === undefined ? findUserByPhone : findUserByEmail;
  const user = await find(context.database.pool, name);
  const fits = await passwordFits(password, user?.encrypted_password, {
    cost: context.settings.passwordCost,
    by: [name, origin.address],
  });
  if (!user || !fits) throw new AuthError(400, 'invalid_credentials', 'Invalid login credentials');
  await attempt.succeeded();
  if (isBanned(user, context.now())) throw new AuthError(400, 'user_banned', 'This account is suspended.');
  if (enteredEmail === undefined ? !user.phone_confirmed_at : !user.email_confirmed_at) {
    throw enteredEmail === undefined
      ? new AuthError(400, 'phone_not_confirmed', 'Phone not confirmed')
      : new AuthError(400, 'email_not_confirmed', 'Email not confirmed');
  }
  const begun = await context.database.transaction((client) =>
    beginSession(client, context, user.id, { ...origin, method: 'password' }),
  );
  return sessionAnswer(context, begun.user, begun.session);
}

/** Codes are exchanged by a page that has just opened. */
const authCodeMs = 300_000;

interface FlowRow {
  id: string;
  user_id: string;
  code_challenge: string;
  code_challenge_method: string;
  authentication_method: FlowMethod;
  auth_code_issued_at: Date | string;
  provider_type: string;
  linking_user_id: string | null;
  pending_profile: ProviderProfile | null;
  provider_access_token: string | null;
  provider_refresh_token: string | null;
}

type ExchangedSession = SessionAnswer & {
  provider_token?: string;
  provider_refresh_token?: string;
};

/**
 * Exchanges a code and the PKCE verifier for a session; works once. Throws AuthError 400 `validation_failed` or
 * `bad_code_verifier`, 404 `flow_state_not_found`, 422 `flow_state_expired`.
 */
async function exchangeAuthCode(
  context: AuthContext,
  { authCode, codeVerifier }: { authCode: string; codeVerifier: string },
  origin: ClientOrigin,
): Promise<ExchangedSession> {
  if (!authCode || !codeVerifier) {
    throw new AuthError(
      400,
      'validation_failed',
      'invalid request: both auth code and code verifier should be non-empty',
    );
  }
  const now = context.now();
  const exchange = async (client: PoolClient) => {
    const { rows } = await client.query<FlowRow>(
      `select id, user_id, code_challenge, code_challenge_method, authentication_method, auth_code_issued_at,
         provider_type, linking_user_id, pending_profile, provider_access_token, provider_refresh_token
       from auth.flow_state where auth_code = $1 and user_id is not null for update`,
      [authCodeHash(authCode)],
    );
    const flow = rows[0];
    if (!flow) return 'flow_state_not_found';
    if (new Date(flow.auth_code_issued_at).getTime() + authCodeMs <= now) {
      await client.query(`delete from auth.flow_state where id = $1`, [flow.id]);
      return 'flow_state_expired';
    }
    const challenge = codeChallengeOf(flow);
    if (!challenge || !verifierFits(challenge, codeVerifier)) return 'bad_code_verifier';
    await client.query(`delete from auth.flow_state where id = $1`, [flow.id]);
    if (flow.pending_profile && flow.linking_user_id) {
      await accountOf(client, context, {
        provider: flow.provider_type,
        profile: flow.pending_profile,
        linkingUserId: flow.linking_user_id,
      });
    }
    const user = await findUser(client, flow.user_id);
    if (!user) return 'flow_state_not_found';
    if (isBanned(user, now)) return 'user_banned';
    const begun = await beginSession(client, context, user.id, {
      ...origin,
      method: flow.authentication_method,
    });
    return { ...begun, flow };
  };
  const outcome = await context.database.transaction(exchange).catch((cause: unknown) => {
    // SQLSTATE 23505, unique_violation: the provider's account was joined elsewhere at the same moment.
    if (cause instanceof Error && 'code' in cause && cause.code === '23505') {
      throw new AuthError(409, 'conflict', 'Another sign-in ran at the same time. Please try again.', {
        cause,
      });
    }
    throw cause;
  });
  if (typeof outcome === 'string') throw refusals[outcome]();
  const { provider_access_token: token, provider_refresh_token: refreshToken } = outcome.flow;
  return {
    ...(await sessionAnswer(context, outcome.user, outcome.session)),
    ...(token && { provider_token: token }),
    ...(refreshToken && { provider_refresh_token: refreshToken }),
  };
}

const refusals = {
  flow_state_not_found: () =>
    new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found'),
  flow_state_expired: () =>
    new AuthError(422, 'flow_state_expired', 'invalid flow state, flow state has expired'),
  bad_code_verifier: () =>
    new AuthError(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier'),
  user_banned: () => new AuthError(400, 'user_banned', 'This account is suspended.'),
};

interface IdTokenGrant {
  idToken: string;
  provider: string;
  clientId: string;
  issuer: string;
}

/** Issuers by the client's names of the providers whose tokens a hosted project accepts. */
const issuers: ReadonlyMap<string, string> = new Map([
  ['google', 'https://accounts.google.com'],
  ['facebook', 'https://www.facebook.com'],
  ['kakao', 'https://kauth.kakao.com'],
  ['keycloak', ''],
]);

/** Providers with several issuers; the token names which. */
const issuedInToken: ReadonlyMap<string, readonly [label: string, issuer: RegExp]> = new Map([
  ['apple', ['Apple', /^https:\/\/(?:appleid|account)\.apple\.com$/]],
  ['azure', ['Azure', /^https:\/\/(?:login\.microsoftonline\.com|sts\.windows\.net)\//]],
]);

/**
 * ID tokens of other providers are not accepted: people sign in there through the browser. Responds as a hosted project
 * does for a disabled provider.
 */
function refuseIdToken({ idToken, provider, clientId, issuer }: IdTokenGrant): AuthError {
  const invalid = (message: string) => new AuthError(400, 'validation_failed', message);
  const disabled = (of: string) =>
    new AuthError(400, 'provider_disabled', `Provider (issuer "${of}") is not enabled`);
  if (!idToken) return invalid('id_token required');
  if (!provider && !(clientId && issuer)) return invalid('provider or client_id and issuer required');
  const several = issuedInToken.get(provider);
  if (several) {
    const [label, allowed] = several;
    const detected = issuerIn(idToken);
    if (detected === undefined) return invalid(`Unable to detect issuer in ID token for ${label} provider`);
    if (allowed.test(detected)) return disabled(detected);
    return invalid(`Detected ID token issuer is not an ${label} ID token issuer`);
  }
  const matchedIssuer =
    issuers.get(provider) ?? [...issuers.values()].find((one) => one !== '' && one === issuer);
  if (matchedIssuer !== undefined) return disabled(matchedIssuer);
  if (provider.startsWith('custom:')) return invalid('Custom OAuth providers are disabled');
  return invalid(`Custom OIDC provider ${JSON.stringify(provider)} not allowed`);
}

function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
