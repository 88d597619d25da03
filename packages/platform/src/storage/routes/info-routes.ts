import type { FastifyInstance, FastifyReply } from 'fastify';
import { targetOf } from '../request-target.ts';
import { bucketRow, noSuchBucket } from '../services/buckets.ts';
import { type StoredObject, visibleObject } from '../services/stored-object.ts';
import { callerOf } from '../storage-caller.ts';
import type { StorageContext } from '../storage-context.ts';

/** GET `/object/info/{bucket}/{name}`: what is known of an object without its bytes. */
export function infoRoutes(app: FastifyInstance, context: StorageContext): void {
  const { database } = context;
  for (const url of ['/object/info/:bucket/*', '/object/info/authenticated/:bucket/*']) {
    app.get(url, async (request, reply) => {
      const caller = await callerOf(context, request.headers);
      const target = targetOf(request);
      await bucketRow(database, target.bucketId);
      return infoOf(reply, await visibleObject(database, caller, target));
    });
  }
  app.get('/object/info/public/:bucket/*', async (request, reply) => {
    const target = targetOf(request);
    if (!(await bucketRow(database, target.bucketId)).public) throw noSuchBucket();
    return infoOf(reply, await visibleObject(database, { role: 'service_role' }, target));
  });
}

function infoOf(reply: FastifyReply, { metadata, ...object }: StoredObject): Record<string, unknown> {
  reply.header('etag', metadata.eTag);
  return {
    id: object.id,
    name: object.name,
    version: object.version,
    bucket_id: object.bucket_id,
    size: metadata.size,
    content_type: metadata.mimetype,
    cache_control: metadata.cacheControl,
    etag: metadata.eTag,
    metadata: object.user_metadata ?? {},
    last_modified: metadata.lastModified,
    created_at: object.created_at,
  };
}
