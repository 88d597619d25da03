import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { checkObjectKey, parseStorageInput, callerOf, targetOf } from './storage-request.ts';
import { metadataInHeader } from './upload-routes.ts';
import type { StorageContext } from './storage-context.ts';
import type { Caller } from '../database/database.ts';
import { alreadyExists } from './storage-error.ts';
import { bucketRow } from './buckets.ts';
import {
  checkExtension,
  checkMimeType,
  checkSize,
  type FileDescription,
  objectMetadata,
  planUpload,
} from './plan-upload.ts';
import { noSuchKey, blobKeyOf, visibleObject, objectColumns, type StoredObject } from './objects.ts';
import { Reservation } from './reservation.ts';
import { abandonUpload, commitObject, type Uploaded } from './upload-object.ts';
import { deleteUnusedBlobs } from './sweep-storage.ts';

const relocation = z.object({
  bucketId: z.string().min(1).max(100),
  sourceKey: z.string().min(1),
  destinationKey: z.string().min(1),
  destinationBucket: z.string().min(1).max(100).nullish(),
  copyMetadata: z.boolean().default(true),
  metadata: z
    .object({ cacheControl: z.string().max(200).optional(), mimetype: z.string().max(200).optional() })
    .nullish(),
});

export function relocateRoutes(app: FastifyInstance, context: StorageContext): void {
  const read = (body: unknown) => {
    const { destinationBucket, ...rest } = parseStorageInput(relocation, body);
    checkObjectKey(rest.sourceKey);
    return { ...rest, destinationBucket: destinationBucket ?? rest.bucketId };
  };
  app.post('/object/move', async (request) => {
    const caller = await callerOf(context, request.headers);
    const move = read(request.body);
    const { id } = await moveObject(context, { caller, ...move });
    return {
      message: 'Successfully moved',
      Id: id,
      Key: `${move.destinationBucket}/${move.destinationKey}`,
    };
  });
  app.post('/object/copy', async (request) => {
    const caller = await callerOf(context, request.headers);
    const upsert = request.headers['x-upsert'] === 'true';
    const { metadata, ...copy } = read(request.body);
    const userMetadata = metadataInHeader(request.headers['x-metadata']);
    return copyObject(context, { caller, upsert, ...copy, described: metadata ?? {}, userMetadata });
  });
}

interface Relocation {
  readonly caller: Caller;
  readonly bucketId: string;
  readonly sourceKey: string;
  readonly destinationBucket: string;
  readonly destinationKey: string;
}

/** Renames an object; its bytes stay in place. Throws StorageError, or the database's 42501. */
async function moveObject(context: StorageContext, move: Relocation): Promise<{ id: string }> {
  const destination = checkObjectKey(move.destinationKey);
  const bucket = await bucketRow(context.database, move.destinationBucket);
  checkExtension(destination, context.buckets.get(bucket.id) ?? {});
  const { rows } = await context.database
    .as(move.caller, (client) =>
      client.query<{ id: string }>(
        `update storage.objects set bucket_id = $3, name = $4, updated_at = now()
         where bucket_id = $1 and name = $2 returning id`,
        [move.bucketId, move.sourceKey, bucket.id, destination],
      ),
    )
    .catch((cause: unknown) => {
      throw (cause as { code?: string }).code === '23505' ? alreadyExists(cause) : cause;
    });
  if (!rows[0]) throw noSuchKey();
  return rows[0];
}

interface Copy extends Relocation {
  readonly upsert: boolean;
  readonly copyMetadata: boolean;
  readonly described: FileDescription;
  readonly userMetadata: Record<string, unknown> | null;
}

/** Creates a second object with the same bytes, which count again. Throws StorageError, or the database's 42501. */
async function copyObject(context: StorageContext, copy: Copy): Promise<Uploaded> {
  const { caller, upsert } = copy;
  const source = await visibleObject(context.database, caller, {
    bucketId: copy.bucketId,
    name: copy.sourceKey,
  });
  const { size, eTag } = source.metadata;
  const plan = await planUpload(context, {
    caller,
    bucketId: copy.destinationBucket,
    name: copy.destinationKey,
    upsert,
  });
  checkSize(size, plan.maxBytes);
  checkMimeType(
    copy.copyMetadata ? source.metadata.mimetype : (copy.described.mimetype ?? source.metadata.mimetype),
    plan.allowedMimeTypes,
  );
  await Reservation.open(context, plan, { atLeast: size, atMost: size });
  try {
    await context.blobs.copy(blobKeyOf(source.version), blobKeyOf(plan.version));
    const described = copy.copyMetadata
      ? source.metadata
      : {
          mimetype: copy.described.mimetype ?? source.metadata.mimetype,
          cacheControl: copy.described.cacheControl,
        };
    const userMetadata = copy.copyMetadata ? source.user_metadata : copy.userMetadata;
    const metadata = objectMetadata({ size, eTag }, described, context.now());
    const id = await commitObject(context, plan, metadata, userMetadata);
    return { Id: id, Key: `${plan.bucketId}/${plan.name}` };
  } catch (error) {
    await abandonUpload(context, plan.version);
    throw error;
  }
}

const removal = z.object({ prefixes: z.array(z.string().max(4096)).min(1).max(1000) });

export function removeRoutes(app: FastifyInstance, context: StorageContext): void {
  app.delete<{ Params: { bucket: string } }>('/object/:bucket', async (request) => {
    const caller = await callerOf(context, request.headers);
    const { prefixes } = parseStorageInput(removal, request.body);
    const legal = prefixes.filter((name) => !name.includes('\0') && name.isWellFormed());
    return removeObjects(context, caller, request.params.bucket, legal);
  });
  app.delete('/object/:bucket/*', async (request) => {
    const caller = await callerOf(context, request.headers);
    const { bucketId, name } = targetOf(request);
    const removed = await removeObjects(context, caller, bucketId, [name]);
    if (removed.length === 0) throw noSuchKey();
    return { message: 'Successfully deleted' };
  });
}

/** Removes those names that exist and that the caller may remove; ignores the others. */
async function removeObjects(
  context: StorageContext,
  caller: Caller,
  bucketId: string,
  names: readonly string[],
): Promise<StoredObject[]> {
  const { rows } = await context.database.as(caller, (client) =>
    client.query<StoredObject>(
      `delete from storage.objects where bucket_id = $1 and name = any($2::text[]) returning ${objectColumns}`,
      [bucketId, names],
    ),
  );
  if (rows.length > 0) await deleteUnusedBlobs(context);
  return rows;
}
