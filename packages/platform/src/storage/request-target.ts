import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { checkObjectKey } from './object-key.ts';
import { StorageError } from './storage-error.ts';

const params = z.object({ bucket: z.string(), '*': z.string() });

/** Bucket and name as the path has them, decoded. Throws StorageError `InvalidKey`. */
export function targetOf(request: FastifyRequest): { bucketId: string; name: string } {
  const { bucket, '*': name } = params.parse(request.params);
  return { bucketId: bucket, name: checkObjectKey(name) };
}

/** Body or query as its schema has it. Throws StorageError `InvalidRequest`. */
export function parseStorageInput<T>(schema: z.ZodType<T>, given: unknown): T {
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.');
  throw new StorageError('InvalidRequest', `${field ? `${field}: ` : ''}${issue?.message ?? 'not valid'}`, {
    cause: parsed.error,
  });
}
