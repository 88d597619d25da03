import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { checkBucketName } from '../object-key.ts';
import { parseStorageInput } from '../request-target.ts';
import {
  createBucket,
  deleteBucket,
  emptyBucket,
  listBuckets,
  updateBucket,
  visibleBucket,
} from '../services/buckets.ts';
import { buryQuietly } from '../services/dead-blobs.ts';
import { callerOf, userIdOf } from '../storage-caller.ts';
import type { StorageContext } from '../storage-context.ts';

const units = new Map([
  ['b', 1],
  ['kb', 1000],
  ['mb', 1000 ** 2],
  ['gb', 1000 ** 3],
  ['tb', 1000 ** 4],
  ['kib', 1024],
  ['mib', 1024 ** 2],
  ['gib', 1024 ** 3],
  ['tib', 1024 ** 4],
]);

/** Bytes, as a number or as a text with a unit: `20MB`. */
const fileSize = z
  .union([
    z.int().min(0),
    z
      .string()
      .regex(/^\d{1,15}(?:\.\d{1,6})?\s*(?:[kmgt]i?)?b?$/i, 'must be a number of bytes, or such as 20MB')
      .transform((text) => {
        const [, number = '', unit = ''] = /^([\d.]+)\s*(\w*)$/.exec(text) ?? [];
        const known = unit === '' ? 'b' : unit.toLowerCase();
        return Math.floor(Number(number) * (units.get(known) ?? units.get(`${known}b`) ?? 1));
      }),
  ])
  .pipe(z.number().max(Number.MAX_SAFE_INTEGER));

const change = z.object({
  public: z.boolean().optional(),
  file_size_limit: fileSize.nullish(),
  allowed_mime_types: z.array(z.string().max(200)).max(200).nullish(),
});
const creation = change.extend({
  id: z.string().min(1).optional(),
  name: z.string().min(1),
  type: z.literal('STANDARD').nullish(),
});
const listing = z.object({
  limit: z.coerce.number().int().min(1).optional(),
  offset: z.coerce.number().int().min(0).default(0),
  sortColumn: z.enum(['id', 'name', 'created_at', 'updated_at']).default('name'),
  sortOrder: z.enum(['asc', 'desc']).default('asc'),
  search: z.string().max(200).default(''),
});

interface BucketParams {
  Params: { id: string };
}

/** `/bucket`: what row security lets the caller do with buckets; without policies of their own, users may do nothing. */
export function bucketRoutes(app: FastifyInstance, context: StorageContext): void {
  const { database } = context;
  app.get('/bucket', async (request) => {
    const caller = await callerOf(context, request.headers);
    const { limit, offset, sortColumn, sortOrder, search } = parseStorageInput(listing, request.query);
    return listBuckets(database, caller, {
      limit: limit ?? null,
      offset,
      sortColumn,
      descending: sortOrder === 'desc',
      search,
    });
  });
  app.get<BucketParams>('/bucket/:id', async (request) =>
    visibleBucket(database, await callerOf(context, request.headers), request.params.id),
  );
  app.post('/bucket', async (request) => {
    const caller = await callerOf(context, request.headers);
    const given = parseStorageInput(creation, request.body);
    const id = checkBucketName(given.id ?? given.name);
    await createBucket(database, caller, { id, owner: userIdOf(caller), ...changeOf(given) });
    return { name: id };
  });
  app.put<BucketParams>('/bucket/:id', async (request) => {
    const caller = await callerOf(context, request.headers);
    await updateBucket(
      database,
      caller,
      request.params.id,
      changeOf(parseStorageInput(change, request.body)),
    );
    return { message: 'Successfully updated' };
  });
  app.delete<BucketParams>('/bucket/:id', async (request) => {
    await deleteBucket(database, await callerOf(context, request.headers), request.params.id);
    return { message: 'Successfully deleted' };
  });
  app.post<BucketParams>('/bucket/:id/empty', async (request) => {
    await emptyBucket(database, await callerOf(context, request.headers), request.params.id);
    await buryQuietly(context);
    return { message: 'Successfully emptied' };
  });
}

function changeOf(given: z.output<typeof change>) {
  return {
    public: given.public,
    fileSizeLimit: given.file_size_limit,
    allowedMimeTypes: given.allowed_mime_types,
  };
}
