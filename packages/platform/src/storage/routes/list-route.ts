import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseStorageInput } from '../request-target.ts';
import { bucketRow } from '../services/buckets.ts';
import { listObjects } from '../services/list-objects.ts';
import { pageObjects } from '../services/page-objects.ts';
import { callerOf } from '../storage-caller.ts';
import type { StorageContext } from '../storage-context.ts';

/** A text that the database can hold. */
const text = z
  .string()
  .max(1024)
  .regex(/^[^\0]*$/, 'must not hold a NUL');

const body = z.object({
  prefix: text.default(''),
  search: text.nullish(),
  limit: z.int().min(1).max(1000).default(100),
  offset: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  sortBy: z
    .object({
      column: z.enum(['name', 'updated_at', 'created_at', 'last_accessed_at']).default('name'),
      order: z.enum(['asc', 'desc']).default('asc'),
    })
    .default({ column: 'name', order: 'asc' }),
});

const pageBody = z.object({
  prefix: text.default(''),
  limit: z.int().min(1).max(1000).default(1000),
  cursor: text.max(4096).nullish(),
  with_delimiter: z.boolean().default(false),
  sortBy: z
    .object({
      column: z.enum(['name', 'updated_at', 'created_at']).default('name'),
      order: z.enum(['asc', 'desc']).default('asc'),
    })
    .default({ column: 'name', order: 'asc' }),
});

/** POST `/object/list-v2/{bucket}`: what begins with a prefix, page by page. */
export function pageRoute(app: FastifyInstance, context: StorageContext): void {
  app.post<{ Params: { bucket: string } }>('/object/list-v2/:bucket', async (request) => {
    const caller = await callerOf(context, request.headers);
    const given = parseStorageInput(pageBody, request.body);
    await bucketRow(context.database, request.params.bucket);
    return pageObjects(context.database, caller, {
      bucketId: request.params.bucket,
      prefix: given.prefix,
      delimited: given.with_delimiter,
      limit: given.limit,
      cursor: given.cursor || undefined,
      sortColumn: given.sortBy.column,
      descending: given.sortBy.order === 'desc',
    });
  });
}

/** POST `/object/list/{bucket}`: what is in a folder. */
export function listRoute(app: FastifyInstance, context: StorageContext): void {
  app.post<{ Params: { bucket: string } }>('/object/list/:bucket', async (request) => {
    const caller = await callerOf(context, request.headers);
    const { prefix, search, limit, offset, sortBy } = parseStorageInput(body, request.body);
    await bucketRow(context.database, request.params.bucket);
    return listObjects(context.database, caller, {
      bucketId: request.params.bucket,
      prefix,
      search: search ?? '',
      limit,
      offset,
      sortColumn: sortBy.column,
      descending: sortBy.order === 'desc',
    });
  });
}
