import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { normaliseEmail } from '../email-address.ts';
import {
  captchaFields,
  challengeFields,
  mailedReturnOf,
  originOf,
  parseInput,
  refuseRobots,
} from '../request-input.ts';
import { mailLink, outboxOf } from '../services/mail-codes.ts';
import { findUserByEmail } from '../user-record.ts';

const body = z.object({ email: z.string().nullish(), ...challengeFields, ...captchaFields });

/** Mails the way to a new password; an address without an account gets the same answer and no mail. */
export function postRecover(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'POST',
    url: '/recover',
    handler: async (request) => {
      const origin = originOf(request, context.settings);
      await context.limits.countRequest('recover', origin.address);
      outboxOf(context);
      const given = parseInput(body, request.body);
      if (!given.email) {
        throw new AuthError(400, 'validation_failed', 'Password recovery requires an email');
      }
      const email = normaliseEmail(given.email);
      const back = mailedReturnOf(request, context, given);
      await refuseRobots(request, context, given);
      await context.limits.countMail('recover', email);
      const user = await findUserByEmail(context.database.pool, email);
      await mailLink(context, 'recovery', user, back);
      return {};
    },
  });
}
