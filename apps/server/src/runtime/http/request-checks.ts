import { requestProblem } from '@cellfolio/contract';
import type { FastifySchemaCompiler } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { z } from 'zod';
import { ApiFailure } from '../api-failure.ts';

/** Refuses requests with several Host headers (RFC 9112, 3.2): a proxy may have used another one than this server. */
export const oneHostPlugin = fastifyPlugin(async (app) => {
  app.addHook('onRequest', async ({ raw }, reply) => {
    const hosts = raw.rawHeaders.filter((text, place) => place % 2 === 0 && text.toLowerCase() === 'host');
    if (hosts.length > 1) return reply.code(400).send({ message: 'The request has several Host headers.' });
    return undefined;
  });
});

/**
 * Parses JSON bodies with all their keys: a metadata field may be called `__proto__`. It becomes an own property, and no
 * code looks names up in plain objects (scripts/name-dictionaries.mjs).
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

/** Each entry of a list of thousands may have the same problem. */
const maxProblems = 20;

export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';
  /** Paths with dots, and what to send instead. */
  readonly fields: readonly { field: string; problem: string }[];

  constructor({ issues }: z.core.$ZodError) {
    const fields = issues
      .slice(0, maxProblems)
      .map(({ path, message }) => ({ field: path.join('.'), problem: message }));
    super(fields.map(({ field, problem }) => (field ? `${field}: ${problem}` : problem)).join(' '));
    this.fields = fields;
  }
}

export const requestValidatorCompiler: FastifySchemaCompiler<z.core.$ZodType> =
  ({ schema }) =>
  (data) => {
    const result = z.core.safeParse(schema, data, { error: requestProblem });
    return result.success ? { value: result.data } : { error: new InvalidRequest(result.error) };
  };
