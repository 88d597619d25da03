import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AuthContext } from '../auth-context.ts';
import { originOf, parseInput } from '../request-input.ts';
import { authenticate } from '../services/authenticate.ts';
import { enrolPhone, enrolTotp } from '../services/enrol-factor.ts';
import { unenrol } from '../services/remove-factor.ts';
import { challengeFactor, verifyFactor } from '../services/verify-factor.ts';

const name = z.string().trim().max(100).nullish();
const enrolBody = z.discriminatedUnion('factor_type', [
  z.object({
    factor_type: z.literal('totp'),
    friendly_name: name,
    issuer: z.string().max(100).nullish(),
  }),
  z.object({ factor_type: z.literal('phone'), friendly_name: name, phone: z.string().default('') }),
]);
const verifyBody = z.object({
  challenge_id: z.string().max(100).default(''),
  code: z.string().max(100).default(''),
});
const parameters = z.object({ factorId: z.string() });

/** Second steps: set up, ask, take, remove. */
export function factors(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'POST',
    url: '/factors',
    handler: async (request) => {
      const { address } = originOf(request, context.settings);
      await context.limits.countRequest('mfaChallenge', address);
      const signedIn = await authenticate(context, request.headers.authorization);
      const given = parseInput(enrolBody, request.body);
      const friendlyName = given.friendly_name || undefined;
      if (given.factor_type === 'phone') {
        return enrolPhone(context, signedIn, { friendlyName, phone: given.phone });
      }
      return enrolTotp(context, signedIn, { friendlyName, issuer: given.issuer ?? undefined });
    },
  });
  app.route({
    method: 'POST',
    url: '/factors/:factorId/challenge',
    handler: async (request) => {
      const origin = originOf(request, context.settings);
      await context.limits.countRequest('mfaChallenge', origin.address);
      const signedIn = await authenticate(context, request.headers.authorization);
      const { factorId } = parseInput(parameters, request.params);
      return challengeFactor(context, signedIn, factorId, origin);
    },
  });
  app.route({
    method: 'POST',
    url: '/factors/:factorId/verify',
    handler: async (request) => {
      const origin = originOf(request, context.settings);
      await context.limits.countRequest('mfaVerify', origin.address);
      const signedIn = await authenticate(context, request.headers.authorization);
      const { factorId } = parseInput(parameters, request.params);
      const { challenge_id: challengeId, code } = parseInput(verifyBody, request.body);
      return verifyFactor(context, signedIn, { factorId, challengeId, code }, origin);
    },
  });
  app.route({
    method: 'DELETE',
    url: '/factors/:factorId',
    handler: async (request) => {
      const signedIn = await authenticate(context, request.headers.authorization);
      return unenrol(context, signedIn, parseInput(parameters, request.params).factorId);
    },
  });
}
