import type { FastifyInstance } from 'fastify';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { leadAway, withError } from '../lead-away.ts';
import { browserOf } from '../oauth/browser-cookie.ts';
import { originOf } from '../request-input.ts';
import { arrive, strayed } from '../services/provider-arrival.ts';
import { callbackUrl } from '../services/provider-departure.ts';

/** A browser comes back from a provider. */
export function callback(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'GET',
    url: '/callback',
    config: { open: true },
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const origin = originOf(request, context.settings);
      try {
        await context.limits.countRequest('oauth', origin.address);
        const parameters = new URLSearchParams(request.url.split('?').slice(1).join('?'));
        const next = await arrive(context, { parameters, browser: browserOf(request) }, origin, request.log);
        if (next) return leadAway(reply, 302, next);
        return leadAway(reply, 303, withError(context.siteUrl, strayed(), { inQuery: true }));
      } catch (error) {
        if (!(error instanceof AuthError)) throw error;
        return leadAway(reply, 303, withError(context.siteUrl, error, { inQuery: true }));
      }
    },
  });
  // Some providers post a form. Browsers keep our cookie from it, as it comes from another site, but send it with
  // the GET that follows.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 64_000 },
      (_request, body, done) => done(null, new URLSearchParams(String(body)).toString()),
    );
    scope.route({
      method: 'POST',
      url: '/callback',
      config: { open: true },
      handler: async (request, reply) => {
        const url = new URL(callbackUrl(context));
        url.search = typeof request.body === 'string' ? request.body : '';
        return leadAway(reply, 303, url);
      },
    });
  });
}
