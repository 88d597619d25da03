import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { originOf, parseInput } from '../request-input.ts';
import { refreshSession } from '../services/refresh-session.ts';
import { signInWithPassword } from '../services/sign-in-with-password.ts';

const query = z.object({ grant_type: z.string().optional() });
const passwordGrant = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().default(''),
});
const refreshGrant = z.object({ refresh_token: z.string().default('') });

export function postToken(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'POST',
    url: '/token',
    handler: async (request) => {
      const origin = originOf(request, context.settings);
      await context.limits.countRequest('token', origin.address);
      switch (parseInput(query, request.query).grant_type) {
        case 'password': {
          const { email, phone, password } = parseInput(passwordGrant, request.body);
          if (email && phone) {
            throw new AuthError(
              400,
              'validation_failed',
              'Only an email address or phone number should be provided on login.',
            );
          }
          if (phone) throw new AuthError(422, 'phone_provider_disabled', 'Phone logins are disabled');
          if (!email) throw new AuthError(400, 'validation_failed', 'missing email or phone');
          return signInWithPassword(context, { email, password }, origin);
        }
        case 'refresh_token':
          return refreshSession(context, parseInput(refreshGrant, request.body).refresh_token);
        case 'pkce':
          throw new AuthError(404, 'feature_disabled', 'Sign-in by code is not available here yet.');
        default:
          throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type');
      }
    },
  });
}
