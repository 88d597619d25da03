import fastifyPlugin from 'fastify-plugin';
import { ApiFailure } from '../../services/api-failure.ts';

/**
 * Reads JSON bodies as Fastify does, which refuses the keys `__proto__` and `constructor.prototype`, but says so
 * where that is the reason: such a body is not broken JSON, and its sender would look for a missing bracket.
 */
export const jsonBodyPlugin = fastifyPlugin(async (app) => {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    void parse(request, body, (error, value) => {
      if (!error) return done(null, value);
      if (body === '') return done(refused('The body is empty: send a JSON object.'));
      return done(refused(problemOf(body)));
    });
  });
});

function problemOf(body: string): string {
  try {
    JSON.parse(body);
  } catch (error) {
    return `The body is not JSON: ${(error as SyntaxError).message}.`;
  }
  return 'The body has a key named __proto__ (or a prototype inside of constructor), which is never taken. Send it without that key; a metadata field of that name must be renamed in the file.';
}

function refused(message: string): ApiFailure {
  return new ApiFailure(400, 'invalid_request', message);
}
