import type { FastifyPluginAsync } from 'fastify';
import { allowOtherOrigins } from './cors.ts';

const message = (service: string) => `The ${service} service is not available here yet.`;

export interface UnavailableServicesOptions {
  /** Prefixes of services that are there. */
  readonly present: readonly string[];
}

/** The services that are not there, each answering in the words its client understands. */
export const unavailableServices: FastifyPluginAsync<UnavailableServicesOptions> = async (
  app,
  { present },
) => {
  // 404, not 501: clients take some 5xx for an outage and try again and again.
  const services: Record<string, unknown> = {
    '/rest/v1': { code: 'feature_disabled', message: message('REST'), details: null, hint: null },
    '/storage/v1': {
      statusCode: '404',
      error: 'feature_disabled',
      code: 'feature_disabled',
      message: message('storage'),
    },
    '/functions/v1': { error: message('functions'), code: 'feature_disabled' },
  };
  for (const [prefix, answer] of Object.entries(services)) {
    if (present.includes(prefix)) continue;
    await app.register(
      async (scope) => {
        allowOtherOrigins(scope);
        // The body is of no interest, whatever its type.
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', (_request, payload, done) => {
          payload.resume();
          done(null);
        });
        scope.setNotFoundHandler(async (_request, reply) => reply.code(404).send(answer));
      },
      { prefix },
    );
  }
};
