import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { originOf } from '../request-input.ts';
import { confirmWithToken } from '../services/confirmation.ts';
import { allowedTarget } from '../services/redirect-target.ts';

const query = z.object({
  token: z.string().default(''),
  type: z.string().default(''),
  redirect_to: z.string().optional(),
});

/** The link of a confirmation mail: leads to the site with a session, or with the error, in the fragment. */
export function getVerify(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'GET',
    url: '/verify',
    config: { open: true },
    // Mail scanners look at links with HEAD: that must not use a link up.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const origin = originOf(request, context.settings);
      const {
        token,
        type,
        redirect_to: redirectTo,
      } = query.catch({ token: '', type: '' }).parse(request.query);
      const target = new URL(allowedTarget(context.siteUrl, redirectTo));
      target.hash = await fragment(async () => {
        await context.limits.countRequest('verify', origin.address);
        if (type !== 'signup')
          throw new AuthError(403, 'otp_expired', 'Email link is invalid or has expired');
        return confirmWithToken(context, token, origin);
      }, type);
      return reply.redirect(target.href, 303);
    },
  });
}

async function fragment(confirm: () => ReturnType<typeof confirmWithToken>, type: string): Promise<string> {
  try {
    const session = await confirm();
    return new URLSearchParams({
      access_token: session.access_token,
      expires_at: String(session.expires_at),
      expires_in: String(session.expires_in),
      refresh_token: session.refresh_token,
      token_type: session.token_type,
      type,
      sb: '',
    }).toString();
  } catch (cause) {
    if (!(cause instanceof AuthError)) throw cause;
    return new URLSearchParams({
      error: 'access_denied',
      error_code: cause.code,
      error_description: cause.message,
      sb: '',
    }).toString();
  }
}
