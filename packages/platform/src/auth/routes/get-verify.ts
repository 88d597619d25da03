import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { leadAway, withError, withSession } from '../lead-away.ts';
import { originOf, redirectOf } from '../request-input.ts';
import { withQuery } from '../services/redirect-target.ts';
import { otherMailbox, verify, verifyTypes } from '../services/verify.ts';

const query = z.object({ token: z.string().max(200), type: z.enum(verifyTypes) });

/** The link of a mail: leads to the site with a session or code, or with the error. */
export function getVerify(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'GET',
    url: '/verify',
    config: { open: true },
    // Mail scanners look at links with HEAD: that must not use a link up.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const origin = originOf(request, context.settings);
      const target = redirectOf(request, context);
      const given = query.safeParse(request.query);
      const handOver = given.success && given.data.token.startsWith('pkce_');
      try {
        await context.limits.countRequest('verify', origin.address);
        if (!given.success) throw expired();
        const { token: tokenHash, type } = given.data;
        const verified = await verify(context, { type, tokenHash }, { ...origin, handOver: true });
        if (verified.kind === 'code') return leadAway(reply, 303, withQuery(target, { code: verified.code }));
        if (verified.kind === 'session')
          return leadAway(reply, 303, withSession(target, verified.session, { type }));
        const url = new URL(target);
        url.hash = new URLSearchParams({ message: otherMailbox, sb: '' }).toString();
        return leadAway(reply, 303, handOver ? withQuery(url.href, { message: otherMailbox }) : url);
      } catch (error) {
        if (!(error instanceof AuthError)) throw error;
        const shown = error.code === 'otp_expired' ? expired() : error;
        return leadAway(reply, 303, withError(target, shown, { inQuery: handOver }));
      }
    },
  });
}

function expired(): AuthError {
  return new AuthError(403, 'otp_expired', 'Email link is invalid or has expired');
}
