import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { captchaFields, originOf, parseInput, refuseRobots } from '../request-input.ts';
import { exchangeAuthCode } from '../services/exchange-auth-code.ts';
import { refuseIdToken } from '../services/refuse-id-token.ts';
import { refreshSession } from '../services/refresh-session.ts';
import type { SessionAnswer } from '../services/sessions.ts';
import { signInWithPassword } from '../services/sign-in-with-password.ts';

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
  .transform((given) => given ?? '');
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
          const given = parseInput(passwordGrant, request.body);
          const { email, phone, password } = given;
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
          await refuseRobots(request, context, given);
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

/** Says in headers what became of the token, for proxies and logs that do not read bodies. */
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
