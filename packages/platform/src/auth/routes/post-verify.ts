import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { normaliseEmail } from '../email-address.ts';
import { normalisePhone } from '../phone-number.ts';
import { originOf, parseInput } from '../request-input.ts';
import { otherMailbox, type Proof, verify, verifyTypes } from '../services/verify.ts';

const body = z.object({
  type: z.enum(verifyTypes),
  token: z.string().max(200).nullish(),
  token_hash: z.string().max(200).nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
});

/** Takes a typed code, or the token of a link, for a session. */
export function postVerify(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'POST',
    url: '/verify',
    handler: async (request) => {
      const origin = originOf(request, context.settings);
      await context.limits.countRequest('verify', origin.address);
      const proof = proofOf(parseInput(body, request.body));
      const verified = await verify(context, proof, { ...origin, handOver: false });
      if (verified.kind === 'session') return verified.session;
      return { msg: otherMailbox, code: '200' };
    },
  });
}

function proofOf({ type, token, token_hash: tokenHash, email, phone }: z.infer<typeof body>): Proof {
  if (tokenHash) {
    if (token || email || phone) {
      throw new AuthError(400, 'validation_failed', 'Only the token_hash and type should be provided');
    }
    return { type, tokenHash };
  }
  if (!token) throw new AuthError(400, 'validation_failed', 'Verify requires a token or a token hash');
  if (Boolean(email) === Boolean(phone)) {
    throw new AuthError(
      400,
      'validation_failed',
      'Only an email address or phone number should be provided on verify',
    );
  }
  const byPhone = type === 'sms' || type === 'phone_change';
  if (byPhone !== Boolean(phone)) {
    throw new AuthError(
      400,
      'validation_failed',
      `Type ${type} requires ${byPhone ? 'a phone number' : 'an email address'}.`,
    );
  }
  return { type, code: token, sentTo: phone ? normalisePhone(phone) : normaliseEmail(email ?? '') };
}
