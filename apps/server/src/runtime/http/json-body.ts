import fastifyPlugin from 'fastify-plugin';
import { ApiFailure } from '../api-failure.ts';

/**
 * Reads JSON bodies with every key that they have: a metadata field of a file may be called `__proto__`. That key is an
 * own property then, like any other, and nothing looks names up in plain objects (scripts/name-dictionaries.mjs).
 */
export const jsonBodyPlugin = fastifyPlugin(async (app) => {
  const parse = app.getDefaultJsonParser('ignore', 'ignore');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    void parse(request, body, (error, value) => {
      if (!error) return done(null, value);
      if (body === '') return done(refused('The body is empty: send a JSON object.'));
      return done(refused(`The body is not JSON: ${error.message}.`));
    });
  });
});

function refused(message: string): ApiFailure {
  return new ApiFailure(400, 'invalid_request', message);
}
