import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Admission } from '../gateway/admission.ts';
import { allowOtherOrigins, acceptEmptyJson } from '../gateway/service-scope.ts';
import { takeTurns, type ServiceAdmissions } from '../gateway/service-admissions.ts';
import type { Caller } from '../database/database.ts';
import { resumableRoutes } from './resumable/resumable-routes.ts';
import { bucketRoutes, bucketRow } from './buckets.ts';
import { downloadRoutes, infoRoutes } from './download.ts';
import { listRoute, pageRoute } from './list-objects.ts';
import { signRoutes, signedUploadRoute, signUploadRoute } from './signed-addresses.ts';
import { uploadRoutes, metadataInHeader } from './upload-routes.ts';
import { sweepStorage, deleteUnusedBlobs } from './sweep-storage.ts';
import { answerInStorageEnvelope, alreadyExists } from './storage-error.ts';
import { callerOf, checkObjectKey, parseStorageInput, targetOf } from './storage-request.ts';
import type { StorageContext } from './storage-context.ts';
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

function relocateRoutes(app: FastifyInstance, context: StorageContext): void {
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
  caller: Caller;
  bucketId: string;
  sourceKey: string;
  destinationBucket: string;
  destinationKey: string;
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
  upsert: boolean;
  copyMetadata: boolean;
  described: FileDescription;
  userMetadata: Record<string, unknown> | null;
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

function removeRoutes(app: FastifyInstance, context: StorageContext): void {
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

const routes = [
  bucketRoutes,
  downloadRoutes,
  infoRoutes,
  listRoute,
  pageRoute,
  removeRoutes,
  signRoutes,
  signUploadRoute,
  relocateRoutes,
];

interface StoragePluginOptions {
  context: StorageContext;
  /** Admission of calls and uploads; if absent, they run at once. */
  turns?: ServiceAdmissions;
}

export const storagePlugin: FastifyPluginAsync<StoragePluginOptions> = async (app, { context, turns }) => {
  const byTurns = (scope: FastifyInstance, admission: Admission | undefined) => {
    const caller = ({ headers }: FastifyRequest) => callerOf(context, headers);
    if (admission) takeTurns(scope, { admission, callerOf: caller, trustProxy: context.trustProxy });
  };
  answerInStorageEnvelope(app);
  allowOtherOrigins(app);
  healthRoute(app);
  await app.register(async (scope) => {
    acceptEmptyJson(scope);
    byTurns(scope, turns?.calls);
    for (const route of routes) route(scope, context);
  });
  // Every body is a file here, even JSON.
  await app.register(async (scope) => {
    await scope.register(multipart, {
      // The size is checked where bytes are counted; other form fields are small.
      limits: { fileSize: Number.MAX_SAFE_INTEGER, files: 2, fields: 20, fieldSize: 256 * 1024, parts: 22 },
      throwFileSizeLimit: false,
    });
    passBodiesThrough(scope);
    byTurns(scope, turns?.uploads);
    uploadRoutes(scope, context);
    signedUploadRoute(scope, context);
  });
  await app.register(async (scope) => {
    passBodiesThrough(scope);
    byTurns(scope, turns?.uploads);
    resumableRoutes(scope, context);
  });
  keepSweeping(app, context);
};

/**
 * Time during which a refused body is still read, so that its sender receives the response, before the connection is
 * closed.
 */
const lingerMs = 2_000;

function passBodiesThrough(scope: FastifyInstance): void {
  scope.addHook('onResponse', async (request) => {
    if (!request.raw.complete) setTimeout(() => request.raw.destroy(), lingerMs).unref();
  });
  scope.removeContentTypeParser(['application/json', 'text/plain']);
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}

function keepSweeping(app: FastifyInstance, context: StorageContext): void {
  const { sweepSeconds } = context.settings;
  if (sweepSeconds === 0) return;
  let running = Promise.resolve();
  const round = async (): Promise<void> => {
    try {
      const { uploads, blobs } = await sweepStorage(context);
      if (uploads + blobs > 0) context.log.info({ uploads, blobs }, 'cleared up storage');
    } catch (error) {
      context.log.warn({ err: error }, 'storage could not be cleared up now');
    }
  };
  const sweep = (): void => {
    running = running.then(round);
  };
  const timer = setInterval(sweep, sweepSeconds * 1000);
  timer.unref();
  app.addHook('onReady', async () => sweep());
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await running;
  });
}

/** API version of the original service. */
const version = '1.0.0';

function healthRoute(app: FastifyInstance): void {
  for (const url of ['/status', '/statusz']) app.get(url, async () => ({}));
  app.get('/version', async (_request, reply) => reply.type('text/plain').send(version));
}
