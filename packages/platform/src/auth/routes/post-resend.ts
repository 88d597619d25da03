import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
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
import { resendMail, resendSms } from '../services/resend.ts';

const body = z.object({
  type: z.enum(['signup', 'email_change', 'sms', 'phone_change']),
  email: z.string().nullish(),
  phone: z.string().nullish(),
  ...challengeFields,
  ...captchaFields,
});

/** Sends once more what an account waits for; the answer is the same when nothing waits. */
export function postResend(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'POST',
    url: '/resend',
    handler: async (request) => {
      const origin = originOf(request, context.settings);
      await context.limits.countRequest('resend', origin.address);
      const given = parseInput(body, request.body);
      const back = mailedReturnOf(request, context, given);
      const { type, email, phone } = given;
      if (type === 'signup' || type === 'email_change') {
        if (!email) throw missing(type, 'an email address');
        await refuseRobots(request, context, given);
        await resendMail(context, type, email, back);
      } else {
        if (!phone) throw missing(type, 'a phone number');
        await refuseRobots(request, context, given);
        await resendSms(context, type, phone);
      }
      return {};
    },
  });
}

function missing(type: string, what: string): AuthError {
  return new AuthError(400, 'validation_failed', `Type ${type} requires ${what}`);
}
