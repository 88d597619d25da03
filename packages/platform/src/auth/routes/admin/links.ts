import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { accountData } from '../../account-data.ts';
import type { AuthContext } from '../../auth-context.ts';
import { AuthError } from '../../auth-error.ts';
import { normaliseEmail } from '../../email-address.ts';
import { parseInput, redirectOf } from '../../request-input.ts';
import { generateLink, linkKinds } from '../../services/generate-link.ts';
import { mailLink, outboxOf } from '../../services/mail-codes.ts';
import { allowedTarget } from '../../services/redirect-target.ts';
import { requireOperator } from '../../services/require-operator.ts';
import { userAnswer } from '../../user-answer.ts';
import { findUserByEmail, insertUser } from '../../user-record.ts';

const data = accountData.nullish();
const linkBody = z.object({
  type: z.enum(linkKinds),
  email: z.string(),
  password: z.string().nullish(),
  new_email: z.string().nullish(),
  data,
  redirect_to: z.string().nullish(),
});
const inviteBody = z.object({ email: z.string(), data });

/** Ways in that operators make for others, with the secret key. */
export function adminLinks(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'POST',
    url: '/admin/generate_link',
    handler: async (request) => {
      await requireOperator(context, request);
      const given = parseInput(linkBody, request.body);
      const { siteUrl, settings } = context;
      const redirectTo = given.redirect_to
        ? allowedTarget(siteUrl, given.redirect_to, settings.redirectAllowList)
        : redirectOf(request, context);
      return generateLink(context, {
        type: given.type,
        email: given.email,
        password: given.password ?? undefined,
        newEmail: given.new_email ?? undefined,
        userMetadata: given.data ?? {},
        redirectTo,
      });
    },
  });
  app.route({
    method: 'POST',
    url: '/invite',
    handler: async (request) => {
      await requireOperator(context, request);
      outboxOf(context);
      const given = parseInput(inviteBody, request.body);
      const email = normaliseEmail(given.email);
      const createdAt = new Date(context.now());
      const userMetadata = given.data ?? {};
      const made = await context.database.transaction((client) =>
        insertUser(client, {
          email,
          passwordHash: null,
          confirmed: false,
          userMetadata,
          byOperator: true,
          createdAt,
        }),
      );
      const user = made ?? (await findUserByEmail(context.database.pool, email));
      if (!user || user.email_confirmed_at) {
        throw new AuthError(
          422,
          'email_exists',
          'A user with this email address has already been registered',
        );
      }
      const back = { redirectTo: redirectOf(request, context), challenge: undefined };
      const invited = await mailLink(context, 'invitation', user, back);
      return userAnswer(invited ?? user);
    },
  });
}
