import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { originOf, parseInput } from '../request-input.ts';
import { signUp } from '../services/sign-up.ts';

const body = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  data: z.record(z.string(), z.unknown()).nullish(),
});
const query = z.object({ redirect_to: z.string().optional() });

export function postSignup(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'POST',
    url: '/signup',
    handler: async (request) => {
      const { settings, limits } = context;
      const origin = originOf(request, settings);
      await limits.countRequest('signUp', origin.address);
      if (!settings.signUpEnabled)
        throw new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance');
      const { email, phone, password, data } = parseInput(body, request.body);
      if (email && phone) {
        throw new AuthError(
          400,
          'validation_failed',
          'Only an email address or phone number should be provided on signup.',
        );
      }
      if (phone) throw new AuthError(422, 'phone_provider_disabled', 'Phone signups are disabled');
      if (!email) throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
      const { redirect_to: redirectTo } = parseInput(query, request.query);
      return signUp(
        context,
        { email, password: password ?? '', userMetadata: data ?? {}, redirectTo },
        origin,
      );
    },
  });
}
