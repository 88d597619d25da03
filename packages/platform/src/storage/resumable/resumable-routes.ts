import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../database/database.ts';
import { exposedHeaders, requestHeaders } from '../../gateway/service-scope.ts';
import { callerInToken } from '../signed-addresses.ts';
import { retryAfterSeconds, StorageError } from '../storage-error.ts';
import { callerOf, userIdOf, untouchedBytes } from '../storage-request.ts';
import type { StorageContext } from '../storage-context.ts';
import { checkMimeType, checkSize, planUpload } from '../plan-upload.ts';
import { BlobDataStore } from './blob-data-store.ts';
import {
  NoSuchUpload,
  tusRefusal,
  absoluteUrl,
  describedIn,
  isUploadId,
  uploadRow,
  type UploadRow,
} from './tus-protocol.ts';
import { UploadLocks } from './upload-locks.ts';

/** Caller of a request, determined before the protocol's server sees it. */
interface Call {
  /** Checks the caller's right to this object; undefined for a request that needs no caller (HEAD). */
  readonly callerFor: ((bucketId: string, name: string) => Promise<Caller>) | undefined;
  readonly upsert: boolean;
  /** Path of the new upload, before its id. */
  readonly path: string;
}

const path = '/upload/resumable';

/** Resumable uploads (TUS 1.0.0) at `/upload/resumable`, and at `/upload/resumable/sign` by a signed upload token. */
export function resumableRoutes(app: FastifyInstance, context: StorageContext): void {
  const calls = new WeakMap<IncomingMessage, Call>();
  const server = tusServer(context, calls);

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    calls.set(request.raw, await callOf(context, request));
    // From here the TUS server reads and responds.
    reply.hijack();
    try {
      await server.handle(request.raw, reply.raw);
    } catch (error) {
      request.log.error({ err: error }, 'a resumable upload broke off');
      reply.raw.destroy();
    }
  };
  app.setErrorHandler((error, request, reply) => {
    const { status_code, body } = tusRefusal(error, request.log);
    if (status_code === 503) reply.header('retry-after', retryAfterSeconds);
    return reply.code(status_code).header('tus-resumable', '1.0.0').type('text/plain').send(body);
  });
  for (const url of [path, `${path}/sign`]) {
    app.route({ ...untouchedBytes, method: ['POST', 'OPTIONS'], url, handler: handle });
  }
  // Wildcards, as a parameter longer than the router takes would be answered 414 rather than 404.
  for (const url of [`${path}/*`, `${path}/sign/*`]) {
    app.route({ ...untouchedBytes, method: ['HEAD', 'PATCH', 'DELETE', 'OPTIONS'], url, handler: handle });
  }
}

async function callOf(context: StorageContext, request: FastifyRequest): Promise<Call> {
  const signed = request.routeOptions.url?.includes(`${path}/sign`) ?? false;
  const common = {
    upsert: request.headers['x-upsert'] === 'true',
    path: signed ? `${path}/sign` : path,
  };
  if (request.method === 'HEAD' || request.method === 'OPTIONS') return { ...common, callerFor: undefined };
  if (signed) {
    const signature = request.headers['x-signature'];
    return {
      ...common,
      callerFor: async (bucketId, name) => {
        const token = typeof signature === 'string' ? signature : undefined;
        return callerInToken(await context.tokens.verify(token, 'upload', `${bucketId}/${name}`));
      },
    };
  }
  const caller = await callerOf(context, request.headers);
  return { ...common, callerFor: async () => caller };
}

function tusServer(context: StorageContext, calls: WeakMap<IncomingMessage, Call>): Server {
  const store = new BlobDataStore(context);
  const callMade = (request: WebRequest): Call => {
    const call = calls.get(nodeRequest(request));
    if (!call) throw new Error('A request bypassed its route.');
    return call;
  };

  const server = new Server({
    path: `/storage/v1${path}`,
    datastore: store,
    locker: new UploadLocks({
      database: context.database,
      waitSeconds: context.settings.lockWaitSeconds,
      leaseSeconds: context.settings.leaseSeconds,
      idle: (id) => store.idle(id),
    }),
    maxSize: context.settings.maxFileBytes,
    disableTerminationForFinishedUploads: true,
    // In addition to the TUS headers, which its server lists.
    allowedHeaders: requestHeaders.split(', '),
    exposedHeaders: exposedHeaders.split(', '),
    namingFunction: () => randomUUID(),
    generateUrl: (request, { id }) =>
      absoluteUrl(nodeRequest(request), `/storage/v1${callMade(request).path}/${id}`, context),
    // The TUS server answers 404 to an invalid id.
    getFileIdFromRequest: (_request, last) => (isUploadId(last) ? last : undefined),
    onIncomingRequest: async (request, id) => {
      const { callerFor } = callMade(request);
      if (request.method === 'POST' || !callerFor) return;
      const row = await uploadRow(context.database, id);
      if (!row) throw new NoSuchUpload();
      const caller = await callerFor(row.bucket_id, row.name);
      // Same response for another user's upload and a missing one.
      if (!mayGoOn(caller, row)) throw new NoSuchUpload();
      if (request.method === 'PATCH' && !row.finished) {
        await planUpload(context, {
          caller: row.caller,
          bucketId: row.bucket_id,
          name: row.name,
          upsert: row.upsert,
        });
      }
    },
    onUploadCreate: async (request, upload) => {
      const { callerFor, upsert } = callMade(request);
      const { bucketName, objectName } = upload.metadata ?? {};
      if (!callerFor || !bucketName || !objectName) {
        throw new StorageError('InvalidRequest', 'Upload-Metadata needs a bucketName and an objectName.');
      }
      const described = describedIn(upload.metadata ?? {});
      const caller = await callerFor(bucketName, objectName);
      const plan = await planUpload(context, {
        caller,
        bucketId: bucketName,
        name: objectName,
        upsert,
        version: upload.id,
      });
      checkMimeType(described.mimetype || 'application/octet-stream', plan.allowedMimeTypes);
      checkSize(upload.size, plan.maxBytes);
      store.allow(upload, plan);
      return {};
    },
    onResponseError: (request, error) => {
      const refusal = tusRefusal(error, context.log);
      // The TUS server cannot set headers on errors.
      if (refusal.status_code === 503) nodeResponse(request)?.setHeader('retry-after', retryAfterSeconds);
      return refusal;
    },
  });
  return server;
}

interface WebRequest {
  readonly runtime?: { readonly node?: { readonly req?: unknown; readonly res?: unknown } };
}

function nodeResponse(request: WebRequest): ServerResponse | undefined {
  return request.runtime?.node?.res as ServerResponse | undefined;
}

function nodeRequest(request: WebRequest): IncomingMessage {
  return request.runtime?.node?.req as IncomingMessage;
}

function mayGoOn(caller: Caller, row: UploadRow): boolean {
  if (caller.role === 'service_role') return true;
  // An upload that was begun after the second step is not continued without it.
  const passed = row.caller.claims?.['aal'] !== 'aal2' || caller.claims?.['aal'] === 'aal2';
  return passed && caller.role === row.caller.role && userIdOf(caller) === userIdOf(row.caller);
}
