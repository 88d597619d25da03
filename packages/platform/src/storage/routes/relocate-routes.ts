import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { checkObjectKey } from '../object-key.ts';
import { metadataInHeader } from '../read-upload.ts';
import { parseStorageInput } from '../request-target.ts';
import { copyObject } from '../services/copy-object.ts';
import { moveObject } from '../services/move-object.ts';
import { callerOf } from '../storage-caller.ts';
import type { StorageContext } from '../storage-context.ts';

const body = z.object({
  bucketId: z.string().min(1).max(100),
  sourceKey: z.string().min(1),
  destinationKey: z.string().min(1),
  destinationBucket: z.string().min(1).max(100).nullish(),
  copyMetadata: z.boolean().default(true),
  metadata: z
    .object({ cacheControl: z.string().max(200).optional(), mimetype: z.string().max(200).optional() })
    .nullish(),
});

/** POST `/object/move` and `/object/copy`. */
export function relocateRoutes(app: FastifyInstance, context: StorageContext): void {
  const read = (given: unknown) => {
    const { destinationBucket, ...rest } = parseStorageInput(body, given);
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
