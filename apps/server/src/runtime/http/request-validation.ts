import { requestProblem } from '@cellfolio/contract';
import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';

/** A list of thousands of wrong entries has one fault, told often enough. */
const problemsTold = 20;

/** A request does not fit the schema of its call. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';
  /** Each field, by its path with dots, and what to send instead. */
  readonly fields: readonly { readonly field: string; readonly problem: string }[];

  constructor({ issues }: z.core.$ZodError) {
    const fields = issues
      .slice(0, problemsTold)
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
