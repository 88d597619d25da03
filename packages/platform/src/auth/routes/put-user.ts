import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { accountData } from '../account-data.ts';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { challengeFields, mailedReturnOf, originOf, parseInput } from '../request-input.ts';
import { authenticate } from '../services/authenticate.ts';
import { updateUser } from '../services/update-user.ts';

const body = z.object({
  password: z.string().nullish(),
  current_password: z.string().nullish(),
  nonce: z.string().max(200).nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
  data: accountData.nullish(),
  app_metadata: z.unknown().optional(),
  ...challengeFields,
});

export function putUser(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'PUT',
    url: '/user',
    handler: async (request) => {
      const origin = originOf(request, context.settings);
      await context.limits.countRequest('updateUser', origin.address);
      const signedIn = await authenticate(context, request.headers.authorization);
      const given = parseInput(body, request.body);
      if (given.app_metadata !== undefined && given.app_metadata !== null) {
        throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges');
      }
      const changes = {
        password: given.password ?? undefined,
        currentPassword: given.current_password ?? undefined,
        nonce: given.nonce || undefined,
        // An empty address means none given, as clients that send every field have it.
        email: given.email || undefined,
        phone: given.phone || undefined,
        data: given.data ?? undefined,
        back: mailedReturnOf(request, context, given),
      };
      return updateUser(context, signedIn, changes, origin);
    },
  });
}
