import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AuthContext } from './auth-context.ts';
import { parseInput } from './request-input.ts';
import { authenticate, lacksSecondStep, requireSecondStep } from './sessions.ts';
import type { AccessTokenClaims } from './tokens/access-token.ts';

const query = z.object({ scope: z.enum(['global', 'local', 'others']).default('global') });

export function postLogout(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'POST',
    url: '/logout',
    handler: async (request, reply) => {
      const signedIn = await authenticate(context, request.headers.authorization);
      const { scope } = parseInput(query, request.query);
      if (scope === 'others') requireSecondStep(signedIn);
      // A password alone ends its own session, and no other one of the account.
      await signOut(context, signedIn.claims, lacksSecondStep(signedIn) ? 'local' : scope);
      if (scope === 'global') {
        requireSecondStep(signedIn, 403, 'Only this session was ended: the others need your second step.');
      }
      return reply.code(204).send();
    },
  });
}

type SignOutScope = 'global' | 'local' | 'others';

const conditions = {
  global: '',
  local: ' and id = $2',
  others: ' and id <> $2',
} as const satisfies Record<SignOutScope, string>;

/** Ends all sessions of the user, this one, or all others, with their refresh tokens. */
async function signOut(context: AuthContext, claims: AccessTokenClaims, scope: SignOutScope): Promise<void> {
  await context.database.pool.query(
    `delete from auth.sessions where user_id = $1${conditions[scope]}`,
    scope === 'global' ? [claims.sub] : [claims.sub, claims.session_id],
  );
}
