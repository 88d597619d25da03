import { requestProblem } from '@cellfolio/contract';
import type { FastifySchemaCompiler } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { z } from 'zod';
import { ApiFailure } from '../api-failure.ts';

/**
 * Refuses a request that names several hosts, as RFC 9112 (3.2) asks: a proxy may have gone by the one that this server
 * does not see. Node itself refuses requests without any.
 */
export const oneHostPlugin = fastifyPlugin(async (app) => {
  app.addHook('onRequest', async ({ raw }, reply) => {
    const hosts = raw.rawHeaders.filter((text, place) => place % 2 === 0 && text.toLowerCase() === 'host');
    if (hosts.length > 1) return reply.code(400).send({ message: 'The request has several Host headers.' });
    return undefined;
  });
});

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

/** A list of thousands of invalid entries has the same problem in each. */
const maxProblems = 20;

/** A request does not fit the schema of its call. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';
  /** Each field, by its path with dots, and what to send instead. */
  readonly fields: readonly { readonly field: string; readonly problem: string }[];

  constructor({ issues }: z.core.$ZodError) {
    const fields = issues
      .slice(0, maxProblems)
      .map(({ path, message }) => ({ field: path.join('.'), problem: message }));
    super(fields.map(({ field, problem }) => (field ? `${field}: ${problem}` : problem)).join(' '));
    this.fields = fields;
  }
}

/** Checks requests by their schemas, in words that say what to send. */
export const requestValidatorCompiler: FastifySchemaCompiler<z.core.$ZodType> =
  ({ schema }) =>
  (data) => {
    const result = z.core.safeParse(schema, data, { error: requestProblem });
    return result.success ? { value: result.data } : { error: new InvalidRequest(result.error) };
  };
