import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { accountData } from '../account-data.ts';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import {
  captchaFields,
  challengeFields,
  mailedReturnOf,
  originOf,
  parseInput,
  refuseRobots,
} from '../request-input.ts';
import { signUp, signUpAnonymously } from '../services/sign-up.ts';
import { signUpByPhone } from '../services/sign-up-by-phone.ts';

const body = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  data: accountData.nullish(),
  ...challengeFields,
  ...captchaFields,
});

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
      const given = parseInput(body, request.body);
      const { email, phone } = given;
      const userMetadata = given.data ?? {};
      const password = given.password ?? '';
      if (email && phone) {
        throw new AuthError(
          400,
          'validation_failed',
          'Only an email address or phone number should be provided on signup.',
        );
      }
      if (!email && !phone && !settings.anonymousEnabled) {
        throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
      }
      const back = mailedReturnOf(request, context, given);
      await refuseRobots(request, context, given);
      if (phone) return signUpByPhone(context, { phone, password, userMetadata }, origin);
      if (email) return signUp(context, { email, password, userMetadata, back }, origin);
      await limits.countRequest('anonymous', origin.address);
      return signUpAnonymously(context, userMetadata, origin);
    },
  });
}
