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
import { mailSignIn, smsSignIn } from '../services/mailed-sign-in.ts';

const body = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  create_user: z.boolean().nullish(),
  data: accountData.nullish(),
  channel: z.string().nullish(),
  ...challengeFields,
  ...captchaFields,
});

/** Sends a way in without a password. `/magiclink` is its older name, for addresses alone. */
export function postOtp(app: FastifyInstance, context: AuthContext): void {
  for (const url of ['/otp', '/magiclink']) {
    app.route({
      method: 'POST',
      url,
      handler: async (request) => {
        const origin = originOf(request, context.settings);
        await context.limits.countRequest('otp', origin.address);
        const given = parseInput(body, request.body);
        const { email, phone } = given;
        if (email && phone) {
          throw new AuthError(
            400,
            'validation_failed',
            'Only an email address or phone number should be provided',
          );
        }
        if (!email && !phone) {
          throw new AuthError(400, 'validation_failed', 'One of email or phone must be set');
        }
        if (given.channel && given.channel !== 'sms') {
          throw new AuthError(400, 'validation_failed', 'Messages are sent by sms only.');
        }
        const back = mailedReturnOf(request, context, given);
        const wish = { createUser: given.create_user ?? true, userMetadata: given.data ?? {} };
        await refuseRobots(request, context, given);
        if (email) await mailSignIn(context, email, wish, back);
        else if (phone) await smsSignIn(context, phone, wish);
        return {};
      },
    });
  }
}
